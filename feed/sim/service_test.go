package sim_test

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"blotter/feed/sim"
)

const (
	streams = "/api/v2/stream/positions"
	margins = "/api/v2/margin/levels"

	alice = "a11ce0a11ce0a11ce0a11ce0a11ce0a11ce0a11ce0a11ce0a11ce0a11ce0a11c"
	bruno = "b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0"
	gold  = "901d901d901d901d901d901d901d901d901d901d901d901d901d901d901d901d"
	rust  = "5757575757575757575757575757575757575757575757575757575757575757"
)

// service is a node that serves in a test with fake time.
type service struct {
	*sim.Node
	*sim.Listener
	t *testing.T
}

// bubble runs a test in fake time with a service, and ends the service afterwards.
func bubble(t *testing.T, config sim.Config, test func(t *testing.T, s *service)) {
	t.Helper()
	bubbleOn(t, config, sim.Listen, test)
}

func bubbleOn(t *testing.T, config sim.Config, listen func() *sim.Listener, test func(t *testing.T, s *service)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := &service{sim.New(config), listen(), t}
		ctx, stop := context.WithCancel(t.Context())
		var serving sync.WaitGroup
		serving.Go(func() {
			if err := s.Serve(ctx, s.Listener); err != nil {
				t.Errorf("Serve: %v", err)
			}
		})
		defer serving.Wait()
		defer stop()
		test(t, s)
	})
}

// rawResponse has the bytes of a response, as far as they came.
type rawResponse struct {
	t    *testing.T
	conn net.Conn
}

// send sends a GET request, without net/http.
func (s *service) send(target string, headers ...string) *rawResponse {
	s.t.Helper()
	conn, err := s.DialContext(s.t.Context(), "tcp", "sim:80")
	if err != nil {
		s.t.Fatalf("dial: %v", err)
	}
	s.t.Cleanup(func() { _ = conn.Close() })
	request := "GET " + target + " HTTP/1.1\r\nHost: sim\r\n" + strings.Join(append(headers, ""), "\r\n") + "\r\n"
	if _, err := io.WriteString(conn, request); err != nil {
		s.t.Fatalf("request: %v", err)
	}
	return &rawResponse{s.t, conn}
}

// read returns what has come since the last call. It waits for a second, in which nothing else happens.
func (a *rawResponse) read() string {
	a.t.Helper()
	_ = a.conn.SetReadDeadline(time.Now().Add(time.Second))
	text, err := io.ReadAll(a.conn)
	if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
		return string(text) + "[" + err.Error() + "]"
	}
	if err == nil {
		return string(text) + "[closed]"
	}
	return string(text)
}

// get sends a request whose response ends, and returns status, headers and body.
func (s *service) get(target string, headers ...string) (*http.Response, string) {
	s.t.Helper()
	a := s.send(target, headers...)
	response, err := http.ReadResponse(bufio.NewReader(a.conn), nil)
	if err != nil {
		s.t.Fatalf("%s: %v", target, err)
	}
	body, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatalf("%s: body: %v", target, err)
	}
	_ = a.conn.Close()
	return response, string(body)
}

// openStream is a stream of which only the messages are checked.
type openStream struct {
	*rawResponse
	head string // of the response, once it came
	rest string // the part of the next chunk that has come
}

// stream opens a positions stream.
func (s *service) stream(query string) *openStream {
	s.t.Helper()
	return &openStream{rawResponse: s.send(streams + query)}
}

// lines returns the messages that came since the last call, "" for none. The end of the body is [end], or [cut] if
// it ended too early.
func (o *openStream) lines() string {
	o.t.Helper()
	o.rest += o.read()
	if o.head == "" {
		o.head, o.rest, _ = strings.Cut(o.rest, "\r\n\r\n")
	}
	var text strings.Builder
	for {
		size, rest, ok := strings.Cut(o.rest, "\r\n")
		n, err := strconv.ParseInt(size, 16, 64)
		switch {
		case ok && err == nil && n == 0:
			return text.String() + "[end]"
		case ok && err == nil && len(rest) >= int(n)+2:
			text.WriteString(rest[:n])
			o.rest = rest[n+2:]
		case strings.HasSuffix(o.rest, "[closed]"):
			return text.String() + "[cut]"
		default:
			return text.String()
		}
	}
}

// want asserts that texts are equal, and shows both from a little before they differ.
func want(t *testing.T, what, got, want string) {
	t.Helper()
	if got == want {
		return
	}
	same := 0
	for same < min(len(got), len(want)) && got[same] == want[same] {
		same++
	}
	from := max(0, same-40)
	t.Errorf("%s, from byte %d:\n got %.300q\nwant %.300q", what, from, got[from:], want[from:])
}

// position returns a position whose other numbers are zero.
func position(party, market string, volume int64) sim.Position {
	return sim.Position{Party: party, Market: market, OpenVolume: volume, UpdatedAt: 7}
}

func orZero(amount string) string { return cmp.Or(amount, "0") }

// inSnapshot returns the position as a page of a snapshot has it: without fees.
func inSnapshot(p sim.Position) string {
	p.TakerFees, p.MakerFees, p.OtherFees = "", "", ""
	return inUpdate(p)
}

// inUpdate returns the position as an update has it.
func inUpdate(p sim.Position) string {
	text := `{"marketId":"` + p.Market + `","partyId":"` + p.Party + `"`
	if p.OpenVolume != 0 {
		text += `,"openVolume":"` + number(p.OpenVolume) + `"`
	}
	text += `,"realisedPnl":"` + orZero(p.RealisedPnl) + `","unrealisedPnl":"` + orZero(p.UnrealisedPnl) +
		`","averageEntryPrice":"` + orZero(p.AverageEntryPrice) + `","updatedAt":"` + number(p.UpdatedAt) +
		`","lossSocialisationAmount":"` + orZero(p.LossSocialisation) + `"`
	if p.Status != 0 {
		text += `,"positionStatus":` + number(int64(p.Status))
	}
	return text + `,"takerFeesPaid":"` + orZero(p.TakerFees) + `","makerFeesReceived":"` + orZero(p.MakerFees) +
		`","feesPaid":"` + orZero(p.OtherFees) + `","takerFeesPaidSince":"0",` +
		`"makerFeesReceivedSince":"0","feesPaidSince":"0","fundingPaymentAmount":"0","fundingPaymentAmountSince":"0"}`
}

func number(n int64) string {
	text, _ := json.Marshal(n)
	return string(text)
}

// snapshot and updates return whole messages.
func snapshot(positions ...sim.Position) string {
	return `{"result":{"snapshot":{"positions":[` + join(positions, inSnapshot) + `],"lastPage":true}}}` + "\n"
}

func updates(positions ...sim.Position) string {
	return `{"result":{"updates":{"positions":[` + join(positions, inUpdate) + `]}}}` + "\n"
}

func join(positions []sim.Position, text func(sim.Position) string) string {
	texts := make([]string, len(positions))
	for i, p := range positions {
		texts[i] = text(p)
	}
	return strings.Join(texts, ",")
}

const (
	empty   = `{"result":{"snapshot":{"lastPage":true}}}` + "\n"
	dropped = `{"error":{"code":13,"message":"Internal error","details":[{"@type":"type.googleapis.com/vega.ErrorDetail",` +
		`"code":10010,"message":"internal stream failure","inner":"channel closed"}]}}`
	closing = `{"error":{"code":1,"message":"grpc: the client connection is closing"}}`
)
