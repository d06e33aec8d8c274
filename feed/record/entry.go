package record

import (
	"cmp"
	"slices"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/book/pairs"
	"blotter/model/event"
)

const formatVersion = 2

// Header describes a recording.
type Header struct {
	Version string    `json:"version"`           // of the program
	Start   time.Time `json:"start"`             // the times of entries are relative to it
	Service string    `json:"service,omitempty"` // its name on the screen
	Thinned bool      `json:"thinned,omitempty"` // at most one state of a row a second was kept, and those that make an event
	model.Scope
}

// headerLine is the first line of each file.
type headerLine struct {
	Recording int `json:"recording"` // formatVersion
	Part      int `json:"part,omitempty"`
	Header
}

// entry is a line of a recording: one thing that the screen got. Everything that it got at once has the same
// time. Exactly one of the fields with a name in JSON is set, beside the time.
type entry struct {
	At       time.Duration         `json:"at"`                 // since the start
	Watched  *[]model.Subscription `json:"watched,omitempty"`  // the streams that are watched from now on
	Link     *linkChange           `json:"link,omitempty"`     // what has changed of the state of a stream
	Updates  *rowsOf               `json:"updates,omitempty"`  // positions that the stream has changed
	Snapshot *rowsOf               `json:"snapshot,omitempty"` // what a whole snapshot changes, in several entries
	Audit    *rowsOf               `json:"audit,omitempty"`    // what an audit has corrected
	Partial  *model.Subscription   `json:"partial,omitempty"`  // the stream begins rows of which some may be missing
	Doubts   *book.Doubts          `json:"doubts,omitempty"`   // the rows in doubt that are marked from now on
	Margins  *marginsOf            `json:"margins,omitempty"`  // margin records
	Sizes    []pairs.SizeChange    `json:"sizes,omitempty"`    // of a whole state: when the sizes of rows have changed
	Event    *eventOf              `json:"event,omitempty"`    // an event, whose positions are the states before and after
	Missed   int                   `json:"missed,omitempty"`   // changes without an event, see book.Delta
	Dropped  int                   `json:"dropped,omitempty"`  // states of rows that are not in the recording, because it was too slow
	Ends     string                `json:"ends,omitempty"`     // closed or continued

	positions []model.Position     // of Updates, Snapshot, Audit and Event
	levels    []model.MarginLevels // of Margins
}

// How a file ends.
const (
	closed    = "closed"    // the recording was ended in order
	continued = "continued" // it continues in the next file
)

// isChange reports whether the entry changes what is in the table of positions.
func (e *entry) isChange() bool {
	return e.Updates != nil && len(e.positions) > 0 || e.Snapshot != nil || e.Partial != nil ||
		e.Audit != nil && len(e.positions)+len(e.Audit.Removed) > 0
}

// changesSeen reports whether the entry changes what is in the table of positions, if only positions with some keys are
// seen; nil is all.
func (e *entry) changesSeen(isSeen func(model.Key) bool) bool {
	rows := cmp.Or(e.Updates, e.Snapshot, e.Audit)
	if !e.isChange() || isSeen == nil || rows == nil {
		return e.isChange()
	}
	return slices.ContainsFunc(e.positions, func(p model.Position) bool { return isSeen(p.Key) }) ||
		slices.ContainsFunc(rows.Removed, isSeen)
}

// rowsOf says whose positions are in an entry.
type rowsOf struct {
	model.Subscription
	Removed []model.Key `json:"removed,omitempty"`
	Last    bool        `json:"lastPage,omitempty"` // of a snapshot or an audit
	Told    int64       `json:"told,omitempty"`     // as in book.Updates; of a snapshot or an audit, with the last page
	// NotAfter is as in book.Updates. It is 0 if it is that of the time of the entry, or if all positions have usable
	// times: it says when the others were received, because the screen may have got them later.
	NotAfter int64 `json:"notAfter,omitempty"`
}

// marginsOf is what was read with some margin records.
type marginsOf struct {
	ReadAt   time.Time   `json:"readAt,omitzero"`
	ServedAt time.Time   `json:"servedAt,omitzero"`
	Block    model.Block `json:"block,omitzero"`
	Problem  string      `json:"problem,omitempty"` // why they could not be read, or why some may be missing
	Ended    bool        `json:"ended,omitempty"`   // as in book.MarginsRead
	Whole    bool        `json:"whole,omitempty"`
}

func (m *marginsOf) page(levels []model.MarginLevels) *model.Page {
	return &model.Page{Rows: levels, ReadAt: m.ReadAt, ServedAt: m.ServedAt, Block: m.Block}
}

// eventOf is an event beside its positions.
type eventOf struct {
	Source  string `json:"source"`
	SeenAt  int64  `json:"seenAt"` // in nanoseconds since the Unix epoch
	Removed bool   `json:"removed,omitempty"`
	PnL     bool   `json:"pnl,omitempty"` // the states have their PnL: those of older programs have none
}

// sourceOf returns the source with a name, and false if there is none.
func sourceOf(name string) (source book.ChangeSource, ok bool) {
	at := slices.Index(book.SourceNames[:], name)
	return book.ChangeSource(max(at, 0)), at >= 0
}

func eventEntry(at time.Duration, e *event.Event) *entry {
	of := &eventOf{Source: book.SourceNames[e.Source], SeenAt: e.SeenAt().UnixNano(), Removed: e.Kinds == event.Removed, PnL: e.HasProfit()}
	return &entry{At: at, Event: of, positions: []model.Position{*e.Before(), *e.After()}}
}

// event returns the event of an entry, and false if it is none.
func (e *entry) event() (event.Event, bool) {
	if e.Event == nil {
		return event.Event{}, false
	}
	source, _ := sourceOf(e.Event.Source)
	after := &e.positions[1]
	if e.Event.Removed {
		after = nil
	}
	of, ok := event.New(&e.positions[0], after, source, time.Unix(0, e.Event.SeenAt))
	if !e.Event.PnL {
		of.ForgetProfit()
	}
	return of, ok
}
