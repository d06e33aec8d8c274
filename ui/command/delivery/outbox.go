package delivery

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/export"
	"blotter/ui/format"
)

// The limits of what waits for the program of one rule.
const (
	maxWaiting = 1000      // alerts
	keptFor    = time.Hour // after the end of an alert
)

// retries are the delays after a failed call, one for each call that has failed in a row; then the last of them.
var retries = [...]time.Duration{5 * time.Second, 15 * time.Second, 40 * time.Second, time.Minute}

// Outbox is what one rule has for its program: for each alert, which is of a position, a group or the feed, the first
// begin that was not delivered and, if the alert is not active again, the last end. It is kept with the state, as JSON.
type Outbox struct {
	Waiting []Alert `json:"waiting,omitempty"`
	LeftOut int     `json:"leftOut,omitempty"` // positions that no event names, and alerts above the limit
	// Delivered has the alerts whose begin was delivered last, and not their end, with their positions.
	Delivered map[string]model.Key `json:"delivered,omitempty"`
	Failures  int                  `json:"-"` // calls that have failed in a row
	told      int                  // what the last message has said of LeftOut
	next      time.Time            // of the next call; zero: at once
}

// Alert is an alert that waits.
type Alert struct {
	Key   string    `json:"key"`         // empty if the rule is about the feed or a group
	Of    model.Key `json:"of,omitzero"` // the position
	Begin *Event    `json:"begin,omitempty"`
	End   *Event    `json:"end,omitempty"`
}

// Event is the begin or the end of an alert, or that it lasts.
type Event struct {
	At       time.Time       `json:"at"`
	IsAgain  bool            `json:"again,omitempty"`
	Why      view.EndReason  `json:"why,omitempty"`
	Service  string          `json:"service"`
	Text     string          `json:"text"`               // of the event that it came with
	Count    int             `json:"count"`              // the positions of that event
	Position json.RawMessage `json:"position,omitempty"` // as programs get it
	Group    json.RawMessage `json:"group,omitempty"`
}

// add adds what an event of the screen has begun or ended. Of an event about many positions, only the first are named.
func (o *Outbox) add(of *view.AlertEvent) {
	e := Event{At: of.At, IsAgain: of.IsAgain, Why: of.Why, Service: of.Service, Text: of.Text, Count: of.Count}
	if of.Group != nil {
		e.Group = export.AlertedGroup(of.Group, of.Instruments)
	}
	if of.Group != nil || of.Feed != "" || len(of.Changes) == 0 {
		o.note(model.Key{}, of.Begins, e)
		return
	}
	o.LeftOut += max(0, of.Count-len(of.Changes))
	for i := range of.Changes {
		e := e
		e.Position = export.Alerted(&of.Changes[i], of.Instruments)
		o.note(of.Changes[i].Position.Key, of.Begins, e)
	}
}

// nameOf returns what an Alert of a position has as its key.
func nameOf(of model.Key) string {
	if of == (model.Key{}) {
		return ""
	}
	return of.Party.String() + " " + of.Market.String()
}

func (o *Outbox) note(of model.Key, begins bool, e Event) {
	key := nameOf(of)
	at := slices.IndexFunc(o.Waiting, func(a Alert) bool { return a.Key == key })
	if at < 0 {
		if len(o.Waiting) == maxWaiting {
			o.LeftOut++
			return
		}
		at, o.Waiting = len(o.Waiting), append(o.Waiting, Alert{Key: key, Of: of})
	}
	a := &o.Waiting[at]
	switch {
	case !begins:
		a.End = &e
	case a.Begin == nil || a.Begin.IsAgain && !e.IsAgain:
		a.Begin, a.End = &e, nil
	default:
		a.End = nil
	}
}

// dropOld drops the alerts that ended too long ago, and returns how many.
func (o *Outbox) dropOld(now time.Time) int {
	all := len(o.Waiting)
	o.Waiting = slices.DeleteFunc(o.Waiting, func(a Alert) bool { return a.End != nil && now.Sub(a.End.At) > keptFor })
	return all - len(o.Waiting)
}

// failed notes that a call has failed, and when the next one is due.
func (o *Outbox) failed(now time.Time) {
	o.next = now.Add(retries[min(o.Failures, len(retries)-1)])
	o.Failures++
}

// part is the alerts that one message is about.
type part struct {
	isEnd, isAgain, isUnknown bool // isUnknown: ends whose begins never arrived
	why                       view.EndReason
}

// parts returns the parts of one delivery, in their order.
func parts() []part {
	all := []part{{}, {isAgain: true}}
	for _, isUnknown := range []bool{false, true} {
		for _, why := range append([]view.EndReason{""}, view.EndReasons()...) {
			all = append(all, part{isEnd: true, isUnknown: isUnknown, why: why})
		}
	}
	return all
}

// message returns the first message of what waits and the alerts that it is about; false if nothing waits.
func (o *Outbox) message(rule string) (export.AlertMessage, []Alert, bool) {
	for _, p := range parts() {
		var of []Alert
		for _, a := range o.Waiting {
			_, isDelivered := o.Delivered[a.Key]
			if e := p.eventOf(a); e != nil && (!p.isEnd || p.isUnknown != isDelivered) {
				of = append(of, a)
			}
		}
		if len(of) > 0 {
			return o.write(rule, p, of), of, true
		}
	}
	return export.AlertMessage{}, nil, false
}

// eventOf returns the event of an alert that a part has; nil if none. An end waits for its begin.
func (p part) eventOf(a Alert) *Event {
	switch {
	case p.isEnd && a.Begin == nil && a.End != nil && a.End.Why == p.why:
		return a.End
	case !p.isEnd && a.Begin != nil && a.Begin.IsAgain == p.isAgain:
		return a.Begin
	}
	return nil
}

// write writes a message. Its words are those of its event if it is about one event only.
func (o *Outbox) write(rule string, p part, of []Alert) export.AlertMessage {
	first := p.eventOf(of[0])
	m := export.AlertMessage{
		Alert: rule, At: first.At, Service: first.Service, Text: first.Text, Count: first.Count,
		Direction: export.AlertBegins, Group: first.Group, BeginNotDelivered: p.isUnknown, Why: p.why,
	}
	switch {
	case p.isEnd:
		m.Direction = export.AlertEnds
	case p.isAgain:
		m.Direction = export.AlertLasts
	}
	isOne, leftOut := true, o.LeftOut
	o.told = leftOut
	for _, a := range of {
		e := p.eventOf(a)
		isOne = isOne && e.Text == first.Text && e.At.Equal(first.At)
		if e.Position != nil && len(m.Positions) < view.MaxEventPositions {
			m.Positions = append(m.Positions, e.Position)
		}
	}
	if isOne {
		leftOut -= max(0, m.Count-len(of)) // which its count has
	} else {
		m.Count = len(of)
		m.Text = format.OneLine(rule) + p.words() + ": " + format.Counted(len(of), "position") + ", of several times"
	}
	if leftOut > 0 {
		m.Text += ", and " + format.Grouped(leftOut) + " more, left out"
	}
	m.ID = idOf(&m)
	return m
}

func (p part) words() string {
	switch {
	case p.isEnd:
		return " ended"
	case p.isAgain:
		return " again"
	}
	return ""
}

// idOf returns the identifier of a message: the same one for the same content, also after a restart.
func idOf(m *export.AlertMessage) string {
	sum := sha256.Sum256(m.Append(nil))
	return hex.EncodeToString(sum[:12])
}

// delivered removes what a message was about. What has come meanwhile stays.
func (o *Outbox) delivered(direction string, of []Alert) {
	o.Failures, o.next, o.LeftOut = 0, time.Time{}, o.LeftOut-o.told
	for _, was := range of {
		at := slices.IndexFunc(o.Waiting, func(a Alert) bool { return a.Key == was.Key })
		if at < 0 {
			continue
		}
		a := &o.Waiting[at]
		if direction == export.AlertEnds {
			delete(o.Delivered, a.Key)
			if a.End == was.End {
				a.End = nil
			}
		} else {
			o.setDelivered(a.Key, a.Of)
			if a.Begin == was.Begin {
				a.Begin = nil
			}
		}
	}
	o.Waiting = slices.DeleteFunc(o.Waiting, func(a Alert) bool { return a.Begin == nil && a.End == nil })
}

func (o *Outbox) setDelivered(name string, of model.Key) {
	if o.Delivered == nil {
		o.Delivered = make(map[string]model.Key)
	}
	o.Delivered[name] = of
}

// size returns how many events wait, with those that were left out.
func (o *Outbox) size() int {
	n := o.LeftOut
	for _, a := range o.Waiting {
		if a.Begin != nil {
			n++
		}
		if a.End != nil {
			n++
		}
	}
	return n
}

// clone returns a copy. Events do not change.
func (o *Outbox) clone() *Outbox {
	c := *o
	c.Waiting, c.Delivered = slices.Clone(o.Waiting), maps.Clone(o.Delivered)
	return &c
}
