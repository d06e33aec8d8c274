package sim_test

import (
	"context"
	"crypto/tls"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"blotter/feed/sim"
)

// secure runs a test with a service that uses TLS, and HTTP/2 if the client supports it.
func secure(t *testing.T, test func(t *testing.T, s *service)) {
	t.Helper()
	certificate, _, err := sim.Certificate("localhost")
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		s := &service{sim.New(sim.Config{}), sim.Listen(), t}
		ctx, stop := context.WithCancel(t.Context())
		var serving sync.WaitGroup
		defer serving.Wait()
		defer stop()
		config := &tls.Config{Certificates: []tls.Certificate{certificate}, NextProtos: []string{"h2", "http/1.1"}}
		serving.Go(func() {
			if err := s.Serve(ctx, tls.NewListener(s.Listener, config)); err != nil {
				t.Errorf("Serve: %v", err)
			}
		})
		test(t, s)
	})
}

// secured connects with TLS.
func (s *service) secured(protocol string) *rawResponse {
	s.t.Helper()
	conn, err := s.DialContext(s.t.Context(), "tcp", "sim:443")
	if err != nil {
		s.t.Fatal(err)
	}
	// These tests do not check certificates.
	secured := tls.Client(conn, &tls.Config{InsecureSkipVerify: true, NextProtos: []string{protocol}})
	if err := secured.HandshakeContext(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = secured.Close() })
	return &rawResponse{s.t, secured}
}

// frame is an HTTP/2 frame.
func frame(kind, flags byte, stream uint32, payload string) string {
	head := binary.BigEndian.AppendUint32(nil, uint32(len(payload)))[1:]
	return string(binary.BigEndian.AppendUint32(append(head, kind, flags), stream)) + payload
}

// frames returns the frames that came, each as type, stream and payload.
func (a *rawResponse) frames() (frames []string) {
	a.t.Helper()
	synctest.Wait()
	_ = a.conn.SetReadDeadline(time.Now().Add(time.Second))
	for {
		head := make([]byte, 9)
		if _, err := io.ReadFull(a.conn, head); err != nil {
			_ = a.conn.SetReadDeadline(time.Time{})
			return frames
		}
		payload := make([]byte, int(head[0])<<16|int(head[1])<<8|int(head[2]))
		if _, err := io.ReadFull(a.conn, payload); err != nil {
			a.t.Fatal(err)
		}
		frames = append(frames, fmt.Sprintf("%d %d %q", head[3], binary.BigEndian.Uint32(head[5:]), payload))
	}
}

func TestFramesBetweenThoseOfTheService(t *testing.T) {
	secure(t, func(t *testing.T, s *service) {
		client := s.secured("h2")
		get := func(stream uint32) string {
			return frame(1, 5, stream, "\x82\x87\x84\x01\x09localhost") // HEADERS: GET https://localhost/
		}
		_, _ = io.WriteString(client.conn, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"+frame(4, 0, 0, "")+get(1))
		client.frames()
		if n := s.SendFrame(0x42, "unknown"); n != 1 {
			t.Errorf("the frame went to %d connections", n)
		}
		want(t, "the frame", strings.Join(client.frames(), "\n"), `66 0 "unknown"`)
		_, _ = io.WriteString(client.conn, get(3))
		got := strings.Join(client.frames(), "\n")
		if !strings.Contains(got, `0 3 "{\"code\":5,\"message\":\"Not Found\",\"details\":[]}"`) {
			t.Errorf("a request after the frame: %s", got)
		}
		if n := s.SendUnsolicited("HTTP/1.1 200 OK\r\n\r\n"); n != 0 {
			t.Errorf("the HTTP/1 response went to %d connections", n)
		}
	})
}

func TestUnsolicitedResponses(t *testing.T) {
	secure(t, func(t *testing.T, s *service) {
		idle, busy, fresh := s.secured("http/1.1"), s.secured("http/1.1"), s.secured("http/1.1")
		_, _ = io.WriteString(idle.conn, "GET "+margins+" HTTP/1.1\r\nHost: sim\r\n\r\n")
		_, _ = io.WriteString(busy.conn, "GET "+streams+" HTTP/1.1\r\nHost: sim\r\n\r\n")
		if !strings.HasPrefix(idle.read(), "HTTP/1.1 200 OK") || !strings.HasPrefix(busy.read(), "HTTP/1.1 200 OK") {
			t.Error("no response")
		}
		const unsolicited = "HTTP/1.1 408 Request Timeout\r\n\r\n"
		if n := s.SendUnsolicited(unsolicited); n != 1 {
			t.Errorf("it went to %d connections", n)
		}
		want(t, "idle", idle.read(), unsolicited)
		want(t, "busy", busy.read(), "")
		want(t, "fresh", fresh.read(), "")
		if n := s.SendFrame(0x42, ""); n != 0 {
			t.Errorf("the HTTP/2 frame went to %d connections", n)
		}
	})
}

func TestPlainHTTPToATLSPort(t *testing.T) {
	secure(t, func(t *testing.T, s *service) {
		want(t, "response", s.send(margins).read(),
			"HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n[closed]")
	})
}

func TestTrailers(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		scripted := sim.Response{Status: 503, Body: "busy", Trailer: map[string][]string{"X-Echo": {"Bearer secret"}}}
		for path, schedule := range map[string]func(int, sim.Response){streams: s.SetStreamResponse, margins: s.SetMarginResponse} {
			schedule(1, scripted)
			response, body := s.get(path)
			want(t, path, response.Status+" "+body+" "+response.Trailer.Get("X-Echo"), "503 Service Unavailable busy Bearer secret")
		}
	})
}

// A client that does not read does not delay other frames.
func TestFramesToAClientThatDoesNotRead(t *testing.T) {
	bubbleOn(t, sim.Config{}, tiny, func(t *testing.T, s *service) {
		stall(s)
		synctest.Wait()
		if n := s.SendUnsolicited("HTTP/1.1 200 OK\r\n\r\n"); n != 0 {
			t.Errorf("it went to %d connections", n)
		}
	})
}
