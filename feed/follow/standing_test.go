package follow

import (
	"context"
	"fmt"
	"hash/maphash"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"blotter/feed/endpoint"
	"blotter/model"
	"blotter/model/book"
)

const farAhead = 1000 // notAfter of these tests

// TestWhenADoubtIsBelieved: after how many audits in a row, and after how long. Each letter is an audit: - lacks the
// row that stands, o has an older state of it, p an older one than that, s the state that stands. O, S and = are the
// same of a node that is behind. It is believed with the last audit and not before; with never, not at all.
func TestWhenADoubtIsBelieved(t *testing.T) {
	for name, c := range map[string]struct {
		audits     string
		every      time.Duration
		isUnlisted bool // the service lists no flat rows
		others     int  // rows with older states in each audit
		never      bool
	}{
		"the row is absent":                        {audits: "-----", every: time.Second},
		"no flat rows are listed":                  {audits: "---", every: time.Second, isUnlisted: true},
		"an audit has the row again":               {audits: "----s-----", every: time.Second},
		"an audit has an older state again":        {audits: "----o-----", every: time.Second},
		"nodes that are behind do not count":       {audits: "--OOSS---", every: time.Second},
		"they do not show that it is absent":       {audits: strings.Repeat("=", 50), every: time.Minute, never: true},
		"a backup was restored":                    {audits: "ooooo", every: 15 * time.Second, others: 2},
		"audits come fast":                         {audits: "ooooooo", every: 10 * time.Second, others: 2},
		"audits come slowly":                       {audits: "ooooo", every: time.Hour, others: 2},
		"an older state than that of the last one": {audits: "oooopoooo", every: 15 * time.Second, others: 2},
		"it is absent in between":                  {audits: "oooo-ooooo", every: 15 * time.Second, others: 2},
		"two rows have older states":               {audits: strings.Repeat("o", 50), every: time.Minute, others: 1, never: true},
		"nodes that are behind have older states":  {audits: strings.Repeat("O", 50), every: time.Minute, others: 2, never: true},
	} {
		seed, now := maphash.MakeSeed(), time.Now()
		s := newStanding(seed)
		s.addUpdates([]model.Position{openAt("a", 3, 30), openAt("b", 3, 30), openAt("c", 3, 30)}, false, farAhead, now)
		s.stream++ // another stream is open, which has sent nothing
		for i, audit := range c.audits {
			now = now.Add(c.every)
			sent := newSentTimes(seed)
			switch audit {
			case 'o', 'O':
				sent.add([]model.Position{openAt("a", 2, 20)}, farAhead)
			case 'p':
				sent.add([]model.Position{openAt("a", 1, 10)}, farAhead)
			case 's', 'S':
				sent.add([]model.Position{openAt("a", 3, 30)}, farAhead)
			}
			for other := range 2 {
				row := openAt(string(rune('b'+other)), 3, 30)
				if other < c.others {
					row = openAt(string(rune('b'+other)), 2, 20)
				}
				sent.add([]model.Position{row}, farAhead)
			}
			counts := !strings.ContainsRune("OS=", audit)
			s.takeAudit(audited{sent, now, counts}, !c.isUnlisted, farAhead, now)
			_, isBelieved := s.believed[rowAt("a", 0).Key]
			if isLast := i == len(c.audits)-1 && !c.never; isBelieved != isLast {
				t.Errorf("%s: after audit %d of %s, %s each, it is believed: %t", name, i+1, c.audits, c.every, isBelieved)
				break
			}
		}
	}
}

// TestAuditsOfNodesThatAreBehindCount if no other has answered for ten minutes.
func TestAuditsOfNodesThatAreBehindCount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := newJudging(t, io.Discard, DefaultTimes())
		j.shown = time.Now().UnixNano()
		counts := func(lag time.Duration) bool {
			answer := make(chan verdict, 1)
			sent := newSentTimes(j.seed)
			sent.add([]model.Position{openAt("a", 1, time.Now().UnixNano())}, time.Now().UnixNano())
			j.answer(question{sent: sent, node: endpoint.Node{Lag: lag}, openedAt: time.Now(), answer: answer})
			return (<-answer).counts
		}
		for _, c := range []struct {
			after, lag time.Duration
			counts     bool
		}{
			{0, 0, true},
			{time.Hour, time.Minute, false}, {10*time.Minute - 1, time.Minute, false}, {1, time.Minute, true}, {time.Second, time.Minute, true},
			{time.Second, 0, true}, {time.Second, time.Minute, false}, {9 * time.Minute, time.Minute, false}, {time.Minute, time.Minute, true},
		} {
			time.Sleep(c.after)
			if got := counts(c.lag); got != c.counts {
				t.Errorf("%s after the audit before, of a node that is behind by %s: counts %t", c.after, c.lag, got)
			}
		}
	})
}

// auditPages takes the pages of audits.
type auditPages struct {
	quietSink
	pages []book.AuditPage
}

func (a *auditPages) Audit(_ context.Context, page book.AuditPage) error {
	a.pages = append(a.pages, page)
	return nil
}

func (a *auditPages) Doubt(book.Doubts) {}

// TestWithoutAuditsADoubtIsBelievedAfterAMinute, and the newest of the older states that came meanwhile, also by an
// update.
func TestWithoutAuditsADoubtIsBelievedAfterAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j, now := newJudging(t, io.Discard, DefaultTimes()), time.Now()
		sink := new(auditPages)
		j.Sink, j.Go, j.audits.schedule.every = sink, func(task func()) { task() }, -1
		at := func(ago time.Duration) int64 { return now.Add(-ago).UnixNano() }
		j.standing.addUpdates([]model.Position{openAt("gone", 1, at(time.Second)), openAt("older", 3, at(time.Second))}, false, j.notAfter(now), now)
		j.standing.stream++
		j.restart(newSentTimes(j.seed))
		snapshot := &staging{pages: book.NewRows(), updates: book.NewRows()}
		older := openAt("older", 1, at(time.Hour))
		snapshot.pages.Put(&older)
		j.sent.add([]model.Position{older}, j.notAfter(now))
		j.takeSnapshot(snapshot, now)
		j.standing.addUpdates([]model.Position{openAt("older", 2, at(time.Minute))}, false, j.notAfter(now), now)
		j.sayDoubts(t.Context(), now.Add(time.Minute-1))
		if len(sink.pages) > 0 {
			t.Fatalf("within a minute %+v are believed", sink.pages)
		}
		j.sayDoubts(t.Context(), now.Add(time.Minute))
		if len(sink.pages) != 2 || !sink.pages[0].First {
			t.Fatalf("after a minute the pages are %+v", sink.pages)
		}
		page, key := sink.pages[1], func(market string) []model.Key { return []model.Key{rowAt(market, 0).Key} }
		size := ""
		for _, p := range page.Positions {
			size += fmt.Sprint(p.Market, " ", p.Number(model.OpenVolume))
		}
		if size != "older 2" || !slices.Equal(page.Removed, key("gone")) || !slices.Equal(page.Believed, key("older")) {
			t.Errorf("after a minute %s comes, %v are gone and %v are older", size, page.Removed, page.Believed)
		}
		j.sayDoubts(t.Context(), now.Add(2*time.Minute))
		if len(sink.pages) != 2 {
			t.Errorf("it is believed again: %+v", sink.pages[2:])
		}
	})
}

// TestADoubtOfALargerSampleEnds: an audit of very many rows, which has a smaller sample, cannot show whether it is
// right.
func TestADoubtOfALargerSampleEnds(t *testing.T) {
	seed, now := maphash.MakeSeed(), time.Now()
	s := newStanding(seed)
	audit := newSentTimes(seed)
	audit.most = 1
	for audit.mask == 0 || audit.keeps(openAt("a", 3, 30).Key) {
		audit.add([]model.Position{openAt(fmt.Sprint(len(audit.byRow), audit.mask, audit.count), 3, 30)}, farAhead)
	}
	s.addUpdates([]model.Position{openAt("a", 3, 30)}, false, farAhead, now)
	s.stream++
	s.takeSnapshot(newSentTimes(seed), func(model.Key) bool { return false }, farAhead, now)
	if len(s.doubts) != 1 {
		t.Fatalf("%d rows are in doubt", len(s.doubts))
	}
	s.takeAudit(audited{sent: audit, openedAt: now, counts: true}, true, farAhead, now)
	if len(s.doubts) != 0 {
		t.Errorf("%d rows are in doubt after the audit", len(s.doubts))
	}
}
