//go:build linux

package terminaltest

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"
)

// turns is how often each program reads the million, in turns with curl: the median counts.
const turns = 3

// BenchmarkExport is how long commands take to print 1,000,000 positions, and how long curl takes to read the same
// bytes from the service. It reports the time compared with that of curl, and the time of processors.
func BenchmarkExport(b *testing.B) {
	s := startSimulator(b, 0, "--parties", "2000", "--markets", "500")
	for _, c := range []struct {
		name  string
		flags []string
	}{
		{"csv", []string{"-o", "csv"}}, {"ndjson", []string{"-o", "ndjson"}}, {"json", []string{"-o", "json"}}, {"totals", []string{"--totals"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			besideCurl(b, s, func() (user time.Duration) {
				command := exec.Command(os.Args[0], append([]string{"positions", "--base-url", s.address, "--timeout", "2m"}, c.flags...)...)
				command.Env, command.Stderr = append(os.Environ(), "BLOTTER_TEST_MODE=main", "XDG_CONFIG_HOME="+b.TempDir()), os.Stderr
				pipe, err := command.StdoutPipe()
				if err == nil {
					err = command.Start()
				}
				if err != nil {
					b.Fatal(err)
				}
				if n, err := io.Copy(io.Discard, pipe); n < 100 || err != nil {
					b.Errorf("it prints %d bytes, %v", n, err)
				}
				if err := command.Wait(); err != nil {
					b.Error(err)
				}
				return command.ProcessState.UserTime()
			})
		})
	}
	s.end()
}

// BenchmarkStart is how long it takes from the start of the dashboard until a whole, sorted table of 1,000,000
// positions is on the screen, compared with the time that curl takes to read the same bytes.
func BenchmarkStart(b *testing.B) {
	s := startSimulator(b, 0, "--parties", "2000", "--markets", "500")
	besideCurl(b, s, func() time.Duration {
		d := watchOnTerminal(b, s.address)
		for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
			d.mu.Lock()
			isThere := bytes.Contains(d.screen.Bytes(), []byte(" open")) && d.cursor() != ""
			d.mu.Unlock()
			if isThere {
				break
			}
		}
		return cpuOf(d.b, d.process)
	})
	s.end()
}

// besideCurl reports how long do takes, compared with how long curl takes to read the positions of a service.
func besideCurl(b *testing.B, s *simulator, do func() (processors time.Duration)) {
	if _, err := exec.LookPath("curl"); err != nil {
		b.Skip(err)
	}
	var took, ofCurl, processors []time.Duration
	for range turns {
		began := time.Now()
		curl(b, s.address)
		ofCurl = append(ofCurl, time.Since(began))
		began = time.Now()
		processors = append(processors, do())
		took = append(took, time.Since(began))
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(took).Seconds(), "s")
	b.ReportMetric(median(ofCurl).Seconds(), "curl-s")
	b.ReportMetric(median(took).Seconds()/median(ofCurl).Seconds(), "x-curl")
	b.ReportMetric(median(processors).Seconds(), "processor-s")
}

func median(of []time.Duration) time.Duration {
	slices.Sort(of)
	return of[len(of)/2]
}

// curl reads all positions to their last page, and ends.
func curl(b *testing.B, address string) {
	command := exec.Command("curl", "--silent", "--no-buffer", address+"/api/v2/stream/positions")
	pipe, err := command.StdoutPipe()
	if err == nil {
		err = command.Start()
	}
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = command.Process.Kill(); _ = command.Wait() }()
	const last = `"lastPage":true`
	buffer, kept := make([]byte, 1<<20), 0
	for {
		n, err := pipe.Read(buffer[kept:])
		if bytes.Contains(buffer[:kept+n], []byte(last)) {
			return
		}
		if err != nil {
			b.Fatalf("curl ends before the last page: %v", err)
		}
		end := kept + n
		kept = copy(buffer, buffer[max(0, end-len(last)):end])
	}
}
