package ui

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"blotter/model"
	"blotter/ui/draw"
)

// reasonLines is how many lines the reason may take on a screen that is roomyFrom high; elsewhere it has one.
const (
	reasonLines = 2
	roomyFrom   = 20
)

// drawHeader draws the first lines: the status, its reason where there is one, and the filter being typed.
func (m *Model) drawHeader(width int) []string {
	lines := []string{m.drawStatus(width)}
	if reason := m.reason(); reason != "" {
		parts := draw.Wrap(reason, width-2)
		if m.height < roomyFrom {
			parts = []string{reason}
		}
		for _, part := range parts[:min(len(parts), reasonLines)] {
			lines = append(lines, draw.Text(width, m.styles.warning, " "+part))
		}
	}
	if m.filter.open {
		lines = append(lines, m.drawFilter(width))
	}
	return lines
}

// drawStatus draws the first line: which service, how fresh, whose positions, how many are open, and the time.
func (m *Model) drawStatus(width int) string {
	now := m.now()
	right := m.format.clock(now)
	worst := model.Worst(m.pull.links, now)
	switch {
	case worst != nil && !worst.StaleSince.IsZero():
		right = "as of " + m.format.clock(worst.StaleSince)
	case m.data.view.Rows() > 0:
		right = grouped(m.data.view.Open()) + " open  " + right
	}
	l := draw.NewLine(width).Space(1).Put(m.styles.brand, "blotter").Space(2)
	l.Put(draw.Plain, draw.Cut(oneLine(m.options.Service), max(8, width/4))).Space(2)
	l.Put(m.freshLook(worst, now), m.freshWords()).Space(2)
	for _, flag := range m.flags() {
		l.Put(m.styles.warning, flag).Space(2)
	}
	right = " " + right + " "
	if l.Left() < draw.Width(right) { // the time goes first, then the words before it
		right = ""
	}
	room := l.Left() - draw.Width(right) - 1
	scope := draw.Cut(m.scopeWords(), room)
	l.Put(draw.Plain, scope)
	if audits := m.auditWords(); audits != "" && width >= estimatesFrom {
		if l.Left()-draw.Width(right) > draw.Width(audits)+3 {
			l.Space(3).Put(m.styles.dim, audits)
		}
	}
	return l.To(width-draw.Width(right)).Put(draw.Plain, right).String()
}

// flags are what else is true of everything on the screen.
func (m *Model) flags() []string {
	var flags []string
	for _, f := range []struct {
		on   bool
		word string
	}{{m.pull.frozen, "FROZEN"}, {m.options.Demo, "DEMO"}} {
		if f.on {
			flags = append(flags, f.word)
		}
	}
	return flags
}

// freshWords say how far what is shown can be trusted.
func (m *Model) freshWords() string {
	now := m.now()
	worst := model.Worst(m.pull.links, now)
	if worst == nil {
		return model.FreshConnecting.String()
	}
	words := m.linkWords(worst, now)
	if how, _ := worst.Freshness(now); how == model.FreshStale && len(m.pull.links) > 1 {
		stale := 0
		for i := range m.pull.links {
			if how, _ := m.pull.links[i].Freshness(now); how == model.FreshStale {
				stale++
			}
		}
		words += fmt.Sprintf(" (%d of %d)", stale, len(m.pull.links))
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
	case how != model.FreshQuiet || !link.HeardAt.IsZero():
		words += " " + age(since)
	}
	if how == model.FreshQuiet {
		words += verifiedWords(link, now)
	}
	if how != model.FreshStale && !m.data.book.IsAudited(link.Subscription) {
		words += ", unaudited"
	}
	return words
}

// verifiedFor is how long the service's word that it is there is good for.
const verifiedFor = 30 * time.Second

// verifiedWords say whether the service was found to be there while the stream is silent.
func verifiedWords(link *model.Link, now time.Time) string {
	switch {
	case isUnverified(link, now):
		return ", not verified"
	case link.VerifiedAt.After(link.HeardAt):
		return ", verified " + age(now.Sub(link.VerifiedAt)) + " ago"
	}
	return ""
}

// isUnverified reports whether the service could not be asked lately whether it is there, while the stream is silent.
func isUnverified(link *model.Link, now time.Time) bool {
	return !link.NotAskedFor.IsZero() && now.Sub(link.VerifiedAt) > verifiedFor
}

func (m *Model) freshLook(worst *model.Link, now time.Time) draw.Style {
	if worst == nil {
		return m.styles.warning
	}
	switch how, _ := worst.Freshness(now); how {
	case model.FreshLive:
		return m.styles.live
	case model.FreshConnecting, model.FreshBehind:
		return m.styles.warning
	case model.FreshStale:
		return m.styles.reverse
	}
	return draw.Plain
}

// scopeWords are whom the screen is about.
func (m *Model) scopeWords() string {
	var words []string
	for _, party := range m.data.scope.Parties {
		words = append(words, m.format.party(party))
	}
	if len(words) == 0 {
		words = append(words, "all parties")
	}
	if len(m.data.scope.Markets) > 0 {
		words = append(words, "in")
	}
	for _, market := range m.data.scope.Markets {
		words = append(words, m.format.market(market))
	}
	return strings.Join(words, " ")
}

// auditWords say how often streams were looked at a second time, and what came of it.
func (m *Model) auditWords() string {
	audits, corrections := 0, 0
	for i := range m.pull.links {
		audits += m.pull.links[i].Audits
		corrections += m.data.corrections[m.pull.links[i].Subscription]
	}
	if audits == 0 {
		return ""
	}
	return counted(audits, "audit") + ", " + counted(corrections, "correction")
}

// correctionWords name what audits corrected: a few rows one by one.
func (m *Model) correctionWords(corrected []correction) string {
	const named = 3
	var names []string
	for _, c := range corrected[:min(len(corrected), named)] {
		key := c.Key()
		names = append(names, m.format.market(key.Market)+" "+m.format.party(key.Party))
	}
	words := "Audit corrected " + counted(len(corrected), "row") + ": " + strings.Join(names, ", ")
	if len(corrected) > named {
		words += ", …"
	}
	return words
}

// reason says what is wrong, and when what is done about it.
func (m *Model) reason() string {
	now := m.now()
	if m.pull.ended != "" {
		return "No more news comes: " + m.pull.ended
	}
	var troubled []model.Link
	for i := range m.pull.links {
		if m.pull.links[i].Problem != nil {
			troubled = append(troubled, m.pull.links[i])
		}
	}
	worst := model.Worst(troubled, now)
	if worst == nil {
		return cmp.Or(m.unverifiedWords(now), m.behindWords(now), m.leftOutReason())
	}
	words := problemWords(worst, now)
	if len(m.pull.links) > 1 {
		words = m.linkName(worst) + ": " + words
	}
	if len(troubled) > 1 {
		words += fmt.Sprintf(" %d more have problems: i lists them.", len(troubled)-1)
	}
	return words
}

// unverifiedWords say why a quiet service is not verified.
func (m *Model) unverifiedWords(now time.Time) string {
	worst := model.Worst(m.pull.links, now)
	if worst == nil || !isUnverified(worst, now) {
		return ""
	}
	return "The service cannot be asked now whether it is there. Next check in " + until(worst.NotAskedFor.Sub(now)) + "."
}

// behindWords say why a service counts as behind.
func (m *Model) behindWords(now time.Time) string {
	worst := model.Worst(m.pull.links, now)
	if worst == nil {
		return ""
	}
	switch behind := worst.Behind(); {
	case behind == 0:
		return ""
	case behind == worst.RowsBehind:
		return "The service is behind: its newest position is " + age(behind) + " older than what was shown before."
	}
	return fmt.Sprintf("The node is behind: its last block, %s, is of %s.", grouped(int(worst.Block.Height)), m.format.clock(worst.Block.Time))
}

// leftOutReason says which positions the service sent and the table does not have.
func (m *Model) leftOutReason() string {
	strays, over := 0, m.data.book.LeftOut()
	for i := range m.pull.links {
		strays += m.pull.links[i].Strays
		over += m.pull.links[i].LeftOut
	}
	switch {
	case over > 0:
		return fmt.Sprintf("There are more than %s positions: the others are left out. feed.rows in the configuration is the limit.", grouped(m.options.Rows))
	case strays > 0:
		return "The service sends positions that were not asked for. They are left out."
	}
	return ""
}

// problemWords put what went wrong with a subscription into words.
func problemWords(link *model.Link, now time.Time) string {
	p := link.Problem
	said := strings.TrimSuffix(oneLine(p.Words), ".")
	wait := link.RetryAt.Sub(now)
	next := fmt.Sprintf(" Retry %d in %s; r retries now.", max(link.Attempt, 1), until(wait))
	switch {
	case link.Phase == model.Syncing:
		next = " " + stagedWords(link) + "."
	case link.Phase == model.Live:
		next = " The connection stands; r opens another beside it."
	case wait <= 0 || link.Phase != model.Waiting && link.Phase != model.Refused:
		next = fmt.Sprintf(" Retry %d is under way.", max(link.Attempt, 1))
	}
	switch {
	case link.ByService && p.Status != 0:
		return fmt.Sprintf("The service limits this address (%d). Next try in %s.", p.Status, until(wait))
	case link.ByService:
		return fmt.Sprintf("The service limits this address. Next try in %s.", until(wait))
	case p.Status == 401 || p.Status == 403:
		return fmt.Sprintf("The service refused the credentials (%d): %s.", p.Status, said) + next
	case p.Refuse && 0 < p.Status && p.Status < 400: // a redirection, or nothing at all
		return fmt.Sprintf("The service answered %d in place of positions: %s.", p.Status, said) + next
	case p.Refuse && p.Status != 0:
		return fmt.Sprintf("The service refused (%d): %s.", p.Status, said) + next
	case p.Status != 0:
		return fmt.Sprintf("The service failed (%d): %s.", p.Status, said) + next
	}
	return said + "." + next
}

// stagedWords say how far a snapshot is.
func stagedWords(link *model.Link) string {
	return fmt.Sprintf("Loading snapshot: %s, page %s", counted(link.StagedRows, "position"), grouped(link.StagedPages))
}

// linkName is whom a subscription is about.
func (m *Model) linkName(link *model.Link) string {
	party, market := "all parties", "all markets"
	if !link.Party.IsZero() {
		party = m.format.party(link.Party)
	}
	if !link.Market.IsZero() {
		market = m.format.market(link.Market)
	}
	return party + " · " + market
}
