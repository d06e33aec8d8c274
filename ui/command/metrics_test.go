package command

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"blotter/feed/sim"
)

// serves lets the next command listen in memory, and returns a function that reads the metrics there.
func (s *service) serves() (scrape func() string) {
	listener := sim.Listen()
	s.listen = func(_ context.Context, _, address string) (net.Listener, error) {
		s.listensAt = address
		return listener, nil
	}
	client := &http.Client{Transport: &http.Transport{DialContext: listener.DialContext, DisableKeepAlives: true}}
	return func() string {
		s.t.Helper()
		response, err := client.Get("http://metrics.test/metrics")
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
		s.shows(scrape(), "blotter_rows 2", "blotter_corrections_total 0",
			`blotter_subscription_freshness{freshness="LIVE",market="",party=""} 1`,
			`blotter_subscription_snapshot_rows{market="",party=""} 2`,
			`blotter_subscription_last_word_seconds{market="",party=""} 2`,
			`blotter_subscription_tries_total{market="",party=""} 1`)
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
		if text := scrape(); strings.Contains(text, "blotter_rows") {
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
