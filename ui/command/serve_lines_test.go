package command

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"blotter/ui/command/remote"
)

// linesOf returns the lines that are written for reports, which come within a minute, without their times.
func linesOf(t *testing.T, reports ...remote.Connection) (lines []string) {
	synctest.Test(t, func(t *testing.T) {
		output := new(lockedBuffer)
		l := newConnectionLines(output)
		ctx, cancel := context.WithCancel(t.Context())
		var task sync.WaitGroup
		task.Go(func() { l.run(ctx) })
		for _, each := range reports {
			each.Begin = time.Now()
			time.Sleep(time.Millisecond)
			if each.Trader == "" || each.Why == "quit" {
				each.End = time.Now()
			}
			l.add(each)
			synctest.Wait()
		}
		if text := output.String(); text != "" && reports[0].Trader == "" {
			t.Errorf("printed before the minute is over: %q", text)
		}
		time.Sleep(lineTime)
		cancel()
		task.Wait()
		for line := range strings.Lines(output.String()) {
			fields := strings.SplitN(line, "  ", 3)
			if fields[1] == "-" {
				fields[2] = "-  " + fields[2]
			}
			lines = append(lines, strings.TrimSuffix(fields[2], "\n"))
		}
	})
	return lines
}

// TestScansAreALineAMinuteForAnAddress, whatever they do.
func TestScansAreALineAMinuteForAnAddress(t *testing.T) {
	var reports []remote.Connection
	for i := range 5000 {
		reports = append(reports, remote.Connection{Address: fmt.Sprintf("192.0.2.%d:%d", 1+i%2, 1024+i), Why: "disconnected"})
	}
	want := "-  192.0.2.1  -  2,500 connections without a key: disconnected\n-  192.0.2.2  -  2,500 connections without a key: disconnected"
	if got := strings.Join(linesOf(t, reports...), "\n"); got != want {
		t.Errorf("printed\n%s", got)
	}
}

// TestDeniedKeysAreALineAMinuteForAnAddress, with the number, the first key and its user.
func TestDeniedKeysAreALineAMinuteForAnAddress(t *testing.T) {
	var reports []remote.Connection
	for i := range 20 {
		reports = append(reports, remote.Connection{
			Address: fmt.Sprintf("[2001:db8::%x]:22", i+1), Denied: 2, Fingerprint: fmt.Sprintf("SHA256:%d", i), User: fmt.Sprintf("user %d", i),
		})
	}
	want := `-  2001:db8::/64  SHA256:0  40 keys denied, the first of user "user 0"`
	if got := strings.Join(linesOf(t, reports...), "\n"); got != want {
		t.Errorf("printed\n%s", got)
	}
}

// TestManyAddressesAreOneLine a minute.
func TestManyAddressesAreOneLine(t *testing.T) {
	for addresses, lines := range map[int]int{maxAddresses: maxAddresses, maxAddresses + 1: 1, 900: 1} {
		var reports []remote.Connection
		for i := range addresses {
			reports = append(reports, remote.Connection{Address: fmt.Sprintf("10.0.%d.%d:22", i/256, i%256), Why: "silent"})
		}
		got := linesOf(t, reports...)
		if len(got) != lines {
			t.Errorf("%d addresses: %d lines", addresses, len(got))
		}
		if want := fmt.Sprintf("-  more than 100 addresses  -  %d connections without a key: silent", addresses); lines == 1 && got[0] != want {
			t.Errorf("%d addresses: %s", addresses, got[0])
		}
	}
}

func TestTradersHaveALineAtTheBeginningAndAtTheEnd(t *testing.T) {
	one := remote.Connection{Trader: "one", Address: "192.0.2.1:1024", Fingerprint: "SHA256:1", Why: "connected"}
	ended := one
	ended.Why = "quit"
	want := "-  one  192.0.2.1:1024  SHA256:1  connected\none  192.0.2.1:1024  SHA256:1  quit"
	if got := strings.Join(linesOf(t, one, ended), "\n"); got != want {
		t.Errorf("printed\n%s", got)
	}
}

// TestAnOutputThatIsNotReadBlocksNobody: what does not fit is counted.
func TestAnOutputThatIsNotReadBlocksNobody(t *testing.T) {
	l := newConnectionLines(new(bytes.Buffer))
	for range maxReports + 7 {
		l.add(remote.Connection{Trader: "one"})
	}
	if got := l.missed.Load(); got != 7 {
		t.Errorf("%d are missing", got)
	}
}

// TestAFullDiskNeitherPreventsNorEndsServe. After SIGTERM it ends with 0.
func TestAFullDiskNeitherPreventsNorEndsServe(t *testing.T) {
	withServe(t, func(d *servedTest) {
		d.outputFails = syscall.ENOSPC
		d.serveAgain(tradersFile(t))
		one := d.connect(1)
		one.shows("2 open")
		one.close()
		d.after(2 * time.Minute)
		one = d.connect(1)
		one.shows("2 open").close()
		d.running.terminate()
		result := d.running.result().exits(0)
		if !strings.Contains(result.errors, "writing the output: no space left on device") {
			t.Errorf("standard error has %q", result.errors)
		}
		d.outputFails = nil
		d.serveWith(tradersFile(t))
	})
}

// TestASecondSignalEndsServeAtOnce, although a client has not closed its connection.
func TestASecondSignalEndsServeAtOnce(t *testing.T) {
	withServe(t, func(d *servedTest) {
		one := d.connect(1)
		begin := time.Now()
		d.running.terminate()
		d.after(time.Second / 2)
		if !strings.Contains(one.all.String(), "the server stops") {
			t.Error("the client has not got the last words")
		}
		close(d.running.again)
		d.running.result().exits(130)
		if took := time.Since(begin); took != time.Second/2 {
			t.Errorf("it took %s", took)
		}
		one.close()
		d.after(stopGrace)
		d.serveWith(tradersFile(t))
	})
}
