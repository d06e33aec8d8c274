package memnet_test

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"blotter/feed/sim/memnet"
)

// connect returns the two ends of a connection that holds four bytes each way.
func connect(t *testing.T) (l *memnet.Listener, client, server net.Conn) {
	t.Helper()
	l = memnet.ListenBuffer(4)
	accepted := make(chan net.Conn)
	go func() {
		conn, err := l.Accept()
		if err != nil {
			t.Errorf("accept: %v", err)
		}
		accepted <- conn
	}()
	client, err := l.DialContext(t.Context(), "tcp", "anywhere:1")
	if err != nil {
		t.Fatalf("dial: %v", err)
	}
	return l, client, <-accepted
}

func TestAFullConnectionMakesItsWriterWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		listener, client, server := connect(t)
		written := make(chan time.Time)
		go func() {
			if n, err := server.Write([]byte("abcdefghij")); n != 10 || err != nil {
				t.Errorf("write: %d, %v", n, err)
			}
			written <- time.Now()
		}()
		began := time.Now()
		time.Sleep(time.Second)
		if unread := listener.Unread(); unread != 4 {
			t.Errorf("Unread returns %d bytes", unread)
		}
		got := make([]byte, 10)
		if _, err := io.ReadFull(client, got); err != nil || string(got) != "abcdefghij" {
			t.Errorf("read %q, %v", got, err)
		}
		if waited := (<-written).Sub(began); waited != time.Second {
			t.Errorf("the writer waited %v", waited)
		}
		if waits := listener.Waits(); waits != 1 {
			t.Errorf("Waits returns %d writes", waits)
		}
	})
}

func TestDeadlines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, client, server := connect(t)
		began := time.Now()
		_ = client.SetReadDeadline(began.Add(time.Second))
		if _, err := client.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) || time.Since(began) != time.Second {
			t.Errorf("read: %v after %v", err, time.Since(began))
		}
		var timeout net.Error
		_ = server.SetWriteDeadline(time.Now().Add(time.Second))
		if n, err := server.Write([]byte("abcdef")); n != 4 || !errors.As(err, &timeout) || !timeout.Timeout() {
			t.Errorf("write: %d, %v", n, err)
		}
		_ = client.SetDeadline(time.Time{})
		if n, err := client.Read(make([]byte, 9)); n != 4 || err != nil {
			t.Errorf("read without a deadline: %d, %v", n, err)
		}
		go func() {
			time.Sleep(time.Minute)
			_ = client.SetReadDeadline(time.Unix(1, 0))
		}()
		if _, err := client.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("read, interrupted by a deadline in the past: %v", err)
		}
	})
}

func TestClosingOneEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, client, server := connect(t)
		_, _ = server.Write([]byte("bye"))
		_ = server.Close()
		if text, err := io.ReadAll(client); string(text) != "bye" || err != nil {
			t.Errorf("read %q, %v", text, err)
		}
		if _, err := client.Write([]byte("x")); !errors.Is(err, syscall.EPIPE) {
			t.Errorf("write to a closed end: %v", err)
		}
		if _, err := server.Read(make([]byte, 1)); !errors.Is(err, net.ErrClosed) {
			t.Errorf("read from the closed end: %v", err)
		}
		if _, err := server.Write([]byte("x")); !errors.Is(err, net.ErrClosed) {
			t.Errorf("write to the closed end: %v", err)
		}
	})
}

func TestKillWakesBothEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, client, server := connect(t)
		_, _ = server.Write([]byte("lost"))
		go func() {
			time.Sleep(time.Second)
			l.Kill()
		}()
		if _, err := server.Read(make([]byte, 1)); !errors.Is(err, syscall.ECONNRESET) {
			t.Errorf("server: %v", err)
		}
		if _, err := client.Read(make([]byte, 1)); !errors.Is(err, syscall.ECONNRESET) {
			t.Errorf("client: %v", err)
		}
		if _, err := l.DialContext(t.Context(), "tcp", ""); !errors.Is(err, syscall.ECONNREFUSED) {
			t.Errorf("dial: %v", err)
		}
	})
}

func TestDialsThatAreNotAccepted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := memnet.Listen()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := l.DialContext(ctx, "tcp", ""); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a dial that is not accepted: %v", err)
		}
		_ = l.Close()
		if _, err := l.DialContext(t.Context(), "tcp", ""); !errors.Is(err, syscall.ECONNREFUSED) {
			t.Errorf("closed: %v", err)
		}
		if _, err := l.Accept(); !errors.Is(err, net.ErrClosed) {
			t.Errorf("accept: %v", err)
		}
	})
}

func TestManyBytesThroughASmallBuffer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, client, server := connect(t)
		sent := strings.Repeat("0123456789", 1000)
		go func() {
			_, _ = io.WriteString(server, sent)
			_ = server.Close()
		}()
		got, err := io.ReadAll(client)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != sent {
			t.Errorf("read %d bytes, not the %d that were written", len(got), len(sent))
		}
	})
}
