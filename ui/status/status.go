// Package status describes the streams of positions in words: how far their rows can be trusted, what is wrong, when it
// is tried again, and what audits corrected. It draws the page about all streams. Streams makes the
// words, also for --plain; Connection is the part of the screen. Keys are used only by the names of their actions.
package status

import (
	"fmt"
	"strings"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/store"
	"blotter/ui/theme"
)

// Streams are the streams of positions at a time, and what is needed to describe them.
type Streams struct {
	Links         []model.Link
	Now           time.Time
	Replay        string     // the time of the recording that is shown, and whether it goes on; empty if there is none
	Ended         string     // why nothing comes any longer; empty while something may come
	Book          *book.Book // has the positions that the streams send
	Limit         int        // how many positions the book keeps at most
	Corrections   *store.Corrections
	Traffic       *Traffic
	Format        *format.Formatter
	Styles        *theme.Styles
	WhyRatiosWait string // why alerts on margin ratios wait; empty if they do not
	// FillKeys replaces the names of actions in a text, as in {resync}, by their keys. If it is nil, no keys are
	// mentioned.
	FillKeys func(text string) string
	IsSpoken bool // the words are for a screen reader: units are not abbreviated
}

// until returns the time until something happens.
func (s *Streams) until(at time.Time) string {
	if s.IsSpoken {
		return format.UntilSpoken(at.Sub(s.Now))
	}
	return format.Until(at.Sub(s.Now))
}

// hint returns a text about keys; empty if there are no keys.
func (s *Streams) hint(text string) string {
	if s.FillKeys == nil {
		return ""
	}
	return s.FillKeys(text)
}

// Worst returns the link that the trader must know about first; nil if there are no links.
func (s *Streams) Worst() *model.Link { return model.Worst(s.Links, s.Now) }

// Freshness returns how fresh the rows are: as fresh as those of the worst stream. Those of a recording were so when it
// was made.
func (s *Streams) Freshness() string {
	if s.Replay != "" {
		return s.Replay + ", was " + s.freshness()
	}
	return s.freshness()
}

// ShortFreshness returns how fresh the rows are for a narrow screen: without what a check has found and, in the past,
// without how long ago it was. How late updates come stays.
func (s *Streams) ShortFreshness() string {
	fresh, _, _ := strings.Cut(s.freshness(), ",")
	if worst := s.Worst(); worst != nil && worst.IsLate(s.Now) {
		fresh += late(worst)
	}
	switch at, ago, _ := strings.Cut(s.Replay, " ("); {
	case s.Replay == "":
		return fresh
	case strings.HasPrefix(at, "REWIND "):
		_, speed, _ := strings.Cut(ago, ")")
		return at + speed + ", was " + fresh
	}
	return s.Replay + ", was " + fresh
}

// ShortestFreshness returns how fresh the rows are for the narrowest screens: as ShortFreshness, but for a recording
// without the seconds of its time and without how old the rows were.
func (s *Streams) ShortestFreshness() string {
	at, _, isRecorded := strings.Cut(s.ShortFreshness(), ", was ")
	if !isRecorded {
		return at
	}
	words := strings.Fields(at)
	if clock, err := time.Parse(time.TimeOnly, words[1]); err == nil {
		words[1] = clock.Format("15:04")
	}
	fresh := model.FreshConnecting.String()
	if worst := s.Worst(); worst != nil {
		fresh = s.word(worst)
	}
	return strings.Join(words, " ") + ", was " + fresh
}

func (s *Streams) freshness() string {
	worst := s.Worst()
	if worst == nil {
		return model.FreshConnecting.String()
	}
	words := s.freshnessOf(worst)
	if how, _ := worst.Freshness(s.Now); how.IsStale() && len(s.Links) > 1 {
		stale := 0
		for i := range s.Links {
			if how, _ := s.Links[i].Freshness(s.Now); how.IsStale() {
				stale++
			}
		}
		words += fmt.Sprintf(" (%d of %d)", stale, len(s.Links))
	}
	return words
}

// NotVerified is at the end of a freshness, if no audit has compared the rows, or none has lately.
const NotVerified = ", not verified"

// word returns the freshness of one stream in one word.
func (s *Streams) word(link *model.Link) string {
	how, _ := link.Freshness(s.Now)
	if how == model.FreshConnecting && link.Problem != nil && (link.Phase == model.Refused || link.Phase == model.Waiting) {
		return strings.ToUpper(link.Phase.String())
	}
	return how.String()
}

// freshnessOf returns the freshness of one stream with its age.
func (s *Streams) freshnessOf(link *model.Link) string {
	how, since := link.Freshness(s.Now)
	words := s.word(link)
	switch {
	case how == model.FreshConnecting:
		return words
	case how == model.FreshLive && link.IsLate(s.Now):
		words += late(link)
	case how != model.FreshQuiet || !link.MessageAt.IsZero():
		words += " " + format.Age(since)
	}
	isAudited := s.Book.IsAudited(link.Subscription)
	if how == model.FreshQuiet {
		if link.IsLate(s.Now) {
			words += late(link)
		}
		words += s.verified(link, isAudited)
	}
	if !how.IsStale() && how != model.FreshPartial && !isAudited && !s.isUnverified(link) {
		words += NotVerified
	}
	if n := s.inDoubt(link); n > 0 && !how.IsStale() {
		words += ", " + format.Grouped(n) + " in doubt"
	}
	return words
}

// inDoubt returns how many rows of a stream are marked because they have been in doubt for some time.
func (s *Streams) inDoubt(link *model.Link) int {
	if link.Partial {
		return 0 // the other rows that may be out of date are not told apart
	}
	return s.Book.Unsent(link.Subscription)
}

// late returns how late the updates of a stream come.
func late(link *model.Link) string { return ", " + format.Age(link.LateBy) + " late" }

// verifiedFor is how long a QUIET stream counts as verified, if the service limits requests.
const verifiedFor = 30 * time.Second

// verified returns when an audit has last verified the rows of a silent stream; empty if none has.
func (s *Streams) verified(link *model.Link, isAudited bool) string {
	switch {
	case s.isUnverified(link):
		return NotVerified
	case isAudited && !link.VerifiedAt.IsZero():
		return ", verified " + format.Age(model.Elapsed(s.Now, link.VerifiedAt)) + " ago"
	}
	return ""
}

// isUnverified reports whether the service limits requests, and the rows of a silent stream were not verified lately.
func (s *Streams) isUnverified(link *model.Link) bool {
	return !link.PostponedUntil.IsZero() && model.Elapsed(s.Now, link.VerifiedAt) > verifiedFor
}

// Style returns the style of the freshness of a stream; link is nil if there is no stream yet. Nothing in a recording
// is drawn as live.
func (s *Streams) Style(link *model.Link) draw.Style {
	if link == nil || s.Replay != "" {
		return s.Styles.Warning
	}
	switch how, _ := link.Freshness(s.Now); how {
	case model.FreshLive:
		if link.IsLate(s.Now) {
			return s.Styles.Warning
		}
		return s.Styles.Live
	case model.FreshQuiet:
		return draw.Plain
	case model.FreshStale:
		return s.Styles.Reverse
	}
	return s.Styles.Warning
}

func (s *Streams) name(link *model.Link) string {
	party, market := "all parties", "all markets"
	if !link.Party.IsZero() {
		party = s.Format.Party(link.Party)
	}
	if !link.Market.IsZero() {
		market = s.Format.Market(link.Market)
	}
	return party + " · " + market
}

// Audits returns how many audits there were, and how many corrections; empty if there was no correction.
func (s *Streams) Audits() string {
	audits, corrections := 0, 0
	for i := range s.Links {
		audits += s.Links[i].Audits
		corrections += s.Corrections.Count(s.Links[i].Subscription)
	}
	if corrections == 0 {
		return ""
	}
	return format.Counted(audits, "check") + ", " + format.Counted(corrections, "correction")
}

// loading returns what the streams without rows are doing; empty if all have rows. If something is wrong, the
// words have the reason only if it does not fit on the line of the problem, which has this width.
func (s *Streams) loading(width int) string {
	if len(s.Links) == 0 {
		return "Connecting"
	}
	rows, pages, syncing, waiting := 0, 0, 0, 0
	address := ""
	for i := range s.Links {
		link := &s.Links[i]
		switch {
		case link.Committed || link.Partial:
		case link.Phase == model.Syncing:
			rows, pages, syncing = rows+link.StagedRows, pages+link.StagedPages, syncing+1
		default:
			waiting++
			address = link.Address
		}
	}
	switch reason := s.Reason(); {
	case syncing > 0 && len(s.Links) == 1:
		return staged(&s.Links[0])
	case syncing > 0:
		return fmt.Sprintf("Loading snapshots: %s, %s, %d of %d subscriptions to go",
			format.Counted(rows, "position"), format.Counted(pages, "page"), syncing+waiting, len(s.Links))
	case waiting > 0 && reason != "":
		words := "No positions were received yet."
		if s.FitReason(width) != reason {
			words += "\n\n" + reason
		}
		return words
	case waiting > 0 && address != "":
		return "Connecting to " + model.Neutralise(address)
	case waiting > 0:
		return "Connecting"
	}
	return ""
}

// staged returns how much of a snapshot is loaded.
func staged(link *model.Link) string {
	return fmt.Sprintf("Loading snapshot: %s, page %s", format.Counted(link.StagedRows, "position"), format.Grouped(link.StagedPages))
}
