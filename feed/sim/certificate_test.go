package sim_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"

	"blotter/feed/sim"
)

func TestServingWithASelfSignedCertificate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		certificate, text, err := sim.Certificate("localhost", "127.0.0.1")
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		l := sim.Listen()
		var serving sync.WaitGroup
		defer serving.Wait()
		defer stop()
		serving.Go(func() {
			if err := sim.New(sim.Config{}).Serve(ctx, tls.NewListener(l, &tls.Config{Certificates: []tls.Certificate{certificate}})); err != nil {
				t.Errorf("Serve: %v", err)
			}
		})
		trusted := x509.NewCertPool()
		if !trusted.AppendCertsFromPEM(text) {
			t.Fatalf("not a certificate: %s", text)
		}
		transport := &http.Transport{DialContext: l.DialContext, TLSClientConfig: &tls.Config{RootCAs: trusted}}
		defer transport.CloseIdleConnections()
		for _, host := range []string{"localhost", "127.0.0.1"} {
			response, err := (&http.Client{Transport: transport}).Get("https://" + host + margins)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.ReadAll(response.Body); err != nil || response.StatusCode != http.StatusOK {
				t.Errorf("%s: %s, %v", host, response.Status, err)
			}
		}
		if _, err := (&http.Client{Transport: transport}).Get("https://elsewhere" + margins); err == nil {
			t.Error("the certificate is accepted for any host")
		}
	})
}
