package feed

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"blotter/model"
)

// TestRedirectsGetTheTokenAtOwnHostsAlone has the service redirect to a host that is named in the configuration,
// and to one that is not.
func TestRedirectsGetTheTokenAtOwnHostsAlone(t *testing.T) {
	for _, own := range []bool{true, false} {
		target := recording(t, httptest.NewServer, nil)
		first := recording(t, httptest.NewServer, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, otherName(target.URL)+r.URL.String(), http.StatusTemporaryRedirect)
		})
		bases := []string{first.URL}
		if own {
			bases = append(bases, otherName(target.URL))
		}
		if err := askOnce(t, withToken(bases...)); err != nil {
			t.Fatal(err)
		}
		got := target.all()[0]
		if has := got.Header.Get("Authorization") != "" && got.Header.Get("X-Desk") != ""; has != own {
			t.Errorf("own host %t: the redirected request has %q", own, got.Header)
		}
		if got.Header.Get("Accept") != "application/json" || got.Header.Get("Referer") != "" {
			t.Errorf("the redirected request has %q", got.Header)
		}
	}
}

func TestTokenIsNotSentInClear(t *testing.T) {
	var log bytes.Buffer
	for _, c := range []struct {
		base     string
		insecure bool
		sent     bool
	}{
		{"http://127.0.0.1", false, true}, {"http://localhost", false, true}, {"http://[::1]", false, true},
		{"http://desk.test", false, false}, {"http://192.0.2.7", false, false}, {"http://127.0.0.1.desk.test", false, false},
		{"http://localhost.desk.test", false, false}, {"http://desk.test", true, true},
	} {
		asked := false
		config := withToken(c.base)
		config.InsecureToken = c.insecure
		config.Logger = slog.New(slog.NewTextHandler(&log, nil))
		config.Dial = func(context.Context, string, string) (net.Conn, error) {
			asked = true
			return nil, errors.New("nobody there")
		}
		err := askOnce(t, config)
		if asked != c.sent || err == nil {
			t.Errorf("%s: asked %t, want %t: %v", c.base, asked, c.sent, err)
		}
		if status, ok := errors.AsType[*StatusError](err); ok == c.sent || ok && (status.Retryable() || !strings.Contains(err.Error(), "https://")) {
			t.Errorf("%s: %v", c.base, err)
		}
	}
}

// TestTokenIsNeverTold has everything go wrong that can, with the token in the request.
func TestTokenIsNeverTold(t *testing.T) {
	var mu sync.Mutex
	var said bytes.Buffer
	refuse := func(status int) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(status) }
	}
	for _, answer := range []http.HandlerFunc{
		refuse(401), refuse(500), refuse(302),
		func(w http.ResponseWriter, r *http.Request) { panic(http.ErrAbortHandler) },
		func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write([]byte("<html>")) },
	} {
		service := recording(t, httptest.NewServer, answer)
		config := withToken(service.URL)
		config.Logger = slog.New(slog.NewTextHandler(lockedWriter{&mu, &said}, &slog.HandlerOptions{Level: slog.LevelDebug}))
		f, err := New(config)
		if err != nil {
			t.Fatal(err)
		}
		f.Watch(model.Scope{}.Subscriptions(nil, 1))
		_, err = f.Margins(t.Context(), model.PageRequest{Size: 1})
		for problem := (*model.Problem)(nil); problem == nil; {
			delta, nextErr := f.Next(t.Context(), false)
			if nextErr != nil {
				t.Fatal(nextErr)
			}
			if problem = delta.Links[0].Problem; problem != nil {
				mu.Lock()
				said.WriteString(problem.Words + err.Error())
				mu.Unlock()
			}
		}
		f.Close()
	}
	if mu.Lock(); strings.Contains(said.String(), secret) || said.Len() == 0 {
		t.Errorf("it was said: %s", &said)
	}
	mu.Unlock()
}

type lockedWriter struct {
	*sync.Mutex
	*bytes.Buffer
}

func (w lockedWriter) Write(p []byte) (int, error) {
	w.Lock()
	defer w.Unlock()
	return w.Buffer.Write(p)
}

func TestTokenThatCannotBeHad(t *testing.T) {
	service := recording(t, httptest.NewServer, nil)
	config := withToken(service.URL)
	config.Token = func(context.Context) (string, error) { return "", errors.New("the vault is shut") }
	if err := askOnce(t, config); err == nil || !strings.Contains(err.Error(), "getting the token: the vault is shut") || len(service.all()) != 0 {
		t.Errorf("%v, and %d requests", err, len(service.all()))
	}
	config.Token = func(context.Context) (string, error) { return secret + "\nX-Evil: 1", nil }
	if err := askOnce(t, config); err == nil || strings.Contains(err.Error(), secret) || len(service.all()) != 0 {
		t.Errorf("%v, and %d requests", err, len(service.all()))
	}
}
