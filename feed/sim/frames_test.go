package sim

import (
	"io"
	"testing"

	"blotter/feed/sim/memnet"
)

// A frame of a script never comes inside one of the service, wherever its writes begin and end.
func TestAFrameIsSentBetweenTwoOthers(t *testing.T) {
	const (
		settings = "\x00\x00\x00\x04\x00\x00\x00\x00\x00"
		data     = "\x00\x01\x02\x00\x00\x00\x00\x00\x01" + // DATA of 258 bytes
			"0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789" +
			"0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789" +
			"0123456789012345678901234567890123456789012345678901234567"
		scripted = "\x00\x00\x02\x42\x00\x00\x00\x00\x00hi"
	)
	for split := range len(settings + data) {
		want := settings + data + scripted
		if split == len(settings) {
			want = settings + scripted + data
		}
		if got := spliced(t, (settings + data)[:split], (settings + data)[split:]); got != want {
			t.Errorf("after %d bytes:\n got %q\nwant %q", split, got, want)
		}
	}
}

// spliced returns what a client reads of two writes of the service, with a frame of a script sent between them.
func spliced(t *testing.T, first, second string) string {
	t.Helper()
	n := New(Config{})
	l := memnet.Listen()
	accepted := make(chan *connection)
	go func() {
		conn, _ := connectionListener{l, &n.connections}.Accept()
		accepted <- conn.(*connection)
	}()
	client, err := l.DialContext(t.Context(), "tcp", "sim:443")
	if err != nil {
		t.Fatal(err)
	}
	server := <-accepted
	server.http2 = true
	_, _ = io.WriteString(server, first)
	if sent := n.SendFrame(0x42, "hi"); sent != 1 {
		t.Errorf("sent to %d connections", sent)
	}
	_, _ = io.WriteString(server, second)
	_ = server.Close()
	got, err := io.ReadAll(client)
	if err != nil {
		t.Error(err)
	}
	return string(got)
}
