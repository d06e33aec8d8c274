package record

import (
	"fmt"
	"reflect"
	"strings"
	"time"

	"blotter/model"
	"blotter/model/book/pairs"
)

// Any program can write a recording with right checksums. So whatever has fewer values than its type is checked where a
// line is read: what is enumerated, times, durations and counts. All that uses them relies on that. The numbers of
// positions and margin records are checked where they are used, because a service can send any text for them.

// The limits of times in a recording. A sum of them is a time that has nanoseconds since the Unix epoch in 64 bits.
const (
	firstYear, lastYear = 1970, 2100      // of the start
	longest             = 20 * 365 * day  // from the start to the end
	maxClockOffset      = 101 * 365 * day // of a service
	day                 = 24 * time.Hour
)

// check returns an error if the header has a value that no recording has.
func (h *Header) check() error {
	if year := h.Start.UTC().Year(); year < firstYear || year > lastYear {
		return fmt.Errorf("its header is wrong: start is of the year %d, not of %d to %d", year, firstYear, lastYear)
	}
	return nil
}

// check returns an error if the head of a block has a value that no recording has.
func (b *blockLine) check() error {
	if b.At < 0 || b.At > longest {
		return wrongValue("its at", int64(b.At))
	}
	if b.State != "" && b.State != stateBegins && b.State != stateGoesOn {
		return wrongValue("its state", fmt.Sprintf("%.20q", b.State))
	}
	return nil
}

// check returns an error if the entry has a value that no recording has. The time is the one that its line begins with.
func (e *entry) check(at time.Duration) error {
	for _, c := range []struct {
		name  string
		wrong bool
		value any
	}{
		{"at", e.At != at || e.At > longest, int64(e.At)},
		{"missed", e.Missed < 0, e.Missed},
		{"dropped", e.Dropped < 0, e.Dropped},
		{"ends", e.Ends != "" && e.Ends != closed && e.Ends != continued, fmt.Sprintf("%.20q", e.Ends)},
	} {
		if c.wrong {
			return wrongValue(c.name, c.value)
		}
	}
	for _, rows := range []*rowsOf{e.Updates, e.Snapshot, e.Audit} {
		if rows != nil && rows.Told < 0 {
			return wrongValue("told", rows.Told)
		}
		if rows != nil && rows.NotAfter < 0 {
			return wrongValue("notAfter", rows.NotAfter)
		}
	}
	for i := range e.Sizes {
		if err := checkSizeChange(&e.Sizes[i]); err != nil {
			return fmt.Errorf("sizes: %w", err)
		}
	}
	if e.Event != nil {
		if err := e.checkEvent(); err != nil {
			return fmt.Errorf("event: %w", err)
		}
	}
	if e.Margins != nil {
		return checkFields("margins", reflect.ValueOf(e.Margins).Elem())
	}
	return nil
}

func (e *entry) checkEvent() error {
	switch _, isKnown := sourceOf(e.Event.Source); {
	case !isKnown:
		return wrongValue("source", fmt.Sprintf("%.20q", e.Event.Source))
	case e.Event.SeenAt < 0:
		return wrongValue("seenAt", e.Event.SeenAt)
	case len(e.positions) != 2:
		return wrongValue("the number of positions", len(e.positions))
	}
	return nil
}

// checkSizeChange also replaces each ratio that is none by none.
func checkSizeChange(c *pairs.SizeChange) error {
	switch {
	case c.At < 0:
		return wrongValue("at", c.At)
	case c.Side >= model.SideCount: // UnknownSide is one: a row whose size is no number can wait too
		return wrongValue("side", c.Side)
	}
	for i := range c.Last {
		r := &c.Last[i].MarginRatio
		switch {
		case r.EndedAt < 0:
			return wrongValue("endedAt", r.EndedAt)
		case c.Last[i].Until < 0:
			return wrongValue("until", c.Last[i].Until)
		}
		if !r.Profit.IsNumber() || !r.Maintenance.IsNumber() || r.Maintenance.Sign() < 0 {
			*r = model.MarginRatio{EndedAt: r.EndedAt}
		}
	}
	return nil
}

// checkLink returns an error if a link has a value that the link of a stream never has.
func checkLink(link *model.Link) error {
	if hasBroken := link.Phase == model.Waiting || link.Phase == model.Refused; hasBroken && link.Problem == nil {
		return fmt.Errorf("link: phase is %q, and problem is absent", link.Phase)
	}
	return checkFields("link", reflect.ValueOf(link).Elem())
}

// checkFields checks each field of a struct by its type. Its name is that of the struct.
func checkFields(name string, of reflect.Value) error {
	for i := range of.NumField() {
		field := of.Type().Field(i).Name
		if err := checkField(name+"."+strings.ToLower(field[:1])+field[1:], of.Field(i)); err != nil {
			return err
		}
	}
	return nil
}

func checkField(name string, field reflect.Value) error {
	isWrong, value := false, field.Interface()
	switch v := value.(type) {
	case model.Phase:
		isWrong, value = int(v) >= len(model.Phases()), uint8(v)
	case model.LagShownBy:
		isWrong = v >= model.LagShownByCount
	case time.Time:
		// A time that comes from a service has nanoseconds in 64 bits.
		isWrong = !v.IsZero() && !v.Equal(time.Unix(0, v.UnixNano()))
	case time.Duration:
		if isWrong = v < 0; strings.HasSuffix(name, ".clockOffset") {
			isWrong = v < -maxClockOffset || v > maxClockOffset
		}
		value = int64(v)
	case int:
		isWrong = v < 0
	case int64:
		isWrong = v < 0 && !strings.HasSuffix(name, ".height")
	case model.Subscription, bool, string:
	case *model.Problem:
		if v != nil {
			return checkFields(name, field.Elem())
		}
	default:
		return checkFields(name, field)
	}
	if isWrong {
		return wrongValue(name, value)
	}
	return nil
}

func wrongValue(name string, value any) error { return fmt.Errorf("%s cannot be %v", name, value) }
