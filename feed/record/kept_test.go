package record_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"blotter/feed/record"
	"blotter/feed/secrets"
	"blotter/model"
	"blotter/model/book"
	"blotter/model/modeltest"
)

// kept is what was recorded of the same Deltas in all ways.
type kept struct {
	begin   time.Time // of the first Delta
	players map[string]*record.Player
}

// keep records Deltas, one a minute: in one file, in files that each begin with the whole state, in a memory, in a
// memory that reaches back less than two minutes, and in the files that are saved from these.
func keep(t *testing.T, scope model.Scope, deltas ...book.Delta) kept {
	t.Helper()
	folder := t.TempDir()
	k := kept{time.Now(), make(map[string]*record.Player)}
	var sinks []record.Sink
	var recorders []*record.Recorder
	for name, size := range map[string]int64{"one file": 0, "many files": 1} {
		recorder, err := record.Create(record.Options{Path: filepath.Join(folder, name), Size: size})
		if err != nil {
			t.Fatal(err)
		}
		recorders, sinks = append(recorders, recorder), append(sinks, recorder)
	}
	memories := make(map[string]*record.Memory)
	for name, reach := range map[string]time.Duration{"memory": time.Hour, "short memory": 30 * time.Second} {
		memory, err := record.NewMemory(record.MemoryOptions{Duration: reach, Bytes: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		defer memory.Close()
		memories[name], sinks = memory, append(sinks, memory)
	}
	for i := range deltas {
		for _, sink := range sinks {
			sink.Delta(&deltas[i])
		}
		time.Sleep(time.Minute)
	}
	for _, recorder := range recorders {
		if err := recorder.Close(); err != nil {
			t.Fatal(err)
		}
	}
	paths := []string{"one file", "many files"}
	for name, memory := range memories {
		for _, again := range []string{"", " again"} {
			player, err := memory.Play()
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(player.Close)
			k.players[name+again] = player
		}
		saved := "saved " + name
		if err := memory.Save(filepath.Join(folder, saved)); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, saved)
	}
	for _, path := range paths {
		player, err := record.Open(filepath.Join(folder, path), 1000)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(player.Close)
		k.players[path] = player
	}
	for _, player := range k.players {
		player.Watch(scope.Subscriptions(nil, 1))
	}
	return k
}

// minute is a second after the Delta of a minute.
func (k kept) minute(n int) time.Time { return k.begin.Add(time.Duration(n)*time.Minute + time.Second) }

// shows checks what each recording shows after each Delta, if it reaches back to there: by a jump, also if it plays on
// from the Delta before. And it plays everything at once.
func (k kept) shows(t *testing.T, facts func(*screen, *record.Player) string, want ...string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(k.players)) {
		player := k.players[name]
		oldest, _ := player.Range()
		check := func(n int, way string, s *screen) {
			t.Helper()
			if got := facts(s, player); got != want[n] {
				t.Errorf("%s, minute %d, %s: it shows %s, want %s", name, n, way, got, want[n])
			}
		}
		for n := len(want) - 1; n >= 0 && k.minute(n).After(oldest); n-- {
			check(n, "a jump", at(t, player, k.minute(n)))
			if n == 0 || !k.minute(n-1).After(oldest) {
				continue
			}
			s := at(t, player, k.minute(n-1))
			player.Pause(false)
			s.follow(t, player, time.Minute)
			player.Pause(true)
			s.follow(t, player, time.Second)
			check(n, "played", s)
		}
		s := at(t, player, oldest)
		player.SetSpeed(record.MaxSpeed)
		player.Pause(false)
		time.Sleep(time.Second)
		s.follow(t, player, time.Second)
		player.SetSpeed(1)
		check(len(want)-1, "played at once", s)
	}
}

// sizes returns the sizes of all rows by market.
func sizes(s *screen, _ *record.Player) string {
	var rows []string
	for p := range s.book.All {
		rows = append(rows, p.Market.String()+" "+p.Number(model.OpenVolume).String())
	}
	slices.Sort(rows)
	return strings.Join(rows, ", ")
}

func snapshotOf(of model.Subscription, texts ...string) book.Snapshot {
	return usableUpTo(modeltest.NotAfter, of, texts...)
}

// usableUpTo returns a snapshot with a latest time that counts.
func usableUpTo(notAfter int64, of model.Subscription, texts ...string) book.Snapshot {
	rows := book.NewRows()
	rows.PutPage(modeltest.Positions(texts...), notAfter)
	return book.Snapshot{AsIs: true, Subscription: of, Rows: rows, NotAfter: notAfter}
}

// TestWhatAnAuditHasCorrectedIsKept: the rows that it changes and removes, and how they are reported. The ratio of a
// row is an old one if the audit has changed its size. A step goes to its corrections, and to no audit without any.
func TestWhatAnAuditHasCorrectedIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		of := model.Subscription{Epoch: 1}
		audit := func(texts ...string) []book.AuditPage {
			return []book.AuditPage{{Subscription: of, Positions: modeltest.Positions(texts...), NotAfter: math.MaxInt64, First: true, Last: true, IsBelieved: true}}
		}
		key := modeltest.Position("b 1").Key
		levels := model.MarginLevels{MarginKey: model.MarginKey{Key: key}, Maintenance: model.AmountOf(100), Timestamp: model.AmountOf(946_000_000_000_000_010)}
		k := keep(t, model.Scope{},
			book.Delta{Links: []model.Link{{Subscription: of, Phase: model.Live, Committed: true}}, Snapshots: []book.Snapshot{usableUpTo(math.MaxInt64, of, "b 1 @946000000000000010", "c 2 @946000000000000010", "d 3 @946000000000000010")}},
			book.Delta{Margins: []book.MarginsRead{{Page: &model.Page{Rows: []model.MarginLevels{levels}, ReadAt: time.Now()}}}},
			book.Delta{Audits: audit("b 5 @946000000000000020", "c 2 @946000000000000010", "f 7 @946000000000000009")},
			book.Delta{Audits: audit("b 5 @946000000000000020", "c 2 @946000000000000010", "f 7 @946000000000000009")},
			book.Delta{Updates: []book.Updates{{Subscription: of, Positions: modeltest.Positions("b 6 @946000000000000030", "e 1 @946000000000000031"), NotAfter: math.MaxInt64}}},
		)
		k.shows(t, func(s *screen, player *record.Player) string {
			row, _ := s.book.Find(key)
			ratio, has := s.book.RatioOf(&row, model.ID{})
			return fmt.Sprint(sizes(s, player), " ", has, ratio.EndedAt != 0, s.book.IsAudited(of))
		},
			"b 1, c 2, d 3 false false false", "b 1, c 2, d 3 true false false", "b 5, c 2, f 7 true true true", "b 5, c 2, f 7 true true true", "b 6, c 2, e 1, f 7 true true true")
		for name, player := range k.players {
			oldest, newest := player.Range()
			var events []string
			for _, e := range player.Events(newest) {
				at, exact := e.At()
				events = append(events, fmt.Sprint(e.Market, " ", e.Kinds.Names(), " ", e.SeenAt().Sub(k.begin).Round(time.Minute), at.Equal(e.SeenAt()), exact))
			}
			slices.Sort(events)
			want := []string{"b [grown] 2m0s true false", "b [grown] 4m0s false true", "d [removed] 2m0s true false", "e [opened] 4m0s false true", "f [opened] 2m0s true false"}
			if oldest.After(k.minute(1)) {
				want = []string{want[1], want[3]}
			}
			if !slices.Equal(events, want) {
				t.Errorf("%s: the events are %q, want %q", name, events, want)
			}
			if oldest.After(k.minute(1)) {
				continue
			}
			at(t, player, k.minute(1))
			for _, want := range []int{2, 4} {
				player.Step(1)
				newScreen().follow(t, player, time.Second)
				if got := player.Now().Sub(k.begin).Round(time.Second); got != time.Duration(want)*time.Minute {
					t.Errorf("%s: a step goes to %s, want minute %d", name, got, want)
				}
			}
		}
	})
}

// TestWhatASnapshotHasChangedIsKept: of more rows than a line has, some stay, many go, and one comes whose numbers are
// all 0. The ratio of one whose size has changed is an old one. A party without positions has an empty table.
func TestWhatASnapshotHasChangedIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		parties := model.Scope{Parties: []model.ID{model.MakeID("a"), model.MakeID("z")}}
		watched := parties.Subscriptions(nil, 1)
		var links []model.Link
		for _, of := range watched {
			links = append(links, model.Link{Subscription: of, Phase: model.Live, Committed: true})
		}
		var many []string
		for i := range 700 {
			many = append(many, fmt.Sprintf("m%03d 1 @10", i))
		}
		key := modeltest.Position("m600 1").Key
		levels := model.MarginLevels{MarginKey: model.MarginKey{Key: key}, Maintenance: model.AmountOf(100), Timestamp: model.AmountOf(10)}
		k := keep(t, parties,
			book.Delta{
				Links: links, Snapshots: []book.Snapshot{snapshotOf(watched[0], many...), snapshotOf(watched[1])},
				Margins: []book.MarginsRead{{Page: &model.Page{Rows: []model.MarginLevels{levels}, ReadAt: time.Now()}}},
			},
			book.Delta{Snapshots: []book.Snapshot{snapshotOf(watched[0], "m003 1 @10", "m600 2 @20", "new 0")}},
			book.Delta{Snapshots: []book.Snapshot{snapshotOf(watched[0])}},
		)
		k.shows(t, func(s *screen, player *record.Player) string {
			text := sizes(s, player)
			if s.book.Len() == 700 {
				text = "all"
			}
			row, _ := s.book.Find(key)
			ratio, _ := s.book.RatioOf(&row, model.ID{})
			return fmt.Sprint(text, " ", s.book.Has(watched[0]), s.book.Has(watched[1]), ratio.EndedAt)
		}, "all true true 0", "m003 1, m600 2, new 0 true true 20", " true true 0")
	})
}

// TestARecordingOfEverythingIsShownForOneParty: it has the rows, the corrections and the margin records of that party.
func TestARecordingOfEverythingIsShownForOneParty(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		of := model.Subscription{Epoch: 1}
		withOther := func(texts ...string) []model.Position {
			positions := modeltest.Positions(texts...)
			for _, p := range positions {
				p.Party = model.MakeID("other")
				positions = append(positions, p)
			}
			return positions
		}
		rows, page := book.NewRows(), &model.Page{ReadAt: time.Now()}
		rows.PutPage(withOther("b 1 @10", "c 2 @10"), modeltest.NotAfter)
		for p := range rows.All {
			page.Rows = append(page.Rows, model.MarginLevels{MarginKey: model.MarginKey{Key: p.Key}, Timestamp: model.AmountOf(10)})
		}
		k := keep(t, model.Scope{Parties: []model.ID{model.MakeID("a")}},
			book.Delta{Links: []model.Link{{Subscription: of, Phase: model.Live, Committed: true}}, Snapshots: []book.Snapshot{{AsIs: true, Subscription: of, Rows: rows, NotAfter: modeltest.NotAfter}}},
			book.Delta{Updates: []book.Updates{{Subscription: of, Positions: withOther("b 2 @20"), NotAfter: modeltest.NotAfter}}},
			book.Delta{Margins: []book.MarginsRead{{Page: page}}},
			book.Delta{Audits: []book.AuditPage{{Subscription: of, Positions: withOther("b 3 @30"), NotAfter: modeltest.NotAfter, First: true, Last: true, IsBelieved: true}}},
		)
		k.shows(t, func(s *screen, player *record.Player) string {
			return fmt.Sprint(sizes(s, player), "; ", s.book.Margins().Len(), len(s.links), s.links[0].Phase)
		}, "b 1, c 2; 0 1 live", "b 2, c 2; 0 1 live", "b 2, c 2; 2 1 live", "b 3; 2 1 live")
	})
}

// TestARecordedAuditOfEarlierRows: the last page of an audit that began before a snapshot verifies nothing.
func TestARecordedAuditOfEarlierRows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		of := model.Subscription{Epoch: 1}
		page := book.AuditPage{Subscription: of, Positions: modeltest.Positions("b 1 @10"), NotAfter: modeltest.NotAfter, First: true}
		k := keep(t, model.Scope{},
			book.Delta{Links: []model.Link{{Subscription: of, Phase: model.Live, Committed: true}}, Snapshots: []book.Snapshot{snapshotOf(of, "b 1 @10")}},
			book.Delta{Audits: []book.AuditPage{page}},
			book.Delta{Snapshots: []book.Snapshot{snapshotOf(of, "b 2 @20")}},
			book.Delta{Audits: []book.AuditPage{{Subscription: of, NotAfter: modeltest.NotAfter, Last: true, IsBelieved: true}}},
		)
		k.shows(t, func(s *screen, player *record.Player) string {
			return fmt.Sprint(sizes(s, player), " ", s.book.IsAudited(of))
		}, "b 1 false", "b 1 false", "b 2 false", "b 2 false")
	})
}

// TestARecordingOfPartiesIsShownForOthers: for a market it has the rows of both parties, and the state of the stream
// whose rows can be trusted least. A party that was not watched has no rows, and the screen says so.
func TestARecordingOfPartiesIsShownForOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		parties := model.Scope{Parties: []model.ID{model.MakeID("a"), model.MakeID("other")}}
		watched := parties.Subscriptions(nil, 1)
		link := func(n int) model.Link {
			return model.Link{Subscription: watched[n], Phase: model.Live, Committed: true}
		}
		stale := link(1)
		stale.StaleSince, stale.Problem = time.Now(), &model.Problem{Words: "no response"}
		other := modeltest.Position("b 7 @10")
		other.Party = model.MakeID("other")
		rows := book.NewRows()
		rows.Put(&other)
		k := keep(t, model.Scope{Markets: []model.ID{model.MakeID("b")}},
			book.Delta{Links: []model.Link{link(0), link(1)}, Snapshots: []book.Snapshot{snapshotOf(watched[0], "b 1 @10", "c 2 @10"), {Subscription: watched[1], Rows: rows}}},
			book.Delta{Updates: []book.Updates{{Subscription: watched[0], Positions: modeltest.Positions("b 3 @20", "c 4 @20"), NotAfter: modeltest.NotAfter}}},
			book.Delta{Links: []model.Link{link(0), stale}},
		)
		problem := func(l model.Link) string {
			if l.Problem == nil {
				return ""
			}
			return l.Problem.Words
		}
		k.shows(t, func(s *screen, player *record.Player) string {
			return sizes(s, player) + " " + problem(s.links[0])
		}, "b 1, b 7 ", "b 3, b 7 ", "b 3, b 7 no response")
		for name, player := range k.players { // the screen then watches other parties
			s := at(t, player, k.minute(1))
			player.Watch(model.Scope{Parties: []model.ID{model.MakeID("a"), model.MakeID("z")}}.Subscriptions(nil, 1))
			s.book = s.book.Emptied(time.Now())
			s.follow(t, player, time.Second)
			if len(s.links) != 2 || problem(s.links[1]) != "this was not watched when it was recorded" || !s.book.Has(watched[0]) || s.book.Has(s.links[1].Subscription) || problem(s.links[0]) != "" {
				t.Errorf("%s: it shows %s %+v", name, sizes(s, player), s.links)
			}
		}
	})
}

// TestPagesOfARecording have the margin records of their time, after a jump of the time to which that leads: forward,
// back, the last page, in the other order, and of one market.
func TestPagesOfARecording(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		of, page := model.Subscription{Epoch: 1}, &model.Page{ReadAt: time.Now()}
		for i, market := range []string{"b", "c", "d", "e", "f"} {
			key := model.MarginKey{Key: modeltest.Position(market + " 1").Key}
			page.Rows = append(page.Rows, model.MarginLevels{MarginKey: key, Timestamp: model.AmountOf(int64(i))})
		}
		k := keep(t, model.Scope{}, book.Delta{Links: []model.Link{{Subscription: of}}}, book.Delta{Margins: []book.MarginsRead{{Page: page}}})
		for name, player := range k.players {
			oldest, newest := player.Range()
			if oldest.After(k.minute(0)) {
				continue
			}
			at(t, player, oldest)
			began := time.Now()
			request := model.PageRequest{Size: 2, NewestFirst: true, Turn: model.FirstPage}
			var texts []string
			next := func(change func()) {
				change()
				got, err := player.Page(t.Context(), request)
				if err != nil {
					t.Fatal(err)
				}
				text := ""
				if got.HasPrevious {
					text = "<"
				}
				for _, levels := range got.Rows {
					text += levels.Market.String()
				}
				if got.HasNext {
					text += ">"
				}
				if !got.ReadAt.Equal(page.ReadAt) {
					t.Errorf("%s: %s was read at %s", name, text, got.ReadAt)
				}
				texts = append(texts, text)
				request.From = got
			}
			turn := func(to model.PageTurn) func() { return func() { request.Turn = to } }
			next(func() {
				player.Jump(newest)
				go func() {
					time.Sleep(time.Second)
					_, _ = player.Next(t.Context())
				}()
			})
			for _, to := range []model.PageTurn{model.NextPage, model.NextPage, model.PreviousPage, model.PreviousPage, model.PreviousPage, model.LastPage} {
				next(turn(to))
			}
			next(func() { request.NewestFirst, request.Turn = false, model.FirstPage })
			next(func() { request.Scope.Markets = []model.ID{model.MakeID("d")} })
			if got, want := strings.Join(texts, " "), "fe> <dc> <b <dc> fe> fe> <cb bc> d"; got != want || time.Since(began) > time.Minute {
				t.Errorf("%s: after %s, the pages are %s, want %s", name, time.Since(began), got, want)
			}
		}
	})
}

// TestTheOldRatiosOfManyRowsAreKept, of more than a line has.
func TestTheOldRatiosOfManyRowsAreKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		of, page := model.Subscription{Epoch: 1}, &model.Page{ReadAt: time.Now()}
		var before, after []string
		for i := range 300 {
			before, after = append(before, fmt.Sprintf("m%d 1 @10", i)), append(after, fmt.Sprintf("m%d 2 @20", i))
			key := modeltest.Position(before[i]).Key
			page.Rows = append(page.Rows, model.MarginLevels{MarginKey: model.MarginKey{Key: key}, Maintenance: model.AmountOf(100), Timestamp: model.AmountOf(10)})
		}
		k := keep(t, model.Scope{},
			book.Delta{Links: []model.Link{{Subscription: of}}, Snapshots: []book.Snapshot{snapshotOf(of, before...)}, Margins: []book.MarginsRead{{Page: page}}},
			book.Delta{Updates: []book.Updates{{Subscription: of, Positions: modeltest.Positions(after...), NotAfter: modeltest.NotAfter}}},
			book.Delta{Links: []model.Link{{Subscription: of, Messages: 1}}},
		)
		k.shows(t, func(s *screen, _ *record.Player) string {
			old := 0
			for p := range s.book.All {
				if ratio, ok := s.book.RatioOf(&p, model.ID{}); ok && ratio.EndedAt == 20 {
					old++
				}
			}
			return fmt.Sprint(old)
		}, "0", "300", "300")
	})
}

// TestARecordingHasNoAddressAndNoSecret: the name of the service is there instead, and the words without the secret.
func TestARecordingHasNoAddressAndNoSecret(t *testing.T) {
	folder := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		hider := new(secrets.Hider)
		hider.AddToken("hidden-token")
		header := record.Header{Service: "mainnet"}
		recorder, err := record.Create(record.Options{Path: filepath.Join(folder, "file"), Header: header, Secrets: hider})
		if err != nil {
			t.Fatal(err)
		}
		memory, err := record.NewMemory(record.MemoryOptions{Duration: time.Hour, Bytes: 1 << 20, Header: header, Secrets: hider})
		if err != nil {
			t.Fatal(err)
		}
		defer memory.Close()
		const address, words = "https://service.example", "refused: hidden-token"
		problem := &model.Problem{Address: address, Words: words, Advice: words}
		delta := book.Delta{Links: []model.Link{{Address: address, Problem: problem, Changes: 7}}, Margins: []book.MarginsRead{{Err: errors.New(words)}}}
		recorder.Delta(&delta)
		memory.Delta(&delta)
		if err := errors.Join(recorder.Close(), memory.Save(filepath.Join(folder, "saved"))); err != nil {
			t.Fatal(err)
		}
		if problem.Address != address || problem.Words != words || delta.Links[0].Address != address {
			t.Errorf("the screen has %+v", problem)
		}
	})
	for _, name := range []string{"file", "saved"} {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil || bytes.Contains(text, []byte("service.example")) || bytes.Contains(text, []byte("hidden-token")) {
			t.Errorf("%s: %s, %v", name, text, err)
		}
		s := end(t, filepath.Join(folder, name), model.Scope{})
		for _, problem := range []string{s.links[0].Problem.Words, s.links[0].Problem.Advice, s.margins.problem} {
			if !strings.HasPrefix(problem, "refused: ") {
				t.Errorf("%s: the problem is %q", name, problem)
			}
		}
		if l := s.links[0]; l.Address != "mainnet" || l.Problem.Address != "mainnet" || l.Changes != 0 {
			t.Errorf("%s: the address is %q, and of the problem %q; %d changes wait", name, l.Address, l.Problem.Address, l.Changes)
		}
	}
}

// TestMarginRecordsAreKept with the times when they were read, and when the last page was, also after a request that
// has failed.
func TestMarginRecordsAreKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		of := model.Subscription{Epoch: 1}
		read := func(second int, markets ...string) book.MarginsRead {
			page := &model.Page{ReadAt: time.Now().Add(time.Duration(second) * time.Second)}
			for _, market := range markets {
				key := model.MarginKey{Key: model.Key{Party: model.MakeID("a"), Market: model.MakeID(market)}}
				page.Rows = append(page.Rows, model.MarginLevels{MarginKey: key, Maintenance: model.AmountOf(int64(second)), Timestamp: model.AmountOf(10)})
			}
			return book.MarginsRead{Page: page, Whole: second == 1}
		}
		k := keep(t, model.Scope{},
			book.Delta{Links: []model.Link{{Subscription: of, Phase: model.Live, Committed: true}}, Snapshots: []book.Snapshot{snapshotOf(of, "b 1 @10", "c 2 @10", "d 3 @10")}},
			book.Delta{Margins: []book.MarginsRead{read(1, "b", "c")}},
			book.Delta{Margins: []book.MarginsRead{read(2, "b")}},
			book.Delta{Margins: []book.MarginsRead{{Err: errors.New("no response")}}},
		)
		k.shows(t, func(s *screen, player *record.Player) string {
			var records []string
			for levels, readAt := range s.book.Margins().All {
				records = append(records, fmt.Sprint(levels.Market, levels.Maintenance, readAt.Sub(k.begin)))
			}
			slices.Sort(records)
			_, readAt, _ := player.Margins()
			return fmt.Sprint(records, " ", readAt.IsZero(), max(readAt.Sub(k.begin), 0), " ", s.margins)
		}, "[] true 0s { false}", "[b 1 1s c 1 1s] false 1s { true}", "[b 2 2s c 1 1s] false 2s { true}", "[b 2 2s c 1 1s] false 2s {no response true}")
	})
}

// TestHowManyChangesWereMissedIsKept: it is said again when they are played.
func TestHowManyChangesWereMissedIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := keep(t, model.Scope{}, book.Delta{Links: []model.Link{{Subscription: model.Subscription{Epoch: 1}}}}, book.Delta{Missed: 3}, book.Delta{Missed: 4})
		for name, player := range k.players {
			s := newScreen()
			player.Pause(false)
			s.follow(t, player, 5*time.Minute)
			oldest, _ := player.Range()
			if isShort := oldest.After(k.minute(0)); s.missed != 7 && !isShort {
				t.Errorf("%s: %d changes were missed, want 7", name, s.missed)
			}
		}
	})
}

// TestTheReasonOfAProblemIsKept: a later one does not change what is shown of an earlier time. A change that waits
// until its node is no longer behind has its event each time that a memory is played.
func TestTheReasonOfAProblemIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		of := model.Subscription{Epoch: 1}
		link := func(behind time.Duration, words string) []model.Link {
			return []model.Link{{Subscription: of, Phase: model.Live, Committed: true, Lag: model.Lag{By: behind, Shown: model.LagOfRows}, Problem: &model.Problem{Words: words}}}
		}
		k := keep(t, model.Scope{},
			book.Delta{Links: link(time.Hour, "one"), Snapshots: []book.Snapshot{snapshotOf(of, "b 1 @10")}},
			book.Delta{Links: link(time.Hour, "two"), Updates: []book.Updates{{Subscription: of, Positions: modeltest.Positions("b 2 @11"), NotAfter: modeltest.NotAfter}}},
			book.Delta{Links: link(time.Hour, "three")},
			book.Delta{Links: link(0, "four")},
		)
		for range 2 {
			k.shows(t, func(s *screen, player *record.Player) string {
				_, newest := player.Range()
				return fmt.Sprint(s.links[0].Problem.Words, len(player.Events(newest)))
			}, "one1", "two1", "three1", "four1")
		}
	})
}
