package alerts

import (
	"slices"
	"strings"
	"time"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/draw"
	"blotter/ui/format"
)

// eventWords returns a line about an event: the alert, and its group, its position or the number of positions.
func eventWords(event *view.AlertEvent, f *format.Formatter) string {
	words := format.OneLine(event.Rule.Name)
	if !event.Begins {
		words += " ended"
	} else if event.IsAgain {
		words += " again"
	}
	if event.Feed != "" {
		return words + ": " + event.Feed
	}
	switch {
	case event.Group != nil:
		words += ": " + groupWords(&event.Rule, event.Group, f)
	case event.Count == 1 && event.Why != "" && isGone(&event.Changes[0].Position):
		words += ": " + f.Position(event.Changes[0].Position.Key)
	case event.Count == 1:
		words += ": " + positionWords(&event.Changes[0], f)
	default:
		words += ": " + format.Counted(event.Count, "position")
	}
	words += whyWords(event.Why)
	var behind, lateBy time.Duration
	isPartial := false
	for i := range event.Changes {
		lateBy = max(lateBy, event.Changes[i].LateBy)
		behind, isPartial = max(behind, event.Changes[i].Behind), isPartial || event.Changes[i].Partial
	}
	if behind > 0 {
		words += ", behind " + format.Age(behind)
	} else if lateBy > 0 {
		words += ", updates " + format.Age(lateBy) + " late"
	}
	if isPartial {
		words += ", partial"
	}
	return words
}

// isGone reports whether nothing but the key of a position is known.
func isGone(p *model.Position) bool { return p.Number(model.UpdatedAt).IsZero() && !p.IsOpen() }

// whyWords returns why an alert has ended.
func whyWords(why view.EndReason) string {
	switch why {
	case view.EndsGone:
		return ", gone"
	case view.EndsWhileAway:
		return ", while it was not watched"
	case view.EndsByChange:
		return ", its rule was changed"
	}
	return ""
}

// begunWords returns a line about the beginning of an alert, and about what is reported again; empty if the events have
// neither.
func begunWords(events []view.AlertEvent, f *format.Formatter) string {
	var words []string
	for _, isAgain := range []bool{false, true} {
		words = append(words, wordsOf(events, isAgain, f))
	}
	return strings.Join(slices.DeleteFunc(words, func(text string) bool { return text == "" }), "; ")
}

// wordsOf returns a line about the beginnings, or about what is reported again; empty if there is none. A position for
// which an alert has begun again counts once.
func wordsOf(events []view.AlertEvent, isAgain bool, f *format.Formatter) string {
	var begun view.AlertEvent
	counted := make(map[model.Key]bool)
	for i := range events {
		e := &events[i]
		if !e.Begins || e.IsAgain != isAgain {
			continue
		}
		count := begun.Count + e.Count
		for _, change := range e.Changes {
			if counted[change.Position.Key] {
				count--
			}
			counted[change.Position.Key] = true
		}
		begun = *e
		begun.Count = count
	}
	if !begun.Begins {
		return ""
	}
	return eventWords(&begun, f)
}

func positionWords(change *view.AlertChange, f *format.Formatter) string {
	p := &change.Position
	words := []string{
		f.Position(p.Key),
		"size " + f.Number(p, model.OpenVolume).Marked(format.RawMark),
		"uPnL " + f.Number(p, model.UnrealisedPnl).Marked(format.RawMark),
	}
	if change.HasRatio && !change.Ratio.HasEnded() {
		words = append(words, "uPnL/MM "+change.Ratio.String())
	}
	if status := format.Status(p); status != "" {
		words = append(words, status)
	}
	return strings.Join(words, ", ")
}

// Quiet returns how many positions and groups have an alert, and how many rules are off; empty if all are 0.
func Quiet(positions, groups int, rules []Rule) string {
	var words []string
	if positions > 0 {
		words = append(words, format.Grouped(positions)+" in alert")
	}
	if groups > 0 {
		words = append(words, format.Counted(groups, "group")+" in alert")
	}
	off := 0
	for i := range rules {
		if rules[i].IsOff {
			off++
		}
	}
	if off > 0 {
		words = append(words, format.Counted(off, "rule")+" off")
	}
	return strings.Join(words, ", ")
}

// maxUnseenWords is how many cells of the first line the alerts have.
const maxUnseenWords = 40

// Unseen are the alerts of a rule that were not seen.
type Unseen struct {
	Rule *Rule
	Now  int // in alert now, seen or not
	New  int // have begun, or were reported again, and were not seen
}

// UnseenWords returns the texts of the first line about alerts that were not seen, the rules about the feed first. The
// rules are in the order in which their alerts began:
// "ALERT old rows, distress 2, loss 1, 5 new", and "ALERT 3" if there is little room. The number of a rule is how many
// are in alert now. The texts are empty if all were seen.
func UnseenWords(unseen []Unseen) (words, count string) {
	var names, ofFeed []string
	now, unread := 0, 0
	for _, u := range unseen {
		now, unread = now+u.Now, unread+u.New
		if name := format.OneLine(u.Rule.Name); u.Rule.StaleFor > 0 {
			ofFeed = append([]string{name}, ofFeed...) // the newest first
		} else {
			names = append(names, name+" "+format.Grouped(u.Now))
		}
	}
	if unread == 0 {
		return "", ""
	}
	added := ", " + format.Grouped(unread) + " new"
	all := draw.Cut("ALERT "+strings.Join(append(ofFeed, names...), ", "), maxUnseenWords-draw.Width(added))
	return all + added, "ALERT " + format.Grouped(now)
}
