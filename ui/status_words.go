package ui

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"
	"time"

	"blotter/model"
	"blotter/ui/draw"
	"blotter/ui/format"
)

// freshWords returns how fresh the rows are: as fresh as those of the worst subscription.
func (m *Model) freshWords() string {
	now := m.now()
	worst := model.Worst(m.incoming.links, now)
	if worst == nil {
		return model.FreshConnecting.String()
	}
	words := m.linkWords(worst, now)
	if how, _ := worst.Freshness(now); how == model.FreshStale && len(m.incoming.links) > 1 {
		stale := 0
		for i := range m.incoming.links {
			if how, _ := m.incoming.links[i].Freshness(now); how == model.FreshStale {
				stale++
			}
		}
		words += fmt.Sprintf(" (%d of %d)", stale, len(m.incoming.links))
	}
	return words
}

// linkWords are the freshness of one subscription with its age.
func (m *Model) linkWords(link *model.Link, now time.Time) string {
	how, since := link.Freshness(now)
	words := how.String()
	switch {
	case how == model.FreshConnecting && link.Problem != nil && (link.Phase == model.Refused || link.Phase == model.Waiting):
		return strings.ToUpper(link.Phase.String())
	case how == model.FreshConnecting:
		return words
	case how != model.FreshQuiet || !link.MessageAt.IsZero():
		words += " " + format.Age(since)
	}
	if how == model.FreshQuiet {
		words += verifiedWords(link, now)
	}
	if how != model.FreshStale && !m.data.book.IsAudited(link.Subscription) {
		words += ", unaudited"
	}
	return words
}

// frozenWords returns since when the rows are frozen, and how many changes wait.
func (m *Model) frozenWords() string {
	switch n := m.incoming.changes(); n {
	case 0:
		return m.frozenFor()
	case 1:
		return m.frozenFor() + ", 1 change waits"
	default:
		return m.frozenFor() + ", " + model.Counted(n, "change") + " wait"
	}
}

// frozenFor returns since when the rows are frozen.
func (m *Model) frozenFor() string { return "FROZEN " + format.Age(m.now().Sub(m.incoming.since)) }

// verifiedFor is how long a QUIET stream counts as verified after the service has responded.
const verifiedFor = 30 * time.Second

// verifiedWords returns when the service last responded while the stream is silent.
func verifiedWords(link *model.Link, now time.Time) string {
	switch {
	case isUnverified(link, now):
		return ", not verified"
	case link.VerifiedAt.After(link.MessageAt):
		return ", verified " + format.Age(now.Sub(link.VerifiedAt)) + " ago"
	}
	return ""
}

// isUnverified reports whether the service could not be checked lately, while the stream is silent.
func isUnverified(link *model.Link, now time.Time) bool {
	return !link.PostponedUntil.IsZero() && now.Sub(link.VerifiedAt) > verifiedFor
}

func (m *Model) freshStyle(worst *model.Link, now time.Time) draw.Style {
	if worst == nil {
		return m.styles.Warning
	}
	switch how, _ := worst.Freshness(now); how {
	case model.FreshLive:
		return m.styles.Live
	case model.FreshConnecting, model.FreshBehind:
		return m.styles.Warning
	case model.FreshStale:
		return m.styles.Reverse
	}
	return draw.Plain
}

// reason returns what is wrong, and when it is tried again.
func (m *Model) reason() string {
	now := m.now()
	if m.incoming.ended != "" {
		return "No more data: " + m.incoming.ended
	}
	var troubled []model.Link
	for i := range m.incoming.links {
		if m.incoming.links[i].Problem != nil {
			troubled = append(troubled, m.incoming.links[i])
		}
	}
	worst := model.Worst(troubled, now)
	if worst == nil {
		return cmp.Or(m.unverifiedWords(now), m.behindWords(now), m.leftOutReason())
	}
	words := m.problemWords(worst, now)
	if unknown := m.unknownWords(worst); unknown != "" {
		words = unknown
	} else if len(m.incoming.links) > 1 {
		words = m.linkName(worst) + ": " + words
	}
	if len(troubled) > 1 {
		words += fmt.Sprintf(" %d more have problems: %s lists them.", len(troubled)-1, m.keys.Key("connection"))
	}
	return words
}

// unknownWords returns a text where the service refused a subscription because of a text that it cannot know: no name
// of the configuration, and not of the form of identifiers. They are empty where that is not so.
func (m *Model) unknownWords(link *model.Link) string {
	if !link.Problem.Refuse || link.Problem.Status != http.StatusBadRequest {
		return ""
	}
	in := m.data.instruments
	for _, part := range []struct {
		id   model.ID
		name string
		key  string
	}{{link.Party, in.Party(link.Party).Name, m.keys.Key("choose_parties")}, {link.Market, in.Market(link.Market).Name, m.keys.Key("choose_markets")}} {
		if !part.id.IsZero() && part.name == "" && !part.id.IsWellFormed() {
			return fmt.Sprintf("%q is no name in the configuration and no identifier. Press %s to choose another.", format.Text(part.id.String()), part.key)
		}
	}
	return ""
}

// unverifiedWords returns why a quiet service is not verified.
func (m *Model) unverifiedWords(now time.Time) string {
	worst := model.Worst(m.incoming.links, now)
	if worst == nil || !isUnverified(worst, now) {
		return ""
	}
	return "The service cannot be checked now. Next check in " + format.Until(worst.PostponedUntil.Sub(now)) + "."
}

// behindWords returns why a service counts as behind.
func (m *Model) behindWords(now time.Time) string {
	worst := model.Worst(m.incoming.links, now)
	if worst == nil {
		return ""
	}
	switch behind := worst.Behind(now); {
	case behind == 0:
		return ""
	case behind == worst.RowsBehind:
		return "The newest position is " + format.Age(behind) + " older than one that was shown before."
	}
	return fmt.Sprintf("The node is behind: its last block, %s, is of %s.", format.Grouped(int(worst.Block.Height)), m.format.Clock(worst.Block.Time))
}

// leftOutReason returns which positions the service sent and the table does not have.
func (m *Model) leftOutReason() string {
	unrequested, over := 0, m.data.book.LeftOut()
	for i := range m.incoming.links {
		unrequested += m.incoming.links[i].Unrequested
		over += m.incoming.links[i].LeftOut
	}
	switch {
	case over > 0:
		return fmt.Sprintf("There are more than %s positions: the others are left out. feed.rows in the configuration is the limit.", format.Grouped(m.options.Rows))
	case unrequested > 0:
		return "The service sends positions that were not requested. They are left out."
	}
	return ""
}

// problemWords returns what went wrong with a subscription, and what to do about a refusal.
func (m *Model) problemWords(link *model.Link, now time.Time) string {
	p := link.Problem
	said := strings.TrimSuffix(format.OneLine(p.Words), ".")
	if p.Refuse && p.Advice != "" {
		said += "; " + p.Advice
	}
	next := " " + m.nextWords(link, now)
	switch {
	case link.ByService && p.Status != 0:
		return fmt.Sprintf("The service limits this address (%d).", p.Status) + next
	case link.ByService:
		return "The service limits this address." + next
	case p.Status == 401 || p.Status == 403:
		return fmt.Sprintf("Credentials refused (%d): %s.", p.Status, said) + next
	case p.Refuse && 0 < p.Status && p.Status < 400: // a redirection, or nothing at all
		return fmt.Sprintf("The service responded with %d instead of positions: %s.", p.Status, said) + next
	case p.Refuse && p.Status != 0:
		return fmt.Sprintf("Refused (%d): %s.", p.Status, said) + next
	case p.Status != 0:
		return fmt.Sprintf("The service failed (%d): %s.", p.Status, said) + next
	}
	return said + "." + next
}

// nextWords returns what happens next where something went wrong.
func (m *Model) nextWords(link *model.Link, now time.Time) string {
	wait := link.RetryAt.Sub(now)
	switch {
	case link.ByService:
		return "Next try in " + format.Until(wait) + "."
	case link.Phase == model.Syncing:
		return stagedWords(link) + "."
	case link.Phase == model.Live:
		return m.keys.Fill("The connection is up; {resync} opens another beside it.")
	case wait <= 0 || link.Phase != model.Waiting && link.Phase != model.Refused:
		return fmt.Sprintf("Retry %d is under way.", max(link.Attempt, 1))
	}
	return fmt.Sprintf("Retry %d in %s", max(link.Attempt, 1), format.Until(wait)) + m.keys.Fill(retryHint)
}

// stagedWords returns how much of a snapshot is loaded.
func stagedWords(link *model.Link) string {
	return fmt.Sprintf("Loading snapshot: %s, page %s", model.Counted(link.StagedRows, "position"), format.Grouped(link.StagedPages))
}

// linkName is the party and the market of a subscription.
func (m *Model) linkName(link *model.Link) string {
	party, market := "all parties", "all markets"
	if !link.Party.IsZero() {
		party = m.format.Party(link.Party)
	}
	if !link.Market.IsZero() {
		market = m.format.Market(link.Market)
	}
	return party + " · " + market
}
