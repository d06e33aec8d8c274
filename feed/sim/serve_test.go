package sim_test

import (
	"context"
	"crypto/tls"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"

	"blotter/feed/sim"
)

// TestTLS: a service with TLS has HTTP/2 for clients that want it, and refuses requests without TLS.
func TestTLS(t *testing.T) {
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
		want(t, "response", s.send(margins).read(),
			"HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n[closed]")
		for protocol, usesHTTP2 := range map[string]bool{"HTTP/1.1": false, "HTTP/2.0": true} {
			client := &http.Client{Transport: &http.Transport{
				DialContext: s.DialContext, ForceAttemptHTTP2: usesHTTP2,
				TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, // this test does not check certificates
			}}
			response, err := client.Get("https://sim" + margins)
			if err != nil {
				t.Fatal(err)
			}
			_ = response.Body.Close()
			client.CloseIdleConnections()
			want(t, "protocol", response.Proto+" "+response.Status, protocol+" 200 OK")
		}
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
