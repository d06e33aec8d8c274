package record_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
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

// shows checks what each recording shows after each Delta, from the last one to the first, if it reaches back to there.
func (k kept) shows(t *testing.T, facts func(*screen, *record.Player) string, want ...string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(k.players)) {
		player := k.players[name]
		oldest, _ := player.Range()
		for n := len(want) - 1; n >= 0 && k.minute(n).After(oldest); n-- {
			if got := facts(at(t, player, k.minute(n)), player); got != want[n] {
				t.Errorf("%s, minute %d: it shows %s, want %s", name, n, got, want[n])
			}
		}
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
	rows := book.NewRows()
	rows.PutPage(modeltest.Positions(texts...), modeltest.NotAfter)
	return book.Snapshot{Subscription: of, Rows: rows, NotAfter: modeltest.NotAfter}
}

// TestWhatAnAuditHasCorrectedIsKept: rows that it changes and removes, as what they are reported, and that the ratio of
// a row whose size it has changed is an old one. A step goes to its corrections, and to no audit without any.
func TestWhatAnAuditHasCorrectedIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		of := model.Subscription{Epoch: 1}
		audit := func(texts ...string) []book.AuditPage {
			return []book.AuditPage{{Subscription: of, Positions: modeltest.Positions(texts...), NotAfter: modeltest.NotAfter, First: true, Last: true}}
		}
		key := modeltest.Position("b 1").Key
		levels := model.MarginLevels{MarginKey: model.MarginKey{Key: key}, Maintenance: model.AmountOf(100), Timestamp: model.AmountOf(10)}
		k := keep(t, model.Scope{},
			book.Delta{Links: []model.Link{{Subscription: of, Phase: model.Live, Committed: true}}, Snapshots: []book.Snapshot{snapshotOf(of, "b 1 @10", "c 2 @10", "d 3 @10")}},
			book.Delta{Margins: []book.MarginsRead{{Page: &model.Page{Rows: []model.MarginLevels{levels}, ReadAt: time.Now()}}}},
			book.Delta{Audits: audit("b 5 @20", "c 2 @10", "f 7 @9")},
			book.Delta{Audits: audit("b 5 @20", "c 2 @10", "f 7 @9")},
			book.Delta{Updates: []book.Updates{{Subscription: of, Positions: modeltest.Positions("c 4 @30", "e 1 @31"), NotAfter: modeltest.NotAfter}}},
		)
		k.shows(t, func(s *screen, player *record.Player) string {
			row, _ := s.book.Find(key)
			ratio, has := s.book.RatioOf(&row, model.ID{})
			return fmt.Sprint(sizes(s, player), " ", has, ratio.EndedAt != 0, s.book.IsAudited(of))
		},
			"b 1, c 2, d 3 false false false", "b 1, c 2, d 3 true false false", "b 5, c 2, f 7 true true true", "b 5, c 2, f 7 true true true", "b 5, c 4, e 1, f 7 true true true")
		for name, player := range k.players {
			oldest, newest := player.Range()
			var events []string
			for _, e := range player.Events(newest) {
				at, exact := e.At()
				events = append(events, fmt.Sprint(e.Market, " ", e.Kinds.Names(), " ", e.SeenAt().Sub(k.begin).Round(time.Minute), at.Equal(e.SeenAt()), exact))
			}
			slices.Sort(events)
			want := []string{"b [grown] 2m0s true false", "c [grown] 4m0s false true", "d [removed] 2m0s true false", "e [opened] 4m0s false true", "f [opened] 2m0s true false"}
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
		delta := book.Delta{Links: []model.Link{{Address: address, Problem: problem}}, Margins: []book.MarginsRead{{Err: errors.New(words)}}}
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
		if l := s.links[0]; l.Address != "mainnet" || l.Problem.Address != "mainnet" {
			t.Errorf("%s: the address is %q, and of the problem %q", name, l.Address, l.Problem.Address)
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
