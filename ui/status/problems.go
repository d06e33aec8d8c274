package status

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"

	"blotter/model"
	"blotter/ui/draw"
	"blotter/ui/format"
)

// Reason returns what is wrong, when it is tried again, and then of which streams; empty if nothing is wrong.
func (s *Streams) Reason() string {
	problem, _, streams := s.reason()
	return problem + streams
}

// reason returns both parts of Reason, and what the first one advises.
func (s *Streams) reason() (problem, advice, streams string) {
	if s.Ended != "" {
		return "No more data: " + s.Ended, "", ""
	}
	var troubled []model.Link
	for i := range s.Links {
		if s.Links[i].Problem != nil {
			troubled = append(troubled, s.Links[i])
		}
	}
	worst := model.Worst(troubled, s.Now)
	if worst == nil {
		words := ""
		if doubtful := s.Worst(); doubtful != nil {
			words = cmp.Or(s.unverified(doubtful), s.Behind(doubtful), s.Partial(doubtful))
		}
		return cmp.Or(words, s.doubtWords(), s.leftOut(), s.WhyRatiosWait), "", ""
	}
	if s.unknownText(worst) == "" && len(s.Links) > 1 { // that text names the stream
		streams = " Stream: " + s.name(worst) + "."
	}
	if len(troubled) > 1 {
		streams += fmt.Sprintf(" %d streams have problems", len(troubled)) + s.hint("; {connection} lists them") + "."
	}
	return asSentence(s.Problem(worst)), worst.Problem.Advice, streams
}

// asSentence returns a text with a capital letter at its beginning, if that is a word: not a name or an address.
func asSentence(text string) string {
	first, _, _ := strings.Cut(text, " ")
	if first == "" || strings.Trim(first, "abcdefghijklmnopqrstuvwxyz") != "" {
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

const (
	// retryHint ends the words about the next retry. It is left out first if there is no room for all of them.
	retryHint = "; {resync} retries now"
	// minStreams is how many cells the words about the streams have at least; with less room they are left out.
	minStreams = 20
	// minProblem is how many cells of the problem, or of what to do about it, are before the last sentence at least.
	minProblem = 10
)

// FitReason returns Reason in a width. The words about the streams are cut first, then the problem, but not its last
// sentence: when it is tried again. If what to do would be cut off, it replaces what is wrong.
func (s *Streams) FitReason(width int) string {
	problem, advice, streams := s.reason()
	if draw.Width(problem+streams) <= width {
		return problem + streams
	}
	short := strings.Replace(problem, s.hint(retryHint), "", 1)
	switch left := width - draw.Width(short); {
	case left >= min(minStreams, draw.Width(streams)) && streams != "":
		return draw.CutWords(short+streams, width)
	case draw.Width(problem) <= width:
		return problem
	case left >= 0:
		return short
	}
	at := max(strings.LastIndex(short, ". "), 0)
	what, next := short[:at], strings.TrimPrefix(short[at:], ".")
	room := width - draw.Width(next)
	if room < minProblem {
		return draw.CutWords(short, width)
	}
	if before, ok := strings.CutSuffix(what, "; "+advice); ok && advice != "" && draw.Width(before)+minProblem > room {
		what = asSentence(advice)
	}
	if what += "."; draw.Width(what) > room {
		what = draw.CutWords(what, room)
	}
	return what + next
}

// Problem returns what went wrong with a stream, what to do about a refusal, and when it is tried again.
func (s *Streams) Problem(link *model.Link) string {
	if unknown := s.unknownText(link); unknown != "" {
		return unknown
	}
	p := link.Problem
	words := strings.TrimSuffix(format.OneLine(p.Words), ".")
	if (p.Refuse || p.HeldBack) && p.Advice != "" {
		words += "; " + p.Advice
	}
	next := " " + s.nextWords(link)
	switch {
	case link.ByService && p.Status != 0:
		return fmt.Sprintf("The service limits this address (%d).", p.Status) + next
	case link.ByService:
		return "The service limits this address." + next
	case p.Refuse && (p.Status == 401 || p.Status == 403): // a 403 that named a time is a limit, also after that time
		return fmt.Sprintf("Credentials refused (%d): %s.", p.Status, words) + next
	case p.Refuse && 0 < p.Status && p.Status < 400: // a redirection, or nothing at all
		return fmt.Sprintf("The service responded with %d instead of positions: %s.", p.Status, words) + next
	case p.Refuse && p.Status != 0:
		return fmt.Sprintf("Refused (%d): %s.", p.Status, words) + next
	case p.Status != 0:
		return fmt.Sprintf("The service failed (%d): %s.", p.Status, words) + next
	}
	return words + "." + next
}

// nextWords returns what happens next if something went wrong.
func (s *Streams) nextWords(link *model.Link) string {
	switch {
	case link.ByService:
		return "Next try in " + s.until(link.RetryAt) + "."
	case link.Problem.HeldBack && (link.Phase == model.Connecting || link.Phase == model.Syncing):
		return "Waiting for the rest."
	case link.Phase == model.Syncing:
		return staged(link) + "."
	case link.Phase == model.Live:
		return "The connection is up" + s.hint("; {resync} opens another beside it") + "."
	case link.Phase == model.Waiting && link.RetryAt.IsZero():
		return "Another stream is tried first."
	case !link.RetryAt.After(s.Now) || link.Phase != model.Waiting && link.Phase != model.Refused:
		return fmt.Sprintf("Retry %d is under way.", max(link.Attempt, 1))
	}
	return fmt.Sprintf("Retry %d in %s", max(link.Attempt, 1), s.until(link.RetryAt)) + s.hint(retryHint) + "."
}

// unknownText returns words if the service refused a stream because of a text that it cannot know: no name of the
// configuration, and not of the form of identifiers. They are empty if that is not so.
func (s *Streams) unknownText(link *model.Link) string {
	if !link.Problem.Refuse || link.Problem.Status != http.StatusBadRequest {
		return ""
	}
	in := s.Format.Instruments()
	for _, part := range []struct {
		id         model.ID
		name, hint string
	}{
		{link.Party, in.Party(link.Party).Name, " Press {choose_parties} to choose another."},
		{link.Market, in.Market(link.Market).Name, " Press {choose_markets} to choose another."},
	} {
		if !part.id.IsZero() && part.name == "" && !part.id.IsWellFormed() {
			return fmt.Sprintf("%q is no name in the configuration and no identifier.", format.Text(part.id.String())) + s.hint(part.hint)
		}
	}
	return ""
}

// unverified returns why a quiet stream is not verified; empty if it is.
func (s *Streams) unverified(link *model.Link) string {
	if !s.isUnverified(link) {
		return ""
	}
	return "The service cannot be checked now. Next check in " + s.until(link.PostponedUntil) + "."
}

// Behind returns why a stream counts as behind; empty if it does not.
func (s *Streams) Behind(link *model.Link) string {
	behind := format.Age(link.Behind(s.Now))
	switch link.Lag.Shown {
	case model.LagOfRows:
		return "The newest position is " + behind + " older than one that was shown before."
	case model.LagOfBlock:
		return fmt.Sprintf("The node is behind: its last block, %s, is of %s.", format.Grouped(int(link.Block.Height)),
			s.Format.Clock(link.Block.Time))
	case model.LagOfAllBlocks:
		return "All nodes are behind: the newest block that the service names is " + behind + " old."
	case model.LagOfUpdates:
		return "The node is behind: the last changes that it sent were " + behind + " old."
	case model.LagOfAudit:
		return "The stream misses changes: a second one has sent one that was " + behind + " old."
	case model.LagOfEmptySnapshot:
		return "The service now sends no positions. The earlier ones are shown until a second snapshot is empty too."
	}
	return ""
}

// Partial returns why rows of a stream may be missing, and how many may be out of date; empty if all have come.
func (s *Streams) Partial(link *model.Link) string {
	if !link.Partial {
		return ""
	}
	if unsent := s.Book.Unsent(link.Subscription); unsent > 0 {
		return fmt.Sprintf("Rows may be missing, and %s may be out of date: the last page has not come.", format.Grouped(unsent))
	}
	return fmt.Sprintf("Positions may be missing: the service has sent %s and not the last page.", format.Grouped(link.StagedRows))
}

// doubtWords returns how many rows are in doubt, and why; empty if none is.
func (s *Streams) doubtWords() string {
	n := 0
	for i := range s.Links {
		n += s.inDoubt(&s.Links[i])
	}
	if n == 0 {
		return ""
	}
	return format.Counted(n, "position") + " in doubt: another response of the service has older states of them, or lacks them."
}

// leftOut returns which positions the service sent and the table does not have.
func (s *Streams) leftOut() string {
	unrequested, isOver := 0, s.Book.LeftOut()
	for i := range s.Links {
		unrequested += s.Links[i].Unrequested
		isOver = isOver || s.Links[i].LeftOut > 0
	}
	switch {
	case isOver:
		return fmt.Sprintf("There are more than %s positions: the others are left out. feed.rows in the configuration is the limit.", format.Grouped(s.Limit))
	case unrequested > 0:
		return "The service sends positions that were not requested. They are left out."
	}
	return ""
}
