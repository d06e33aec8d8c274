package status

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/modeltest"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/store"
	"blotter/ui/theme"
)

var now = time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)

// streamsOf returns the streams with links, on a screen with one key: r.
func streamsOf(links ...model.Link) *Streams {
	styles := new(theme.Set).New("", theme.Terminal{IsDark: true})
	in := model.NewInstruments(nil, nil, nil)
	return &Streams{
		Links: links, Now: now, Book: book.New(0), Limit: 100, Corrections: new(store.Corrections), Traffic: new(Traffic), Styles: &styles,
		Format:   format.New(in, time.UTC, func(model.ID) int { return 2 }, false),
		FillKeys: func(text string) string { return strings.ReplaceAll(text, "{resync}", "r") },
	}
}

// refused is the link of a stream that the service refused.
func refused(party string, problem model.Problem) model.Link {
	problem.Refuse = true
	return model.Link{
		Subscription: model.Subscription{Key: model.Key{Party: model.MakeID(party)}}, Phase: model.Refused, Problem: &problem,
		Attempt: 2, RetryAt: now.Add(4 * time.Second),
	}
}

func TestAReasonHasTheProblemAndTheNextRetry(t *testing.T) {
	const party = "abcdef0123456789abcdef0123456789"
	link := refused(party, model.Problem{Status: 404, Words: "not found.", Advice: "check the address"})
	unknown := refused("desk-9", model.Problem{Status: 400, Words: "no such party"})
	for _, c := range []struct {
		name    string
		streams *Streams
		want    string
	}{
		{"no problem", streamsOf(model.Link{Phase: model.Live}), ""},
		{"refused", streamsOf(link), "Refused (404): not found; check the address. Retry 2 in 4s; r retries now."},
		{"an unknown text", streamsOf(unknown), `"desk-9" is no name in the configuration and no identifier. Press {choose_parties} to choose another.`},
		{"a retry of another stream", streamsOf(model.Link{Phase: model.Waiting, Problem: &model.Problem{Words: "connection lost"}}), "Connection lost. Another stream is tried first."},
		{"no last page", streamsOf(model.Link{Phase: model.Live, Partial: true, MessageAt: now, StagedRows: 1234}),
			"Positions may be missing: the service has sent 1,234 and not the last page."},
		{"no more data", &Streams{Ended: "the feed has ended"}, "No more data: the feed has ended"},
	} {
		if got := c.streams.Reason(); got != c.want {
			t.Errorf("%s: the reason is %q, want %q", c.name, got, c.want)
		}
	}
	two := streamsOf(link, link)
	const problem, streams = "Refused (404): not found; check the address. Retry 2 in 4s", " Stream: abcd…6789 · all markets. 2 streams have problems; {connection} lists them."
	for width, want := range map[int]string{
		200: problem + "; r retries now." + streams,
		142: problem + "." + streams, // without the key
		110: problem + ". Stream: abcd…6789 · all markets. 2 streams have…",
		76:  problem + "; r retries now.",
		60:  problem + ".",
		50:  "Refused (404): not found; check… Retry 2 in 4s.",
		40:  "Check the address. Retry 2 in 4s.",
		30:  "Check the… Retry 2 in 4s.",
		16:  "Refused (404)…",
	} {
		if got := two.FitReason(width); got != want {
			t.Errorf("in %d cells the reason of two streams is %q, want %q", width, got, want)
		}
	}
}

// TestTheKeyToPressStays if there is no room for the whole reason.
func TestTheKeyToPressStays(t *testing.T) {
	s := streamsOf(refused("desk-9", model.Problem{Status: 400}))
	for width, want := range map[int]string{66: `"desk-9" is no name in… Press {choose_parties} to choose another.`, 54: `"desk-9" is… Press {choose_parties} to choose another.`} {
		if got := s.FitReason(width); got != want {
			t.Errorf("in %d cells the reason is %q, want %q", width, got, want)
		}
	}
}

// TestWithoutKeysNoneIsMentioned, as for a screen reader.
func TestWithoutKeysNoneIsMentioned(t *testing.T) {
	for want, link := range map[string]model.Link{
		"Refused (404): not found. Retry 2 in 4s.":                    refused("", model.Problem{Status: 404, Words: "not found"}),
		`"desk-9" is no name in the configuration and no identifier.`: refused("desk-9", model.Problem{Status: 400}),
		"the service does not respond. The connection is up.":         {Phase: model.Live, Problem: &model.Problem{Words: "the service does not respond"}},
	} {
		s := streamsOf(link)
		s.FillKeys = nil
		if got := s.Problem(&s.Links[0]); got != want {
			t.Errorf("the problem is %q, want %q", got, want)
		}
	}
}

// TestTheNextRetryStays if there is no room for the whole reason.
func TestTheNextRetryStays(t *testing.T) {
	s := streamsOf(refused("", model.Problem{Status: 404, Words: strings.Repeat("not found ", 10)}))
	for width, want := range map[int]string{30: "Refused (404)… Retry 2 in 4s.", 60: " found… Retry 2 in 4s.", 200: "; r retries now."} {
		if got := s.FitReason(width); !strings.HasSuffix(got, want) || draw.Width(got) > width {
			t.Errorf("in %d cells the reason is %q, want it to end with %q", width, got, want)
		}
	}
}

func TestCorrectionsAreBounded(t *testing.T) {
	var c store.Corrections
	stream := model.Subscription{Epoch: 1}
	for i := range 2 * store.MaxCorrections {
		before, after := model.Position{Key: model.Key{Market: model.MakeID("btc")}}, model.Position{}
		before.SetNumber(model.OpenVolume, model.AmountOf(int64(i)))
		after = before
		after.SetNumber(model.OpenVolume, model.AmountOf(int64(i+1)))
		c.Add(book.Correction{Subscription: stream, Before: &before, After: &after}, now, true)
	}
	if len(c.Latest()) != store.MaxCorrections || c.Count(stream) != 2*store.MaxCorrections || c.Total() != 2*store.MaxCorrections {
		t.Errorf("%d corrections are kept, and %d of %d counted", len(c.Latest()), c.Count(stream), c.Total())
	}
	s := streamsOf(model.Link{Subscription: stream})
	s.Corrections = &c
	page := strings.Join(s.Page("", "", 120), "\n")
	if !strings.Contains(page, "the last 500") || !strings.Contains(page, "size +999 raw → +1,000 raw") {
		t.Errorf("the page has not the latest corrections:\n%s", page)
	}
	first := c.End(stream, book.New(0))
	if words := first.Words(s.Format); !strings.HasPrefix(words, "A check corrected 1,000 rows: ") {
		t.Errorf("the report of the audit is %q", words)
	}
	if second := c.End(stream, book.New(0)); second.Words(s.Format) != "" {
		t.Errorf("the audit is reported again: %q", second.Words(s.Format))
	}
}

// TestRatesOfARecordingThatWentBack: after a jump back, no rate is less than zero.
func TestRatesOfARecordingThatWentBack(t *testing.T) {
	var traffic Traffic
	rateAt := func(second int, messages int64) string {
		link, at := model.Link{Messages: messages, Bytes: 10 * messages}, now.Add(time.Duration(second)*time.Second)
		traffic.read([]model.Link{link}, at)
		perSecond, bytes, ok := traffic.rate(&link, at)
		return fmt.Sprint(perSecond, bytes, ok)
	}
	for _, c := range []struct {
		second   int
		messages int64
		want     string
	}{{0, 0, "0 0 false"}, {6, 12, "2 20 true"}, {9, 18, "2 20 true"}, {3, 5, "0 0 false"}, {4, 8, "3 30 true"}} {
		if got := rateAt(c.second, c.messages); got != c.want {
			t.Errorf("in second %d: %s, want %s", c.second, got, c.want)
		}
	}
	paused := model.Link{Messages: 2}
	if perSecond, _, ok := traffic.rate(&paused, now.Add(4*time.Second)); ok {
		t.Errorf("%v messages a second after a jump back", perSecond)
	}
}

// TestStyleOfEachFreshness: only rows that are good look so.
func TestStyleOfEachFreshness(t *testing.T) {
	for _, freshness := range model.Freshnesses() {
		link := modeltest.LinkOf(freshness, now)
		s := streamsOf(link)
		want := s.Styles.Warning
		switch freshness {
		case model.FreshLive:
			want = s.Styles.Live
		case model.FreshQuiet:
			want = draw.Plain
		case model.FreshStale:
			want = s.Styles.Reverse
		}
		if got := s.Style(&link); got != want {
			t.Errorf("%s has the style %q, want %q", freshness, got, want)
		}
	}
}

// TestEveryDoubtHasAReason: the screen says why rows may be wrong or missing. That of STALE is the problem that ended
// the stream.
func TestEveryDoubtHasAReason(t *testing.T) {
	needNone := []model.Freshness{model.FreshLive, model.FreshQuiet, model.FreshConnecting}
	for _, freshness := range model.Freshnesses() {
		link := modeltest.LinkOf(freshness, now)
		if freshness.IsStale() {
			link.Problem = &model.Problem{Words: "connection lost"}
		}
		reason := streamsOf(link).Reason()
		if isGood := slices.Contains(needNone, freshness); isGood != (reason == "") {
			t.Errorf("the reason of %s is %q", freshness, reason)
		}
	}
}

// TestRowsInDoubtAreSaid, in both lines, until they are no longer in doubt.
func TestRowsInDoubtAreSaid(t *testing.T) {
	link := modeltest.LinkOf(model.FreshLive, now)
	s := streamsOf(link)
	row, rows := modeltest.Position("b 1"), book.NewRows()
	row.Party = link.Party
	rows.Put(&row)
	s.Book = book.New(0).Replaced(book.Snapshot{Subscription: link.Subscription, Rows: rows, AsIs: true})
	for _, keys := range [][]model.Key{{row.Key}, nil} {
		s.Book.Mark(&book.Doubts{Subscription: link.Subscription, Keys: keys})
		isIn, because := strings.Contains(s.Freshness(), ", 1 in doubt"), strings.HasPrefix(s.Reason(), "1 position in doubt: ")
		if isMarked := keys != nil; isIn != isMarked || because != isMarked {
			t.Errorf("%d rows are in doubt: %q, %q", len(keys), s.Freshness(), s.Reason())
		}
	}
}

// TestTheShortestFreshnessIsTheWord, without its age.
func TestTheShortestFreshnessIsTheWord(t *testing.T) {
	for _, freshness := range model.Freshnesses() {
		s := streamsOf(modeltest.LinkOf(freshness, now))
		s.Replay = "REPLAY 09:00:00 (paused)"
		if got, want := s.ShortestFreshness(), "REPLAY 09:00 (paused), was "+freshness.String(); got != want {
			t.Errorf("the shortest freshness is %q, want %q", got, want)
		}
	}
}
