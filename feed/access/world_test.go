package access

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"time"

	"blotter/feed/endpoint"
	"blotter/model"
	"blotter/model/book"
	"blotter/model/event"
)

// The identifiers of these tests. What may not be seen has "hidden" in it, as have the addresses and the texts of the
// service.
var (
	parties = ids("alice bob hidden-carol hidden-dave")
	markets = ids("gold iron hidden-oil hidden-tin")
)

func ids(words string) (all []model.ID) {
	for word := range strings.FieldsSeq(words) {
		all = append(all, model.MakeID(word))
	}
	return all
}

// limited are the rights of a trader who may see what is not hidden; of parties, of markets or of both.
func limited(ofParties, ofMarkets bool) Rights {
	r := Rights{Everything(), Everything()}
	if ofParties {
		r.Parties = SetOf(parties[:2]...)
	}
	if ofMarkets {
		r.Markets = SetOf(markets[:2]...)
	}
	return r
}

// world is a source that sends anything, also what nobody has requested. What may not be seen depends on another seed
// than the rest.
type world struct {
	*rand.Rand
	hidden  *rand.Rand
	rights  Rights
	asked   []any // what was requested
	watched []model.Subscription
}

func newWorld(seed, hidden uint64, rights Rights) *world {
	return &world{Rand: rand.New(rand.NewPCG(seed, 1)), hidden: rand.New(rand.NewPCG(hidden, 2)), rights: rights}
}

func (w *world) one(of []model.ID) model.ID { return of[w.IntN(len(of))] }

func (w *world) some(of []model.ID) (all []model.ID) {
	for range w.IntN(3) {
		all = append(all, w.one(of))
	}
	return all
}

// seenKey is a key that may be seen.
func (w *world) seenKey() model.Key {
	for {
		if key := (model.Key{Party: w.one(parties), Market: w.one(markets)}); w.rights.Covers(key) {
			return key
		}
	}
}

// keys are some that may be seen, with some others between them.
func (w *world) keys() (all []model.Key) {
	more := func() {
		for range w.hidden.IntN(4) {
			key := model.Key{Party: parties[w.hidden.IntN(4)], Market: markets[w.hidden.IntN(4)]}
			if !w.rights.Covers(key) {
				all = append(all, key)
			}
		}
	}
	for range w.IntN(4) {
		more()
		all = append(all, w.seenKey())
	}
	more()
	return all
}

func (w *world) positions() (all []model.Position) {
	for _, key := range w.keys() {
		p := model.Position{Key: key}
		random := w.Rand
		if !w.rights.Covers(key) {
			random = w.hidden
			p.SetStatus([]byte("hidden status"))
		}
		p.SetNumber(model.OpenVolume, model.AmountOf(random.Int64N(100)))
		all = append(all, p)
	}
	return all
}

func (w *world) rows() (rows *book.Rows, sent model.RowSet) {
	rows = book.NewRows()
	for _, p := range w.positions() {
		rows.Put(&p)
	}
	for p := range rows.All { // a table keeps the identifiers of rows that were removed
		if !w.rights.Covers(p.Key) && w.hidden.IntN(2) == 0 {
			rows.Remove(p.Key)
			break
		}
	}
	return rows, book.NewRowSet(rows)
}

func (w *world) levels() (all []model.MarginLevels) {
	for _, key := range w.keys() {
		all = append(all, model.MarginLevels{MarginKey: model.MarginKey{Key: key}, Maintenance: model.AmountOf(int64(len(key.Party.String())))})
	}
	return all
}

func (w *world) page() *model.Page {
	page := &model.Page{Rows: w.levels(), ReadAt: time.Unix(w.Int64N(100), 0), HasNext: w.IntN(2) == 0}
	for _, key := range w.keys() {
		page.Places = append(page.Places, model.Place{Key: key, End: key.Party.String()})
	}
	return page
}

// err is an error that names others, or none.
func (w *world) err() error {
	text := "hidden-host.example: hidden-carol is not known"
	switch w.IntN(6) {
	case 0:
		return errors.New(text)
	case 1:
		return &endpoint.StatusError{Status: []int{400, 503, 799}[w.IntN(3)], Words: text}
	case 2:
		return fmt.Errorf("reading %s: %w", text, &endpoint.PostponedError{Address: text, Cause: errors.New(text), Until: time.Unix(w.Int64N(100), 0)})
	case 3:
		return fmt.Errorf("%s: %w", text, context.Canceled)
	}
	return nil
}

func (w *world) link(s model.Subscription) model.Link {
	link := model.Link{Subscription: s, Address: "http://hidden-host.example", Phase: model.Waiting, MessageAt: time.Unix(w.Int64N(100), 0)}
	of := w.Rand
	if s.Market.IsZero() && !w.rights.Markets.IsAll() {
		of = w.hidden // the stream has rows that may not be seen
	}
	link.StagedRows, link.StagedPages, link.Messages, link.Bytes = of.IntN(9), of.IntN(9), of.Int64N(9), of.Int64N(9)
	link.Changes, link.Unrequested, link.LeftOut = of.IntN(9), of.IntN(9), of.IntN(9)
	if w.IntN(2) == 0 {
		link.Problem = &model.Problem{Address: "hidden-host", Status: []int{0, 404, 799}[w.IntN(3)], Words: "hidden-dave has no rows", Advice: "look at hidden-host", IsOwn: false}
	}
	return link
}

func (w *world) subscription() model.Subscription {
	var key model.Key
	if w.IntN(4) > 0 {
		key.Party = w.one(parties)
	}
	if w.IntN(3) == 0 {
		key.Market = w.one(markets)
	}
	return model.Subscription{Key: key, Epoch: uint64(w.IntN(2))}
}

func (w *world) delta() (delta book.Delta) {
	for range w.IntN(3) {
		rows, sent := w.rows()
		delta.Snapshots = append(delta.Snapshots, book.Snapshot{Subscription: w.subscription(), Rows: rows, Sent: sent, Superseded: w.positions()})
	}
	for range w.IntN(3) {
		delta.Updates = append(delta.Updates, book.Updates{Subscription: w.subscription(), Positions: w.positions()})
	}
	for range w.IntN(3) {
		delta.Audits = append(delta.Audits, book.AuditPage{Subscription: w.subscription(), Positions: w.positions(), Removed: w.keys(), Corrected: true, Last: w.IntN(4) == 0})
	}
	for range w.IntN(2) {
		delta.Margins = append(delta.Margins, book.MarginsRead{Page: w.page(), Err: w.err()})
	}
	if w.IntN(3) == 0 {
		delta.Missed = 1
		if !w.rights.Parties.IsAll() || !w.rights.Markets.IsAll() {
			delta.Missed += w.hidden.IntN(9)
		}
	}
	if w.IntN(3) == 0 {
		delta.Links = []model.Link{}
		for _, s := range w.watched {
			delta.Links = append(delta.Links, w.link(s))
		}
		delta.Links = append(delta.Links, w.link(w.subscription()))
	}
	return delta
}

func (w *world) Watch(subscriptions []model.Subscription) {
	w.watched = slices.Clone(subscriptions)
	w.asked = append(w.asked, subscriptions)
}

func (w *world) Next(context.Context) (book.Delta, error) { return w.delta(), w.err() }

func (w *world) Page(_ context.Context, request model.PageRequest) (*model.Page, error) {
	w.asked = append(w.asked, request)
	if err := w.err(); err != nil {
		return nil, err
	}
	return w.page(), nil
}

func (w *world) WatchMargins(scope model.Scope) { w.asked = append(w.asked, scope) }

func (w *world) NextMargins(context.Context) (book.MarginsRead, error) {
	return book.MarginsRead{Page: w.page(), Err: w.err()}, w.err()
}

func (w *world) HurryMargins(parties []model.ID) { w.asked = append(w.asked, parties) }

func (w *world) RequestAudit(s model.Subscription) { w.asked = append(w.asked, s) }

func (w *world) Resync() {}

func (w *world) Close() {}

func (w *world) Pause(bool)                  {}
func (w *world) Step(int)                    {}
func (w *world) SetSpeed(float64)            {}
func (w *world) StepTo(func(model.Key) bool) {}

func (w *world) Follow(_ context.Context, key model.Key, _, _ time.Time, show func(time.Time, *model.Position)) error {
	show(time.Unix(0, 0), &model.Position{Key: key})
	return w.err()
}

func (w *world) Jump(time.Time)                    {}
func (w *world) IsJumping() bool                   { return false }
func (w *world) Range() (oldest, newest time.Time) { return }
func (w *world) Now() time.Time                    { return time.Time{} }

func (w *world) State() (speed float64, paused, ended bool, problem error) {
	return 1, false, false, w.err()
}

func (w *world) TakeEvents() (restart bool, events []event.Event) {
	return w.IntN(2) == 0, w.Events(time.Time{})
}

func (w *world) Events(time.Time) (all []event.Event) {
	for _, p := range w.positions() {
		if e, ok := event.New(nil, &p, book.ChangedByUpdate, time.Unix(5, 0)); ok {
			all = append(all, e)
		}
	}
	return all
}

// texts calls found with every text in a value, also those that only its own package can read, and the texts of errors.
func texts(v reflect.Value, found func(string)) {
	if v.IsValid() && v.CanInterface() {
		if err, is := v.Interface().(error); is && err != nil {
			found(err.Error())
			found(fmt.Sprintf("%+v", err))
		}
	}
	switch v.Kind() {
	case reflect.String:
		found(v.String())
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			texts(v.Elem(), found)
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			return
		}
		for i := range v.NumField() {
			texts(v.Field(i), found)
		}
	case reflect.Slice, reflect.Array:
		if v.Kind() == reflect.Slice {
			v = v.Slice(0, v.Cap()) // nor behind its end
		}
		if kind := v.Type().Elem().Kind(); kind >= reflect.Bool && kind <= reflect.Complex128 {
			return
		}
		for i := range v.Len() {
			texts(v.Index(i), found)
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			texts(key, found)
			texts(v.MapIndex(key), found)
		}
	}
}
