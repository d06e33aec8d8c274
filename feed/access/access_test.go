package access

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"blotter/feed/hub"
	"blotter/model"
	"blotter/model/book"
	"blotter/model/modeltest"
)

// session does some things with what a trader gets, and returns all that came.
func session(w *world) (came []any) {
	a := NewPast(w, w.rights, "desk")
	take := func(values ...any) { came = append(came, values...) }
	for range 60 {
		switch w.IntN(12) {
		case 0, 1:
			var subscriptions []model.Subscription
			for range 1 + w.IntN(3) {
				subscriptions = append(subscriptions, model.Subscription{Key: w.seenKey(), Epoch: 1}, w.subscription())
			}
			a.Watch(subscriptions)
		case 2:
			request := model.PageRequest{Scope: model.Scope{Parties: w.some(parties), Markets: w.some(markets)}, From: w.page(), Turn: model.NextPage}
			page, err := a.Page(context.Background(), request)
			take(page, err)
		case 3:
			a.WatchMargins(model.Scope{Parties: w.some(parties), Markets: w.some(markets)})
		case 4:
			if a.margins != nil { // else it waits
				read, err := a.NextMargins(context.Background())
				take(read, err)
			}
		case 5:
			a.HurryMargins(w.some(parties))
			a.RequestAudit(w.subscription())
			a.Resync()
		case 6:
			_, _, _, problem := a.State()
			key := model.Key{Party: w.one(parties), Market: w.one(markets)}
			take(a.Follow(context.Background(), key, time.Time{}, time.Time{}, func(_ time.Time, p *model.Position) { take(*p) }))
			_, events := a.TakeEvents()
			take(problem, events, a.Events(time.Time{}))
		default:
			delta, err := a.Next(context.Background())
			take(delta, err)
		}
	}
	return came
}

// FuzzAccess: nothing that may not be seen is in any value that comes out, and what may be seen is the same, whatever
// the rest is. Nothing else is requested.
func FuzzAccess(f *testing.F) {
	for seed := range uint64(modeltest.Times(100)) {
		f.Add(seed, uint8(seed))
	}
	f.Fuzz(func(t *testing.T, seed uint64, of uint8) {
		rights := limited(of%3 != 1, of%3 != 2)
		one, two := newWorld(seed, 1, rights), newWorld(seed, 2, rights)
		came, others := session(one), session(two)
		for i, value := range came {
			if got, other := words(value), words(others[i]); got != other {
				t.Fatalf("it depends on what may not be seen: %T\n%.500s\nor\n%.500s", value, got, other)
			}
			if delta, is := value.(book.Delta); is { // the trader has named what is refused
				delta.Links = slices.DeleteFunc(slices.Clone(delta.Links), func(l model.Link) bool { return l.Phase == model.Refused })
				delta.Links = slices.Clip(delta.Links)
				value = delta
			}
			texts(reflect.ValueOf(&value), func(text string) {
				if isLeak(rights, text) {
					t.Fatalf("%q is in %T %.1000s", text, value, words(value))
				}
			})
		}
		for _, asked := range one.asked {
			texts(reflect.ValueOf(&asked), func(text string) {
				if isLeak(rights, text) {
					t.Fatalf("%q is requested: %.1000s", text, words(asked))
				}
			})
			if scope, is := asked.(model.Scope); is && !isNarrow(rights, scope) {
				t.Fatalf("margin levels of %+v are requested", scope)
			}
			if request, is := asked.(model.PageRequest); is && !isNarrow(rights, request.Scope) {
				t.Fatalf("a page of %+v is requested", request.Scope)
			}
			if subscriptions, is := asked.([]model.Subscription); is {
				for _, s := range subscriptions {
					if s.Party.IsZero() && !rights.Parties.IsAll() || s.Party.IsZero() && s.Market.IsZero() {
						t.Fatalf("the stream %+v is requested", s)
					}
				}
			}
		}
	})
}

// decided has each method of what a trader gets, and why nothing that is hidden comes out of it.
var decided = map[string]string{
	"Close": "returns nothing", "Events": "checked by session", "Follow": "checked by session", "HurryMargins": "checked by session",
	"IsJumping": "the clock of the trader's own player", "Jump": "returns nothing", "Links": "what Next returns", "Next": "checked by session",
	"NextMargins": "checked by session", "Now": "the clock of the trader's own player", "Page": "checked by session", "Pause": "returns nothing",
	"Range": "how far back the past reaches", "RequestAudit": "checked by session", "Resync": "checked by session",
	"SetSpeed": "returns nothing", "State": "checked by session", "Step": "returns nothing",
	"TakeEvents": "checked by session", "Watch": "checked by session", "WatchMargins": "checked by session",
}

// TestEachMethodOfWhatATraderGetsIsDecided: a new method of the source, or of the past, must be added to session, or
// return nothing that is hidden.
func TestEachMethodOfWhatATraderGetsIsDecided(t *testing.T) {
	got := reflect.TypeFor[*Past]()
	for method := range got.Methods() {
		if decided[method.Name] == "" {
			t.Errorf("it is not decided what comes out of %s", method.Name)
		}
	}
	if got.NumMethod() != len(decided) {
		t.Errorf("there are %d methods, and %d are decided", got.NumMethod(), len(decided))
	}
}

// isLeak reports whether a text has something that may not be seen.
func isLeak(rights Rights, text string) bool {
	isIn := func(id model.ID) bool { return strings.Contains(text, id.String()) }
	return strings.Contains(text, "hidden-host") || strings.Contains(text, "hidden status") ||
		slices.ContainsFunc(parties, func(id model.ID) bool { return isIn(id) && !rights.Parties.Has(id) }) ||
		slices.ContainsFunc(markets, func(id model.ID) bool { return isIn(id) && !rights.Markets.Has(id) })
}

// isNarrow reports whether a scope names what it may have only.
func isNarrow(rights Rights, of model.Scope) bool {
	return (rights.Parties.IsAll() || len(of.Parties) > 0) && (rights.Markets.IsAll() || len(of.Markets) > 0)
}

// words returns a value in words, the same ones for the same rows in any order.
func words(value any) string {
	delta, is := value.(book.Delta)
	if !is {
		if page, is := value.(*model.Page); is && page != nil {
			value = *page
		}
		if read, is := value.(book.MarginsRead); is && read.Page != nil {
			return fmt.Sprintf("%+v %v", *read.Page, read.Err)
		}
		return fmt.Sprintf("%+v", value)
	}
	var all []string
	for _, s := range delta.Snapshots {
		var rows []string
		number := uint32(0)
		for number = range s.Rows.AllNumbers {
			rows = append(rows, fmt.Sprintf("%+v %t", s.Rows.Position(number), s.Sent.Has(number)))
		}
		slices.Sort(rows)
		all = append(all, fmt.Sprint(s.Subscription, rows, s.Superseded))
	}
	for _, link := range delta.Links {
		problem := model.Problem{}
		if link.Problem != nil {
			problem = *link.Problem
		}
		link.Problem = nil
		link.Since = time.Time{}
		all = append(all, fmt.Sprintf("%+v %+v", link, problem))
	}
	for _, read := range delta.Margins {
		all = append(all, words(read))
	}
	return strings.Join(all, "\n") + fmt.Sprintf("%+v %+v missed %d", delta.Updates, delta.Audits, delta.Missed)
}

// TestWhoMaySeeEverything gets everything as it is, but for addresses and the words of the service.
func TestWhoMaySeeEverything(t *testing.T) {
	w := newWorld(1, 1, Rights{Everything(), Everything()})
	want := newWorld(1, 1, w.rights)
	a := New(w, w.rights, "desk")
	subscriptions := model.Scope{}.Subscriptions(nil, 1)
	a.Watch(subscriptions)
	want.Watch(subscriptions)
	for range 100 {
		expected := want.delta()
		if want.err() != nil {
			_, _ = a.Next(t.Context())
			continue
		}
		if expected.Links == nil && !hasData(&expected) {
			continue // Next has gone on
		}
		got, err := a.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		expected.Updates = slices.DeleteFunc(expected.Updates, func(u book.Updates) bool { return len(u.Positions) == 0 })
		expected.Audits = slices.DeleteFunc(expected.Audits, func(p book.AuditPage) bool { return len(p.Positions)+len(p.Removed) == 0 && !p.Last })
		got.Links, expected.Links, got.Margins, expected.Margins = nil, nil, nil, nil
		if words(got) != words(expected) {
			t.Fatalf("%s\nwant\n%s", words(got), words(expected))
		}
	}
}

// TestAllIsWhatMaySeen: a scope of all has a stream for each party that may be seen; with all parties, for each market.
func TestAllIsWhatMayBeSeen(t *testing.T) {
	for _, c := range []struct {
		rights Rights
		scope  model.Scope
		want   string
	}{
		{limited(true, true), model.Scope{}, "alice bob"},
		{limited(true, true), model.Scope{Markets: ids("gold")}, "alice bob"},
		{limited(true, true), model.Scope{Parties: ids("bob hidden-carol")}, "bob hidden-carol"},
		{limited(false, true), model.Scope{}, "gold iron"},
		{limited(false, true), model.Scope{Markets: ids("hidden-oil")}, "hidden-oil"},
		{limited(false, true), model.Scope{Parties: ids("bob")}, "bob"},
		{limited(false, false), model.Scope{}, ""},
		{Rights{}, model.Scope{Parties: ids("bob")}, "bob"},
	} {
		var got []string
		for _, s := range c.rights.Subscriptions(c.scope, nil, 1) {
			got = append(got, s.Party.String()+s.Market.String())
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%+v: %q, want %q", c.scope, got, c.want)
		}
	}
	if got := (Rights{}).Subscriptions(model.Scope{}, nil, 1); len(got) > 0 {
		t.Errorf("without rights: %v", got)
	}
	if _, ok := (Rights{}).Scope(model.Scope{}); ok {
		t.Error("without rights there is a scope")
	}
}

// TestRowsInDoubtThatMayBeSeen: the keys of others are dropped, and the list of the source is not changed.
func TestRowsInDoubtThatMayBeSeen(t *testing.T) {
	key := func(market model.ID) model.Key { return model.Key{Party: parties[0], Market: market} }
	hidden := key(model.MakeID("hidden-oil"))
	all := []book.Doubts{{Subscription: model.Subscription{Key: model.Key{Party: parties[0]}, Epoch: 1}, Keys: []model.Key{key(markets[0]), hidden, key(markets[1])}}}
	delta := book.Delta{Doubts: all}
	New(nil, limited(true, true), "desk").keepSeen(&delta)
	if want := []model.Key{key(markets[0]), key(markets[1])}; len(delta.Doubts) != 1 || !slices.Equal(delta.Doubts[0].Keys, want) {
		t.Errorf("in doubt are %v, want %v", delta.Doubts, want)
	}
	if len(all[0].Keys) != 3 || all[0].Keys[1] != hidden {
		t.Errorf("the list of the source is %v now", all[0].Keys)
	}
}

// TestRefusedSubscriptionSaysSo at once, also if nothing else is watched, and while Next waits.
func TestRefusedSubscriptionSaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		silent := &silentSource{}
		a := New(silent, limited(true, false), "desk")
		links := make(chan []model.Link)
		go func() {
			for {
				delta, err := a.Next(t.Context())
				if err != nil {
					return
				}
				links <- delta.Links
			}
		}()
		synctest.Wait()
		for _, scope := range []model.Scope{{Parties: ids("hidden-carol")}, {Parties: ids("hidden-dave hidden-carol")}} {
			subscriptions := scope.Subscriptions(nil, 1)
			a.Watch(subscriptions)
			for i, link := range <-links {
				if link.Subscription != subscriptions[i] || link.Phase != model.Refused || link.Problem.Words != "this desk does not show you that" || !link.MayBeOutOfDate(time.Now()) {
					t.Errorf("%+v, %+v", link, link.Problem)
				}
			}
			if len(silent.watched) > 0 {
				t.Errorf("%v are watched", silent.watched)
			}
		}
		if _, err := a.Page(t.Context(), model.PageRequest{Scope: model.Scope{Parties: ids("hidden-carol")}}); err != errNotAllowed {
			t.Errorf("a page: %v", err)
		}
	})
}

// silentSource sends nothing.
type silentSource struct {
	world
	watched []model.Subscription
}

func (s *silentSource) Watch(subscriptions []model.Subscription) { s.watched = subscriptions }

func (s *silentSource) Next(ctx context.Context) (book.Delta, error) {
	<-ctx.Done()
	return book.Delta{}, ctx.Err()
}

// TestWordsThatMayBeSeen: the status, when a request can be sent again, and why a program itself refuses.
func TestWordsThatMayBeSeen(t *testing.T) {
	if got := hiddenProblem(&model.Problem{Address: "http://10.0.0.1", Status: 503, Words: "no such host", Advice: "x"}, "desk"); *got != (model.Problem{Address: "desk", Status: 503, Words: "Service Unavailable", Advice: hiddenAdvice}) {
		t.Errorf("%+v", got)
	}
	if got := hiddenProblem(&model.Problem{Words: "this desk follows at most 3 streams", IsOwn: true, Advice: "wait"}, "desk"); got.Words != "this desk follows at most 3 streams" || got.Advice != "wait" {
		t.Errorf("%+v", got)
	}
	for _, known := range []error{context.Canceled, hub.ErrClosed} {
		if got := hiddenError(fmt.Errorf("http://10.0.0.1: %w", known)); got != known {
			t.Errorf("%v, want %v", got, known)
		}
	}
	if got := hiddenError(errors.New("dial 10.0.0.1")); got != errHidden {
		t.Error(got)
	}
}

// TestNamesThatMayBeSeen: those of other parties and markets are not known, not even to who types them.
func TestNamesThatMayBeSeen(t *testing.T) {
	var p []model.Party
	var m []model.Market
	for _, id := range parties {
		p = append(p, model.Party{ID: id, Name: "Name of " + id.String()})
	}
	for _, id := range markets {
		m = append(m, model.Market{ID: id, Name: "Name of " + id.String(), Asset: model.MakeID("usd")})
	}
	in := model.NewInstruments(p, m, []model.Asset{{ID: model.MakeID("usd"), Symbol: "USD"}})
	in = in.WithGroups([]model.Group{
		{Name: "visible", Scope: model.Scope{Parties: []model.ID{parties[0]}}},
		{Name: "hidden parties", Scope: model.Scope{Parties: parties}},
		{Name: "hidden markets", Scope: model.Scope{Markets: markets}},
	})
	in = in.Learn([]model.MarginLevels{{MarginKey: model.MarginKey{Key: model.Key{Market: model.MakeID("hidden-new")}, Asset: model.MakeID("usd")}}})
	only := limited(true, true).Instruments(in)
	texts(reflect.ValueOf(only), func(text string) {
		if strings.Contains(text, "hidden") {
			t.Errorf("%q", text)
		}
	})
	if only.Party(parties[0]).Name != "Name of alice" || only.PartyNamed("Name of bob") != parties[1] || only.Market(markets[1]).Name != "Name of iron" || len(only.Parties()) != 2 || only.Asset(model.MakeID("usd")).Symbol != "USD" || len(only.Groups()) != 1 {
		t.Errorf("%+v", only)
	}
}
