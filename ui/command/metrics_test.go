package command

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"blotter/feed/sim"
)

// listensInMemory lets the next command listen in memory, for this machine only.
func (s *service) listensInMemory() *sim.Listener {
	listener := sim.Listen()
	s.listen = func(_ context.Context, _, address string) (net.Listener, error) {
		s.listensAt = address
		return listener, nil
	}
	return listener
}

// serves lets the next command listen in memory, and returns a function that reads the metrics there.
func (s *service) serves() (scrape func() string) {
	listener := s.listensInMemory()
	client := &http.Client{Transport: &http.Transport{DialContext: listener.DialContext, DisableKeepAlives: true}}
	return func() string {
		s.t.Helper()
		response, err := client.Get("http://127.0.0.1:9464/metrics")
		if err != nil {
			return err.Error()
		}
		defer response.Body.Close()
		text, err := io.ReadAll(response.Body)
		if err != nil || response.StatusCode != http.StatusOK {
			s.t.Fatalf("%d %v", response.StatusCode, err)
		}
		return string(text)
	}
}

func (s *service) shows(text string, lines ...string) {
	s.t.Helper()
	for _, line := range lines {
		if !strings.Contains("\n"+text, "\n"+line+"\n") {
			s.t.Errorf("there is no %s in\n%s", line, text)
		}
	}
}

func TestMetricsOfFollow(t *testing.T) {
	withService(t, func(s *service) {
		scrape := s.serves()
		s.Put(first, second)
		run := s.start("positions", "-o", "ndjson", "--follow", "--metrics-listen", ":9464")
		s.after(2 * time.Second)
		text := scrape()
		s.shows(text, "blotter_rows 2", "blotter_corrections_total 0",
			`blotter_subscription_freshness{freshness="LIVE",market="",party=""} 1`,
			`blotter_subscription_snapshot_rows{market="",party=""} 2`,
			`blotter_subscription_tries_total{market="",party=""} 1`)
		_, received, _ := strings.Cut(text, "\n"+`blotter_subscription_last_received_seconds{market="",party=""} `)
		received, _, _ = strings.Cut(received, "\n")
		if ago, err := strconv.ParseFloat(received, 64); err != nil || ago < 0.5 || ago > 1 { // an audit, after a second
			t.Errorf("the service has sent something %q seconds ago", received)
		}
		if s.listensAt != "127.0.0.1:9464" {
			t.Errorf("without a host it listens at %s", s.listensAt)
		}

		s.SetStreamResponse(sim.Always, sim.Response{Status: 503, Body: "down"})
		s.SetMarginResponse(sim.Always, sim.Response{Status: 503, Body: "down"})
		s.Cut()
		s.after(time.Minute)
		s.shows(scrape(), "blotter_rows 2",
			`blotter_subscription_freshness{freshness="STALE",market="",party=""} 1`,
			`blotter_subscription_phase{market="",party="",phase="waiting"} 1`)

		run.interrupt()
		run.result().exits(130)
		if strings.Contains(scrape(), "blotter_rows") {
			t.Error("the metrics are served after the end")
		}
	})
}

func TestMetricsCountCorrections(t *testing.T) {
	withService(t, func(s *service) {
		s.configured("[feed]\naudit_every = '10s'")
		scrape := s.serves()
		s.Put(first)
		run := s.start("positions", "-o", "ndjson", "--follow", "--metrics-listen", ":9464")
		s.after(time.Second)
		s.Put(second) // not sent to any stream
		s.after(5 * time.Minute)
		s.shows(scrape(), "blotter_rows 2", "blotter_corrections_total 1")
		run.interrupt()
		run.result()
	})
}

// TestMetricsRefuseHostsOfOthers: a web page can give its own name the address of this machine.
func TestMetricsRefuseHostsOfOthers(t *testing.T) {
	withService(t, func(s *service) {
		s.configured("[feed]\nmetrics_hosts = ['desk.internal']")
		s.Put(first)
		listener := s.listensInMemory()
		run := s.start("positions", "-o", "ndjson", "--follow", "--metrics-listen", "blotter.test:9464")
		s.after(time.Second)
		client := &http.Client{Transport: &http.Transport{DialContext: listener.DialContext, DisableKeepAlives: true}}
		for host, want := range map[string]int{
			"127.0.0.1:9464": 200, "[::1]:9464": 200, "::1": 200, "[::1]": 200, "10.0.0.7": 200, "localhost": 200, "LOCALHOST:9464": 200,
			"blotter.test:9464": 200, "desk.internal": 200, "Desk.Internal:80": 200,
			"attacker.test:9464": 403, "attacker.test": 403, "localhost.attacker.test:9464": 403, "127.0.0.1.attacker.test": 403, "internal": 403,
		} {
			request, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, "http://metrics.test/metrics", nil)
			if err != nil {
				t.Fatal(err)
			}
			request.Host = host
			response, err := client.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(response.Body)
			response.Body.Close()
			if response.StatusCode != want || err != nil {
				t.Errorf("%s: %d, %v", host, response.StatusCode, err)
			}
			if shown := strings.Contains(string(text), "blotter_rows"); shown != (want == 200) {
				t.Errorf("%s: it gets %s", host, text)
			}
		}
		run.interrupt()
		run.result()
	})
}

// countedListener counts the connections that are open at the same time.
type countedListener struct {
	net.Listener
	open, most atomic.Int64
}

func (l *countedListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	l.most.Store(max(l.most.Load(), l.open.Add(1)))
	return &countedConn{Conn: c, listener: l}, nil
}

type countedConn struct {
	net.Conn
	listener *countedListener
	closed   sync.Once
}

func (c *countedConn) Close() error {
	c.closed.Do(func() { c.listener.open.Add(-1) })
	return c.Conn.Close()
}

// TestHeldConnectionsOfMetrics do not take the descriptors that the streams need, and end by themselves: those that
// send nothing, a part of a header, a part of a body, or that are idle.
func TestHeldConnectionsOfMetrics(t *testing.T) {
	withService(t, func(s *service) {
		s.Put(first)
		memory := sim.Listen()
		counted := &countedListener{Listener: memory}
		s.listen = func(context.Context, string, string) (net.Listener, error) { return counted, nil }
		run := s.start("positions", "-o", "ndjson", "--follow", "--metrics-listen", ":9464")
		s.after(time.Second)
		ctx, stop := context.WithCancel(s.t.Context())
		var dialling sync.WaitGroup
		const get = "GET /metrics HTTP/1.1\r\nHost: localhost\r\n"
		for i := range 600 {
			dialling.Go(func() {
				c, err := memory.DialContext(ctx, "tcp", "localhost:9464")
				if err != nil {
					return
				}
				context.AfterFunc(ctx, func() { c.Close() })
				_, _ = io.WriteString(c, []string{"", get, get + "Content-Length: 9\r\n\r\n1", get + "\r\n"}[i%4])
			})
		}
		s.after(time.Second)
		if most := counted.most.Load(); most != 16 {
			t.Errorf("%d connections are open at the same time", most)
		}
		s.after(20 * time.Minute)
		if open := counted.open.Load(); open != 0 {
			t.Errorf("%d connections are open after 20 minutes", open)
		}
		stop()
		dialling.Wait()
		run.interrupt()
		run.result()
	})
}

func TestErrorsOfMetrics(t *testing.T) {
	withService(t, func(s *service) {
		s.run("positions", "--metrics-listen", ":9464").exits(2).prints("").printsErrors("blotter: --metrics-listen: needs --follow\n")
		follow := []string{"positions", "-o", "ndjson", "--follow", "--metrics-listen"}
		s.run(append(follow, "nowhere")...).exits(2).prints("").
			printsErrors("blotter: --metrics-listen: address nowhere: missing port in address\n")
		address := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 9464}
		s.listen = func(context.Context, string, string) (net.Listener, error) {
			return nil, &net.OpError{Op: "listen", Addr: address, Err: syscall.EADDRINUSE}
		}
		s.run(append(follow, "127.0.0.1:9464")...).exits(2).prints("").
			printsErrors("blotter: --metrics-listen: 127.0.0.1:9464: address already in use\n")
	})
}

// open is a listener that other machines can reach.
type open struct{ net.Listener }

func (open) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4zero, Port: 9464} }

func (open) Accept() (net.Conn, error) { return nil, errors.New("closed") }

func TestWarningOfMetricsForOtherMachines(t *testing.T) {
	withService(t, func(s *service) {
		s.Put(first)
		s.listen = func(context.Context, string, string) (net.Listener, error) { return open{sim.Listen()}, nil }
		run := s.start("positions", "-o", "ndjson", "--follow", "--metrics-listen", "0.0.0.0:9464")
		s.after(time.Second)
		run.interrupt()
		run.result().exits(130).printsErrors("blotter: --metrics-listen: other machines can reach the metrics\n")
	})
}
