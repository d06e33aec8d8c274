package command

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"blotter/feed/sim"
)

// TestTokenIsNeverShown: whatever a service sends, also the headers of the request.
func TestTokenIsNeverShown(t *testing.T) {
	const token = "s3cret-0123456789/abcdef+"
	echo := "you sent Authorization: Bearer " + token
	quoted := fmt.Sprintf("%q", echo)
	responses := map[string]sim.Response{
		"401":           {Status: 401, Body: `{"code":16,"message":` + quoted + `,"details":[{"inner":` + quoted + `}]}`},
		"403":           {Status: 403, Body: echo},
		"escaped":       {Status: 400, Body: `{"error":{"message":` + strings.ReplaceAll(quoted, "/", `\/`) + `}}`},
		"404 far right": {Status: 404, Body: strings.Repeat("x", 170) + echo},
		"429":           {Status: 429, Body: echo, Header: http.Header{"Retry-After": {"5"}}},
		"500":           {Status: 500, Body: echo},
		"redirect":      {Status: 302, Header: http.Header{"Location": {"http://elsewhere.test/?was=" + token}}},
		"error":         {Status: 200, Body: `{"error":{"code":13,"message":` + quoted + `}}`},
		"no JSON":       {Status: 200, Body: echo},
		"odd place":     {Status: 200, Body: `{"result":{"snapshot":{"positions":[{` + quoted + `:1,` + quoted + `:2}]}}}`},
		"odd encoding":  {Status: 200, Header: http.Header{"Content-Encoding": {echo}}},
		"cut":           {Status: 200, Body: `{"result":{"snapshot":{"positions":[{"partyId":` + quoted, Cut: true},
	}
	for name, response := range responses {
		for _, line := range []string{"positions", "margins", "doctor", "positions -o ndjson --follow"} {
			withService(t, func(s *service) {
				s.environment["BLOTTER_TOKEN"] = token
				s.environment["BLOTTER_BASE_URL"] = "http://127.0.0.1"
				s.SetStreamResponse(sim.Always, response)
				s.SetMarginResponse(sim.Always, response)
				log := filepath.Join(t.TempDir(), "log")
				following := s.start(append(strings.Fields(line), "--log-file", log)...)
				s.after(time.Minute)
				following.interrupt()
				got := following.result()
				text, err := os.ReadFile(log)
				if err != nil {
					t.Fatal(err)
				}
				for where, text := range map[string]string{"output": got.output, "errors": got.errors, "log": string(text)} {
					if leaks(text, token) {
						t.Errorf("%s, response %s, has the token in its %s: %s", line, name, where, text)
					}
				}
				if sent := s.Requests(); len(sent) == 0 || sent[0].Header.Get("Authorization") != "Bearer "+token {
					t.Errorf("%s never sent the token: %v", line, sent)
				}
			})
		}
		desks := twoDesks()
		desks.feed.Token = func(context.Context) (string, error) { return token, nil }
		desks.feed.InsecureToken = true
		desks.run(t, func(s *dashboardTest) {
			s.Node.Update(btc, eth)
			s.AwaitUpdates()
			s.Node.SetStreamResponse(sim.Always, response)
			s.Node.SetMarginResponse(sim.Always, response)
			s.Node.Cut()
			for range 2 {
				s.After(5*time.Second).Press("r", "tab")
				if leaks(s.Screen(), token) {
					t.Errorf("the dashboard, response %s, shows the token:\n%s", name, s.Screen())
				}
			}
			s.Press("i")
			if leaks(s.Screen(), token) {
				t.Errorf("the subscriptions, response %s, show the token:\n%s", name, s.Screen())
			}
		})
	}
}

// leaks reports whether the text has the token, or enough of it to guess it, as it is or in an address.
func leaks(text, token string) bool {
	for _, part := range []string{token[:8], url.QueryEscape(token)[:8], token[len(token)-8:]} {
		if strings.Contains(text, part) {
			return true
		}
	}
	return false
}
