package event

import (
	"math"
	"strings"
	"time"

	"blotter/model"
	"blotter/model/book"
)

// Event is a change of a position in size, status or loss socialisation, or the beginning or end of an alert. It has
// 240 bytes; alerts, stories, and texts of the service that are not numbers, are on the heap. Texts that are longer
// than any real one are cut, also identifiers.
type Event struct {
	model.Key
	numbers [2][len(keptNumbers)]model.Packed // before and after
	// The times of the position after and before, in nanoseconds since the Unix epoch; 0 if the service sent none.
	updatedAt, updatedBefore int64
	seenAt                   int64
	texts                    *[2]eventTexts // of what is not packed; nil if all is
	statuses                 [2]model.Status
	Alert                    *AlertReport // what AlertChanged is about; nil for other kinds
	Story                    *Story       // of its position; nil if it belongs to none. It changes until it has ended
	Kinds                    Kinds
	Source                   book.ChangeSource
	noProfit                 bool // it is of a recording that has no PnL of events
}

// notByUpdate is the source of an event that no update has shown.
const notByUpdate = book.ChangedBySnapshot

// lasts reports whether a log keeps the event for longer than others.
func (e *Event) lasts() bool { return e.Alert != nil || e.Story != nil }

// keptNumbers are the numbers that an event keeps of both states.
var keptNumbers = [...]model.Field{model.OpenVolume, model.LossSocialisationAmount, model.AverageEntryPrice,
	model.RealisedPnl, model.UnrealisedPnl}

// AlertReport is the beginning or the end of an alert, or that it was reported again.
type AlertReport struct {
	Rule     string // the name of its rule
	Begins   bool
	IsAgain  bool              // it has begun before. Begins is true
	HasRatio bool              // Ratio is known: of the position or the group
	Ratio    model.MarginRatio // it may have ended
	About    string            // what it is about if that is the feed or a group, and the event has no position; empty if it has
	Group    *AlertedGroup     // if it is about one; nil if not
}

// AlertedGroup is a group when an alert about it began or ended.
type AlertedGroup struct {
	Name      string
	Asset     model.ID
	Rows      int
	Profit    model.Amount // the unrealised PnL
	HasProfit bool
}

// eventTexts are the texts of one state of a position that are not packed.
type eventTexts struct {
	numbers [len(keptNumbers)]string
	status  string
}

// New returns the event of a change that was seen at a time by the clock of the service, and false if the
// change is no event. before is nil for a new position, and after for a removed one.
func New(before, after *model.Position, source book.ChangeSource, seen time.Time) (Event, bool) {
	if NoneBetween(before, after) {
		return Event{}, false
	}
	kinds := Between(before, after)
	if kinds == 0 {
		return Event{}, false
	}
	e := Event{Kinds: kinds, Source: source, seenAt: seen.UnixNano()}
	for i, p := range [...]*model.Position{before, after} {
		if p != nil {
			e.setState(i, p)
		}
	}
	return e, true
}

// OfAlert returns the event of an alert that has begun or ended at a time by the clock of the service, for the position
// as it was then.
func OfAlert(p *model.Position, alert *AlertReport, at time.Time) Event {
	e := Event{Kinds: AlertChanged, Alert: alert, seenAt: at.UnixNano()}
	e.setState(0, p)
	e.setState(1, p)
	return e
}

// HasProfit reports whether the realised and the unrealised PnL of both states are known.
func (e *Event) HasProfit() bool { return !e.noProfit }

// ForgetProfit notes that the PnL of the states is not known.
func (e *Event) ForgetProfit() { e.noProfit = true }

// HasPosition reports whether the event is about a position. That of an alert about the feed, or about a group, is
// not.
func (e *Event) HasPosition() bool { return e.Alert == nil || e.Alert.About == "" }

// The limits of how many bytes of a text an event keeps: of an identifier, which finds the position, and of others. The
// service may send a text of any length, and events are kept long after their positions have changed.
const (
	maxEventID   = 512 // real ones have 64
	maxEventText = model.MaxDigits + 1
)

// setState sets the state before (0), or that after (1) with its time.
func (e *Event) setState(i int, p *model.Position) {
	e.Key = model.Key{Party: eventID(p.Party), Market: eventID(p.Market)}
	if i == 1 {
		e.updatedAt = updatedAt(p)
	} else {
		e.updatedBefore = updatedAt(p)
	}
	e.statuses[i] = p.Status()
	hasText := e.statuses[i].IsText()
	for n, field := range keptNumbers {
		e.numbers[i][n] = p.Numbers()[field]
		hasText = hasText || e.numbers[i][n].IsText()
	}
	if hasText {
		e.setTexts(i, p)
	}
}

// setTexts sets the texts of the state before (0) or after (1).
func (e *Event) setTexts(i int, p *model.Position) {
	if e.texts == nil {
		e.texts = new([2]eventTexts)
	}
	for n, field := range keptNumbers {
		if e.numbers[i][n].IsText() {
			e.texts[i].numbers[n] = eventText(p.Number(field).String())
		}
	}
	if e.statuses[i].IsText() {
		e.texts[i].status = eventText(p.StatusName())
	}
}

// updatedAt returns the time of a position as the service wrote it, but in nanoseconds if that was no integer; 0 if
// there is none.
func updatedAt(p *model.Position) int64 {
	sent := p.Number(model.UpdatedAt)
	if n, isInteger := sent.Int64(); isInteger {
		return n
	}
	at, _ := sent.UsableTime(math.MaxInt64)
	return at
}

// eventID returns an identifier, cut if it is much longer than any real one.
func eventID(id model.ID) model.ID {
	if text := id.String(); len(text) > maxEventID {
		return model.MakeID(cut(text, maxEventID))
	}
	return id
}

// HasCutID reports whether an identifier of the position was cut, so that it does not find the position.
func (e *Event) HasCutID() bool {
	isCut := func(id model.ID) bool {
		return len(id.String()) >= maxEventID && strings.HasSuffix(id.String(), cutMark)
	}
	return isCut(e.Party) || isCut(e.Market)
}

func eventText(text string) string { return cut(text, maxEventText) }

// cut returns a text of at most the given number of bytes, with … if it was longer.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + cutMark
}

// cutMark is at the end of a text that was cut.
const cutMark = "…"

// Before returns the position before the event, as far as the event keeps it: its size, entry price, PnL, loss
// socialisation, status and time. A new position had size 0 and no status. An event of an old recording has no entry
// price and no PnL.
func (e *Event) Before() *model.Position {
	p := e.position(0)
	p.SetNumber(model.UpdatedAt, model.AmountOf(e.updatedBefore))
	return p
}

// After returns the same after the event: size 0 and no status if it is gone.
func (e *Event) After() *model.Position {
	p := e.position(1)
	p.SetNumber(model.UpdatedAt, model.AmountOf(e.updatedAt))
	return p
}

// position returns the position before (0) or after (1), without its time.
func (e *Event) position(i int) *model.Position {
	p := &model.Position{Key: e.Key}
	for n, field := range keptNumbers {
		p.Numbers()[field] = e.numbers[i][n]
	}
	var used *model.Texts
	if e.texts != nil {
		t := &e.texts[i]
		used = &model.Texts{Status: t.status}
		for n, field := range keptNumbers {
			used.Numbers[field] = t.numbers[n]
		}
	}
	p.Restore(e.statuses[i], used)
	return p
}

// SeenAt returns when the change reached the table, by the clock of the service.
func (e *Event) SeenAt() time.Time { return time.Unix(0, e.seenAt) }

// At returns when the event happened. If only a comparison has shown it, or the service sent no time or one that is
// ahead of its clock, that is when it was seen, and exact is false: it happened at some time before.
func (e *Event) At() (at time.Time, exact bool) {
	if e.Alert != nil || e.Kinds == TroubleEnded {
		return e.SeenAt(), true
	}
	updated, ok := model.AmountOf(e.updatedAt).Time()
	if ok && e.Source == book.ChangedByUpdate && updated.Sub(e.SeenAt()) <= model.AheadFor {
		return updated, true
	}
	return e.SeenAt(), false
}
