package doctor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"blotter/feed/endpoint"
	"blotter/feed/feedtest"
	"blotter/feed/sim"
	"blotter/model"
)

// scene is a doctor and simulated services, in fake time. Host names choose the service: http://one.test is
// the first one.
type scene struct {
	*testing.T
	*sim.Node // the first service
	nodes     []*sim.Node
	network   feedtest.Network
	listeners []*sim.Listener
	config    endpoint.Config
	scope     model.Scope
	silence   time.Duration
	before    func(next http.Handler) http.Handler // gets the requests before the services
	lines     []string                             // what the doctor reported
}

var hosts = []string{"one.test", "two.test"}

// play runs a scene with the given number of services.
func play(t *testing.T, services int, run func(*scene)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := &scene{T: t, silence: time.Minute}
		var served sync.WaitGroup
		defer served.Wait()
		for i := range services {
			node, listener := sim.New(sim.Config{}), s.network.Listen(hosts[i])
			s.nodes, s.listeners = append(s.nodes, node), append(s.listeners, listener)
			s.config.BaseURLs = append(s.config.BaseURLs, "http://"+hosts[i])
			server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if s.before != nil {
					s.before(node).ServeHTTP(w, r)
					return
				}
				node.ServeHTTP(w, r)
			})}
			defer server.Close()
			served.Go(func() { _ = server.Serve(listener) })
		}
		s.Node = s.nodes[0]
		s.config.Dial = s.network.Dial
		run(s)
	})
}

// fill puts positions in one market into the first service, each of another party.
func (s *scene) fill(positions int) {
	for i := range positions {
		s.Put(sim.Position{Party: fmt.Sprintf("a%d", i), Market: "b1", OpenVolume: 5})
	}
}

// examine examines everything within 14 s, and keeps the findings as lines: "ok", "warn" or "FAIL", what was checked,
// what was found and what to do.
func (s *scene) examine() error {
	s.Helper()
	pool, err := endpoint.New(s.config)
	if err != nil {
		s.Fatal(err)
	}
	defer pool.Close()
	ctx, cancel := context.WithTimeout(s.Context(), 14*time.Second)
	defer cancel()
	s.lines = nil
	d := Doctor{Pool: pool, SnapshotSilence: s.silence, Report: s.take}
	began := time.Now()
	err = d.Examine(ctx, s.scope.Subscriptions(nil, 0))
	if took := time.Since(began); took > 14*time.Second {
		s.Errorf("it took %s", took)
	}
	return err
}

func (s *scene) take(f Finding) {
	mark, of, advice := "ok", "", ""
	switch {
	case f.Err != nil:
		mark = "FAIL"
	case f.Advice != "":
		mark = "warn"
	}
	if f.Of != (model.Key{}) {
		of = f.Of.Party.String() + f.Of.Market.String() + ": "
	}
	if f.Advice != "" {
		advice = "; " + f.Advice
	}
	s.lines = append(s.lines, mark+" "+f.About+" "+of+f.Detail+advice)
}

// reports asserts all findings.
func (s *scene) reports(want ...string) {
	s.Helper()
	if !slices.Equal(s.lines, want) {
		s.Errorf("the findings are\n%s\nwant\n%s", strings.Join(s.lines, "\n"), strings.Join(want, "\n"))
	}
}

// about returns the lines about something.
func (s *scene) about(what string) (lines []string) {
	for _, line := range s.lines {
		if _, after, _ := strings.Cut(line, " "); strings.HasPrefix(after, what+" ") {
			lines = append(lines, line)
		}
	}
	return lines
}

func TestServiceThatWorks(t *testing.T) {
	play(t, 1, func(s *scene) {
		s.fill(120)
		s.PutMargins(sim.MarginLevels{Party: "a1", Market: "b1", Asset: "c1", Maintenance: "1", Search: "1", Initial: "1", Release: "1"})
		time.Sleep(90 * time.Second)
		if err := s.examine(); err != nil {
			t.Error(err)
		}
		s.reports(
			"ok address http://one.test",
			"ok connection to 127.0.0.1:80, after 0s",
			"ok TLS not encrypted",
			"ok credentials none were sent, and none were required",
			"ok margin levels response after 0s, with a record",
			s.about("node")[0],
			"ok positions 120, complete after 0s",
			"ok clock the service's clock agrees with this machine's",
			"ok times updatedAt in nanoseconds; timestamp in nanoseconds",
		)
	})
}

// rewriter changes what a service sends.
type rewriter struct {
	http.ResponseWriter
	rewrite func([]byte) []byte
}

func (w rewriter) Write(b []byte) (int, error) {
	_, err := w.ResponseWriter.Write(w.rewrite(b))
	return len(b), err
}

func (w rewriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w rewriter) Flush() { _ = http.NewResponseController(w.ResponseWriter).Flush() }

// TestTheUnitsOfTimes are named, and a time that is not understood is shown.
func TestTheUnitsOfTimes(t *testing.T) {
	for written, want := range map[string]string{
		"${1}":       "ok times updatedAt in seconds; timestamp in seconds",
		"${1}702":    "ok times updatedAt in milliseconds; timestamp in milliseconds",
		"${1}000001": "ok times updatedAt in microseconds; timestamp in microseconds",
		"2026-11-27T10:00Z": "warn times updatedAt \"2026-11-27T10:00Z\" is not understood; timestamp \"2026-11-27T10:00Z\" is not understood; " +
			"rows with such a time have no age; seconds, milliseconds, microseconds, nanoseconds and RFC 3339 are understood, from 1990 to 2099",
		"2026-11-27T10:00:00+01:00": "ok times updatedAt in RFC 3339; timestamp in RFC 3339",
	} {
		play(t, 1, func(s *scene) {
			s.fill(3)
			s.PutMargins(sim.MarginLevels{Party: "a1", Market: "b1", Asset: "c1", Maintenance: "1", Search: "1", Initial: "1", Release: "1"})
			nanoseconds := regexp.MustCompile(`("updatedAt":"|"timestamp":")(\d+)\d{9}"`)
			s.before = func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					next.ServeHTTP(rewriter{w, func(b []byte) []byte {
						return nanoseconds.ReplaceAll(b, []byte("${1}"+strings.Replace(written, "${1}", "${2}", 1)+`"`))
					}}, r)
				})
			}
			if err := s.examine(); err != nil {
				t.Error(err)
			}
			if got := s.about("times"); !slices.Equal(got, []string{want}) {
				t.Errorf("%s: %q, want %s", written, got, want)
			}
		})
	}
}

func TestNodeThatIsBehind(t *testing.T) {
	play(t, 1, func(s *scene) {
		time.Sleep(time.Hour)
		s.Lag(10 * time.Minute)
		err := s.examine()
		node := s.about("node")
		if err != nil || len(node) != 1 || !strings.HasPrefix(node[0], "warn node its block ") ||
			!strings.HasSuffix(node[0], " is 10m0s old by this machine's clock; the node is behind, and so is all that it sends: ask its operator") {
			t.Errorf("the findings are %q, and the error is %v", node, err)
		}
	})
}

// TestTokenOnThisMachine: if the service is on this machine, the token is sent without TLS.
func TestTokenOnThisMachine(t *testing.T) {
	play(t, 1, func(s *scene) {
		s.config.BaseURLs = []string{"http://127.0.0.1"}
		s.config.Token = func(context.Context) (string, error) { return "a-secret-token", nil }
		s.SetMarginResponse(1, sim.Response{Status: 401, Body: `{"code":16,"message":"a-secret-token has expired"}`})
		err := s.examine()
		if endpoint.OutcomeOf(err) != endpoint.Denied {
			t.Errorf("the error is %v", err)
		}
		s.reports(
			"ok address http://127.0.0.1",
			"ok connection to 127.0.0.1:80, after 0s",
			"ok TLS not encrypted, and need not be: the service is on this machine",
			"FAIL credentials the service responded with 401: [token] has expired; check the token: $BLOTTER_TOKEN, service.token_file or service.token_command",
		)
		if err := s.examine(); err != nil || s.about("credentials")[0] != "ok credentials the token was sent and accepted" {
			t.Errorf("the findings are %q, and the error is %v", s.lines, err)
		}
	})
}

func TestTokenIsNotSentInClear(t *testing.T) {
	play(t, 1, func(s *scene) {
		s.config.Token = func(context.Context) (string, error) { return "secret", nil }
		if err := s.examine(); !errors.Is(err, endpoint.ErrTokenInClear) {
			t.Errorf("the error is %v", err)
		}
		if sent := s.Requests(); len(sent) > 0 {
			t.Errorf("%v was sent", sent)
		}
	})
}

// TestWhatIsWrong: a line has what is wrong and what to do.
func TestWhatIsWrong(t *testing.T) {
	const notAService = "; check the network, and that the address is that of a trading data service"
	for name, c := range map[string]struct {
		arrange func(*scene)
		outcome endpoint.Outcome
		line    string
	}{
		"wrong port": {func(s *scene) { s.listeners[0].Kill() }, endpoint.NoResponse,
			"FAIL connection connection refused: nothing listens there; check the host and port, and that the service runs"},
		"no such name": {func(s *scene) {
			s.config.Dial = func(context.Context, string, string) (net.Conn, error) {
				return nil, &net.DNSError{Err: "no such host", Name: "one.test", IsNotFound: true}
			}
		}, endpoint.NoResponse, `FAIL name there is no host "one.test"; check the spelling of the host, and the name servers of this machine`},
		"no connection": {func(s *scene) {
			s.config.Dial = func(ctx context.Context, _, _ string) (net.Conn, error) { <-ctx.Done(); return nil, ctx.Err() }
		}, endpoint.NoResponse, "FAIL connection no connection in time; check the host and port, and the network"},
		"wrong path": {func(s *scene) { s.config.BaseURLs[0] += "/wrong" }, endpoint.Refused,
			"FAIL positions the service responded with 404: Not Found; check the path of the address: the service has no such operation below it"},
		"ban": {func(s *scene) {
			s.SetMarginResponse(1, sim.Response{Status: 403, Body: `{"message":"banned"}`, Header: http.Header{"Ratelimit-Retry-After": {"600"}}})
		}, endpoint.Limited, "FAIL margin levels the service responded with 403: banned; wait 10m0s: the service allows no request before that"},
		"HTML": {func(s *scene) {
			s.SetMarginResponse(1, sim.Response{Status: 200, Body: "<html>Hello</html>"})
			s.SetStreamResponse(1, sim.Response{Status: 200, Body: "<html>Hello</html>"})
		}, endpoint.NoResponse, `FAIL positions the response is HTML, not JSON: "Hello"` + notAService},
		"nothing responds": {func(s *scene) { s.Silence() }, endpoint.NoResponse,
			"FAIL positions no complete snapshot in time: 0 positions came; give it more time, or ask the operator of the service"},
		"no positions": {func(s *scene) { s.SetStreamResponse(1, sim.Response{Status: 400, Body: "nothing"}) }, endpoint.BadRequest,
			"FAIL positions the service responded with 400: nothing; check the party and the market: a text that is not a name in the configuration is sent as an identifier"},
		"fault": {func(s *scene) { s.SetStreamResponse(1, sim.Response{Status: 500, Body: "broken"}) }, endpoint.Fault,
			"FAIL positions the service responded with 500: broken; the service has a fault of its own: ask the operator of the service"},
		"page of a proxy": {func(s *scene) {
			s.SetStreamResponse(1, sim.Response{Status: 503, Header: http.Header{"Content-Type": {"text/html"}},
				Body: "<html>\r\n<head><title>503 Service Temporarily\r\nUnavailable</title></head>\r\n<body><hr>nginx</body></html>"})
		}, endpoint.Fault, "FAIL positions the service responded with 503: 503 Service Temporarily Unavailable; " +
			"the service has a fault of its own: ask the operator of the service"},
		"error in the stream": {func(s *scene) {
			s.SetStreamResponse(1, sim.Response{Status: 200, Body: `{"error":{"message":"too many subscribers"}}`})
		}, endpoint.NoResponse, "FAIL positions the service ended the stream: too many subscribers; ask the operator of the service"},
		"no snapshot": {func(s *scene) {
			s.silence = 10 * time.Second
			s.SetStreamResponse(1, sim.Response{})
		}, endpoint.NoResponse, "FAIL positions the service sends no snapshot; ask the operator of the service; a proxy that buffers responses delays a small snapshot too (nginx: proxy_buffering off)"},
		"white space": {func(s *scene) {
			s.silence = 10 * time.Second
			s.SetStreamResponse(1, sim.Response{Status: 200, Body: " \n{}", Every: 2 * time.Second})
		}, endpoint.NoResponse, "FAIL positions the service sends no snapshot; ask the operator of the service"},
		"half a message": {func(s *scene) {
			s.silence = 10 * time.Second
			s.SetStreamResponse(1, sim.Response{Status: 200, Body: `{"result":`, Open: true})
		}, endpoint.NoResponse, "FAIL positions the snapshot stopped in the middle of its first message; ask the operator of the service; a proxy that buffers responses delays a small snapshot too (nginx: proxy_buffering off)"},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, 1, func(s *scene) {
				c.arrange(s)
				err := s.examine()
				if got := endpoint.OutcomeOf(err); got != c.outcome {
					t.Errorf("the outcome is %v: %v", got, err)
				}
				if !slices.Contains(s.lines, c.line) {
					t.Errorf("the findings are\n%s\nwithout\n%s", strings.Join(s.lines, "\n"), c.line)
				}
				s.EndSilence()
				s.Release()
			})
		})
	}
}

// TestStreamDuringABan: a service that allows no pages still opens streams, so the doctor reports them too.
func TestStreamDuringABan(t *testing.T) {
	play(t, 1, func(s *scene) {
		s.fill(3)
		s.SetMarginResponse(1, sim.Response{Status: 403, Body: `{"message":"banned"}`, Header: http.Header{"Ratelimit-Retry-After": {"600"}}})
		err := s.examine()
		if degraded, ok := errors.AsType[*DegradedError](err); !ok || degraded.Words != "positions work, margin levels do not" {
			t.Errorf("the error is %v", err)
		}
		if got := s.about("positions"); !slices.Equal(got, []string{"ok positions 3, complete after 0s"}) || len(s.Requests()) != 2 {
			t.Errorf("%d requests; the findings are %q", len(s.Requests()), got)
		}
	})
}

// TestOnlyALastPageCompletesASnapshot: updates that come before it do not.
func TestOnlyALastPageCompletesASnapshot(t *testing.T) {
	page := `{"result":{"snapshot":{"positions":[{"marketId":"b1","partyId":"a1","openVolume":"5"}]}}}` + "\n"
	last := `{"result":{"snapshot":{"positions":[{"marketId":"b2","partyId":"a1","openVolume":"5"}],"lastPage":true}}}` + "\n"
	for _, c := range []struct{ update, end, want string }{
		{`[{"marketId":"b3","partyId":"a1","openVolume":"5"}]`, last, "ok positions 2, complete after 0s"},
		{`[{"marketId":"b3","partyId":"a1","openVolume":"5"}]`, "",
			"FAIL positions the snapshot has no last page: updates came after 1 position; ask the operator of the service"},
		{`[]`, "", "FAIL positions the snapshot has no last page: updates came after 1 position; ask the operator of the service"},
	} {
		play(t, 1, func(s *scene) {
			s.SetStreamResponse(1, sim.Response{Status: 200, Body: page + `{"result":{"updates":{"positions":` + c.update + `}}}` + "\n" + c.end, Open: true})
			if err := s.examine(); (err == nil) != (c.end != "") || !slices.Equal(s.about("positions"), []string{c.want}) {
				t.Errorf("the findings are %q, and the error is %v", s.about("positions"), err)
			}
		})
	}
}

func TestSnapshotThatStops(t *testing.T) {
	play(t, 1, func(s *scene) {
		s.fill(120)
		s.HoldSnapshot(1)
		defer s.Release()
		for silence, want := range map[time.Duration]string{
			5 * time.Second: "FAIL positions the snapshot stopped after 50 positions; ask the operator of the service",
			time.Minute:     "FAIL positions no complete snapshot in time: 50 positions came; give it more time, or ask the operator of the service",
		} {
			s.silence = silence
			err := s.examine()
			if got := s.about("positions"); err == nil || !slices.Equal(got, []string{want}) {
				t.Errorf("the findings are %q, and the error is %v", got, err)
			}
		}
	})
}

func TestPositionsAloneWork(t *testing.T) {
	play(t, 1, func(s *scene) {
		s.fill(1)
		for _, c := range []struct {
			response sim.Response
			outcome  endpoint.Outcome
		}{
			{sim.Response{Status: 404, Body: "nothing"}, endpoint.Refused},
			{sim.Response{Status: 500, Body: "broken"}, endpoint.Fault},
			{sim.Response{Status: 200, Body: "[]"}, endpoint.NoResponse},
			{sim.Response{}, endpoint.NoResponse}, // no response
		} {
			s.SetMarginResponse(1, c.response)
			err := s.examine()
			degraded, ok := errors.AsType[*DegradedError](err)
			if !ok || degraded.Words != "positions work, margin levels do not" || endpoint.OutcomeOf(err) != c.outcome {
				t.Errorf("the error is %v", err)
			}
			if !slices.Equal(s.about("positions"), []string{"ok positions 1, complete after 0s"}) || !strings.HasPrefix(s.about("margin levels")[0], "FAIL") {
				t.Errorf("the findings are %q", s.lines)
			}
		}
	})
}

func TestEachSubscriptionIsTried(t *testing.T) {
	play(t, 1, func(s *scene) {
		s.fill(2)
		s.scope.Parties = []model.ID{model.MakeID("a0"), model.MakeID("a1"), model.MakeID("a2")}
		if err := s.examine(); err != nil {
			t.Error(err)
		}
		if got := s.about("positions"); !slices.Equal(got, []string{
			"ok positions a0: 1, complete after 0s", "ok positions a1: 1, complete after 0s", "ok positions a2: 0, complete after 0s",
		}) {
			t.Errorf("the findings are %q", got)
		}
		const silent = 0
		var statuses map[string]int // by party
		s.before = func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				switch status, ok := statuses[r.URL.Query().Get("partyId")]; {
				case !ok:
					next.ServeHTTP(w, r)
				case status == silent:
					<-r.Context().Done()
				default:
					w.WriteHeader(status)
				}
			})
		}
		for _, c := range []struct {
			statuses map[string]int
			outcome  endpoint.Outcome // of the worst failure
			words    string
		}{
			{map[string]int{"a0": 503}, endpoint.Fault, "of 3 subscriptions that were tried, 1 failed"},
			{map[string]int{"a0": 503, "a2": 400}, endpoint.BadRequest, "of 3 subscriptions that were tried, 2 failed"},
			{map[string]int{"a0": 400, "a1": 503, "a2": 503}, endpoint.BadRequest, ""},
			{map[string]int{"a1": silent}, endpoint.NoResponse, "of 3 subscriptions that were tried, 1 failed"},
		} {
			statuses = c.statuses
			err := s.examine()
			words := ""
			if degraded, ok := errors.AsType[*DegradedError](err); ok {
				words = degraded.Words
			}
			if words != c.words || endpoint.OutcomeOf(err) != c.outcome {
				t.Errorf("the error is %v, want %q", err, c.words)
			}
			for i, line := range s.about("positions") {
				if _, fails := c.statuses[fmt.Sprintf("a%d", i)]; fails != strings.HasPrefix(line, fmt.Sprintf("FAIL positions a%d: ", i)) {
					t.Errorf("the findings are %q", line)
				}
			}
		}
	})
}

// parties puts the given number of parties into the scope.
func (s *scene) parties(n int) {
	s.scope.Parties = nil
	for i := range n {
		s.scope.Parties = append(s.scope.Parties, model.MakeID(fmt.Sprintf("a%03x", i)))
	}
}

// TestAsManyStreamsAsTheScopeNeeds: all are open side by side, up to the limit of the service, and none stays open. At
// most ten are being opened at once.
func TestAsManyStreamsAsTheScopeNeeds(t *testing.T) {
	refusal := "FAIL streams the scope needs 300 streams; 225 are open side by side, and one more is refused: " +
		"the service responded with 429: client reached max subscription allowed; " +
		"watch fewer parties or markets; all programs behind one gateway may share the limit"
	for _, c := range []struct {
		streams int
		margins int // the status of margin levels
		open    int
		want    []string
	}{
		{1, 200, 1, []string{"ok positions 0, complete after "}},
		{30, 200, 30, []string{"ok positions 0, of 30 streams side by side, each complete within "}},
		{30, 500, 30, []string{"ok positions 0, of 30 streams side by side, each complete within "}},
		{225, 200, 225, []string{"ok positions 0, of 225 streams side by side, each complete within "}},
		{300, 200, 225, []string{"ok positions 0, of 225 streams side by side, each complete within ", refusal}},
	} {
		play(t, 1, func(s *scene) {
			s.parties(c.streams)
			var mu sync.Mutex
			open, opening, mostOpen, mostOpening, refused := 0, 0, 0, 0, 0
			s.before = func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if r.URL.Query().Get("partyId") == "" {
						next.ServeHTTP(w, r)
						return
					}
					mu.Lock()
					opening++
					mostOpening = max(mostOpening, opening)
					mu.Unlock()
					time.Sleep(50 * time.Millisecond)
					mu.Lock()
					opening--
					if open >= 225 {
						refused++
						mu.Unlock()
						w.WriteHeader(http.StatusTooManyRequests)
						_, _ = io.WriteString(w, `{"error":{"code":8,"message":"client reached max subscription allowed"}}`)
						return
					}
					open++
					mostOpen = max(mostOpen, open)
					mu.Unlock()
					next.ServeHTTP(w, r)
					mu.Lock()
					open--
					mu.Unlock()
				})
			}
			if c.margins != http.StatusOK {
				s.SetMarginResponse(1, sim.Response{Status: c.margins})
			}
			err := s.examine()
			if isWhole := c.open == c.streams && c.margins == http.StatusOK; isWhole != (err == nil) {
				t.Errorf("%d streams: the error is %v", c.streams, err)
			}
			synctest.Wait()
			if mostOpen != c.open || open != 0 || mostOpening > 10 || refused > 10 || (refused > 0) != (c.open < c.streams) {
				t.Errorf("%d streams: %d were open side by side, %d are still; %d were opened at once, %d refused",
					c.streams, mostOpen, open, mostOpening, refused)
			}
			got := append(s.about("positions"), s.about("streams")...)
			if !slices.EqualFunc(got, c.want, strings.HasPrefix) {
				t.Errorf("%d streams: the findings are\n%s", c.streams, strings.Join(got, "\n"))
			}
		})
	}
}

// TestStreamsThatFail: an address that fails is dialled no more often than the limit of dials allows. Its responses
// take a while, so that the largest number of streams is being opened when the first fails.
func TestStreamsThatFail(t *testing.T) {
	play(t, 1, func(s *scene) {
		s.parties(30)
		s.before = func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				time.Sleep(50 * time.Millisecond)
				next.ServeHTTP(w, r)
			})
		}
		s.SetStreamResponse(sim.Always, sim.Response{Status: 503})
		err := s.examine()
		if lines := s.about("positions"); endpoint.OutcomeOf(err) != endpoint.Fault || len(lines) != 11 ||
			lines[0] != "ok positions only the first 10 of 30 subscriptions are tried" {
			t.Errorf("the error is %v, and the findings are %q", err, lines)
		}
		if sent := len(s.Requests()); sent != 1+10 {
			t.Errorf("%d requests were sent", sent)
		}
	})
}

func TestServiceThatIgnoresTheFilter(t *testing.T) {
	play(t, 1, func(s *scene) {
		s.fill(3)
		s.scope.Parties = []model.ID{model.MakeID("a1")}
		s.before = func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				r.URL.RawQuery = ""
				next.ServeHTTP(w, r)
			})
		}
		err := s.examine()
		want := "warn positions 1, complete after 0s; 2 more were not requested and are left out; the service ignores the filter: ask its operator"
		if got := s.about("positions"); err != nil || !slices.Equal(got, []string{want}) {
			t.Errorf("the findings are %q, and the error is %v", got, err)
		}
	})
}

func TestClocks(t *testing.T) {
	for _, c := range []struct {
		name   string
		offset time.Duration // of the service's clock
		date   bool          // the service sends its time
		want   string
	}{
		{"ahead", time.Hour, true, "warn clock the service's clock is 1h0m0s ahead of this machine's; set the clock of this machine, or have that of the service set"},
		{"behind", -time.Hour, true, "warn clock the service's clock is 1h0m0s behind this machine's; set the clock of this machine, or have that of the service set"},
		{"ahead, without a date", time.Hour, false, "warn clock the newest position is 1h0m0s ahead of this machine's clock; set the clock of this machine, or have that of the service set"},
		{"old, without a date", -time.Hour, false, "ok clock the newest position is 1h0m0s old by this machine's clock"},
	} {
		t.Run(c.name, func(t *testing.T) {
			play(t, 1, func(s *scene) {
				s.Put(sim.Position{Party: "a1", Market: "b1", OpenVolume: 5, UpdatedAt: time.Now().Add(c.offset).UnixNano()})
				s.before = func(next http.Handler) http.Handler {
					return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
						w.Header()["Date"] = nil
						if c.date {
							w.Header().Set("Date", time.Now().Add(c.offset).UTC().Format(http.TimeFormat))
						}
						next.ServeHTTP(w, r)
					})
				}
				err := s.examine()
				if got := s.about("clock"); err != nil || !slices.Equal(got, []string{c.want}) {
					t.Errorf("the findings are %q, and the error is %v", got, err)
				}
			})
		})
	}
}

// TestEachAddressIsTried: one that does not respond leaves time for the next, and one that works is enough.
func TestEachAddressIsTried(t *testing.T) {
	play(t, 2, func(s *scene) {
		s.nodes[0].Silence()
		defer s.nodes[0].EndSilence()
		if err := s.examine(); err != nil {
			t.Errorf("the second address works: %v", err)
		}
		want := []string{
			"FAIL positions no complete snapshot in time: 0 positions came; give it more time, or ask the operator of the service",
			"ok positions 0, complete after 0s",
		}
		if got := s.about("positions"); !slices.Equal(got, want) {
			t.Errorf("the findings are %q", got)
		}
		s.nodes[1].SetMarginResponse(1, sim.Response{Status: 500})
		degraded, ok := errors.AsType[*DegradedError](s.examine())
		if !ok || degraded.Words != "positions work, margin levels do not" {
			t.Errorf("the second address works in part: %v", degraded)
		}
		s.listeners[1].Kill()
		if err := s.examine(); err == nil || endpoint.AddressOf(err) != "http://one.test" && !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the error is %v, want that of the first address", err)
		}
	})
}

func TestExaminationThatIsCancelled(t *testing.T) {
	for name, hang := range map[string]func(*scene){
		"margin levels": func(s *scene) { s.SetMarginResponse(1, sim.Response{}) },
		"positions":     func(s *scene) { s.SetStreamResponse(1, sim.Response{}) },
	} {
		t.Run(name, func(t *testing.T) {
			play(t, 2, func(s *scene) {
				pool, err := endpoint.New(s.config)
				if err != nil {
					t.Fatal(err)
				}
				defer pool.Close()
				hang(s)
				ctx, cancel := context.WithCancel(s.Context())
				time.AfterFunc(time.Second, cancel)
				d := Doctor{Pool: pool, SnapshotSilence: time.Minute, Report: s.take}
				if err := d.Examine(ctx, s.scope.Subscriptions(nil, 0)); !errors.Is(err, context.Canceled) {
					t.Errorf("the error is %v", err)
				}
				if len(s.about(name)) != 0 || len(s.about("address")) != 1 {
					t.Errorf("the findings are %q", s.lines)
				}
			})
		})
	}
}

// TestProxyThatHoldsStreamsBack: the date of the snapshot is old when it comes, or nothing comes in time. The clocks
// agree all the same.
func TestProxyThatHoldsStreamsBack(t *testing.T) {
	for hold, want := range map[time.Duration]string{
		9 * time.Second: "warn positions 3, complete after 9s; its response was held back for about 8s on the way; " +
			"a proxy before the service buffers responses: have it pass streams on at once (nginx: proxy_buffering off)",
		25 * time.Second: "FAIL positions no complete snapshot in time: 0 positions came; give it more time, or ask the operator of the service; " +
			"a proxy that buffers responses delays a small snapshot too (nginx: proxy_buffering off)",
	} {
		play(t, 1, func(s *scene) {
			s.fill(3)
			s.SetProxy(sim.Proxy{Hold: hold})
			_ = s.examine()
			if got := s.about("positions"); !slices.Equal(got, []string{want}) {
				t.Errorf("the findings are %q", got)
			}
			if got := s.about("clock"); !slices.Equal(got, []string{"ok clock the service's clock agrees with this machine's"}) {
				t.Errorf("the findings are %q", got)
			}
		})
	}
}

// TestProxyThatHoldsBackTheRestOfAMessage is found by the bytes that came, whatever time there is.
func TestProxyThatHoldsBackTheRestOfAMessage(t *testing.T) {
	for _, silence := range []time.Duration{5 * time.Second, time.Minute} {
		play(t, 1, func(s *scene) {
			for i := range 30 {
				s.Put(sim.Position{Party: "a1", Market: fmt.Sprintf("%064x", i+1), OpenVolume: 5})
			}
			s.silence = silence
			s.SetProxy(sim.Proxy{Buffer: 8 << 10})
			_ = s.examine()
			if got := s.about("positions"); !slices.Equal(got, []string{"FAIL positions a proxy seems to hold back the stream: 8 KiB came, and not the rest of " +
				"a message; have the proxy pass streams on at once: in nginx proxy_buffering off for their path, or X-Accel-Buffering: no from the service, " +
				"HTTP/1.1 to the service and no gzip; until then, watch all parties with a filter here"}) {
				t.Errorf("the findings are %q", got)
			}
		})
	}
}
