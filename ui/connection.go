package ui

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/ui/draw"
	"blotter/ui/format"
)

// maxShownLinks is how many streams the connection page shows. Of more, those in the worst state are shown.
const maxShownLinks = 50

// connectionLines are the state of every stream, and below them the reading of the margin levels and what audits
// corrected.
func (m *Model) connectionLines(width int) []string {
	links, now := m.incoming.links, m.now()
	if len(links) == 0 {
		return []string{"", draw.Centred(width, draw.Plain, "No stream yet.")}
	}
	more := len(links) - maxShownLinks
	if more > 0 {
		links = worstLinks(links, now)[:maxShownLinks]
	}
	var lines []string
	for i := range links {
		lines = append(lines, m.linkLines(&links[i], width)...)
		lines = append(lines, "")
	}
	if more > 0 {
		lines = append(lines, draw.Text(width, m.styles.Dim, " "+model.Counted(more, "more stream")+", none in a worse state than these."), "")
	}
	lines = append(lines, draw.Facts(width, linkFactCells, m.styles.Dim, draw.Fact{Name: "margins", Value: m.walkWords()})...)
	lines = append(lines, "")
	if corrections := m.correctionLines(width); len(corrections) > 0 {
		note := format.Grouped(len(m.data.corrected))
		if len(m.data.corrected) == maxCorrections {
			note = "the last " + note
		}
		lines = append(lines, draw.Rule(width, m.styles.Dim, m.styles.Dim, "corrected by audits, newest first", note))
		lines = append(lines, corrections...)
	}
	return lines
}

// worstLinks returns the links in the order of their freshness, the worst first.
func worstLinks(links []model.Link, now time.Time) []model.Link {
	links = slices.Clone(links)
	slices.SortStableFunc(links, func(a, b model.Link) int {
		howA, sinceA := a.Freshness(now)
		howB, sinceB := b.Freshness(now)
		if howA == model.FreshStale && howB == model.FreshStale {
			return cmp.Compare(sinceB, sinceA)
		}
		return cmp.Compare(howB, howA)
	})
	return links
}

// linkLines are the state of one stream.
func (m *Model) linkLines(link *model.Link, width int) []string {
	now := m.now()
	l := draw.NewLine(width).Space(1).Put(m.styles.Strong, m.linkName(link)).Space(2)
	lines := []string{l.Put(m.freshStyle(link, now), m.linkWords(link, now)).String()}
	return append(lines, draw.Facts(width, linkFactCells, m.styles.Dim, m.linkFacts(link, now)...)...)
}

// linkFactCells is the width of the names of linkFacts.
const linkFactCells = 14

// linkFacts are everything about a stream, but for its freshness.
func (m *Model) linkFacts(link *model.Link, now time.Time) []draw.Fact {
	facts := append([]draw.Fact{{Name: "state", Value: m.phaseWords(link, now)}}, m.problemFacts(link, now)...)
	facts = append(facts, []draw.Fact{
		{Name: "address", Value: model.Neutralise(link.Address)},
		{Name: "snapshot", Value: m.snapshotWords(link)},
		{Name: "audits", Value: m.auditFact(link)},
		{Name: "node", Value: m.nodeWords(link, now)},
		{Name: "received", Value: m.trafficWords(link, now)},
		{Name: "tries", Value: format.Grouped(link.Tries)},
	}...)
	if link.Unrequested > 0 {
		facts = append(facts, draw.Fact{Name: "left out", Value: model.Counted(link.Unrequested, "position") + " that were not requested"})
	}
	if link.LeftOut > 0 {
		facts = append(facts, draw.Fact{Name: "left out", Value: model.Counted(link.LeftOut, "position") + " above the limit"})
	}
	return facts
}

// problemFacts are what is wrong with a stream, and what to do about it.
func (m *Model) problemFacts(link *model.Link, now time.Time) []draw.Fact {
	var facts []draw.Fact
	if !link.StaleSince.IsZero() {
		facts = append(facts, draw.Fact{Name: "stale since", Value: m.format.Clock(link.StaleSince)})
	}
	p := link.Problem
	if p == nil {
		return facts
	}
	said := format.OneLine(p.Words)
	if p.Status != 0 {
		said = fmt.Sprintf("responded with %d: %s", p.Status, said)
	}
	if p.Address != "" && p.Address != link.Address {
		said = model.Neutralise(p.Address) + ": " + said
	}
	facts = append(facts, draw.Fact{Name: "problem", Value: said}, draw.Fact{Name: "next", Value: m.nextWords(link, now)})
	return append(facts, draw.Fact{Name: "advice", Value: cmp.Or(m.unknownWords(link), p.Advice)})
}

// phaseWords returns what a stream does, and since when.
func (m *Model) phaseWords(link *model.Link, now time.Time) string {
	words := link.Phase.String()
	if !link.Since.IsZero() {
		words += " since " + m.format.ClockOn(link.Since, m.now()) + ", " + format.Ago(now.Sub(link.Since))
	}
	if link.Phase == model.Syncing {
		words += ". " + stagedWords(link)
	}
	return words
}

// snapshotWords returns when all rows were read last: by a snapshot or by an audit.
func (m *Model) snapshotWords(link *model.Link) string {
	switch {
	case link.SnapshotAt.IsZero():
		return ""
	case link.SnapshotAt.After(link.Since) && link.Audits > 0:
		return "all rows compared at " + m.format.ClockOn(link.SnapshotAt, m.now())
	}
	return "complete at " + m.format.ClockOn(link.SnapshotAt, m.now())
}

// auditFact returns how many audits there were and what they found.
func (m *Model) auditFact(link *model.Link) string {
	words := "none yet"
	if link.Audits > 0 {
		words = model.Counted(link.Audits, "audit") + ", " + model.Counted(m.data.corrections[link.Subscription], "correction")
	}
	if link.Auditing {
		words += "; one is under way"
	}
	return words
}

// nodeWords returns how far the node is that serves the stream.
func (m *Model) nodeWords(link *model.Link, now time.Time) string {
	if link.Block.Time.IsZero() {
		return "names no block"
	}
	words := fmt.Sprintf("block %s of %s", format.Grouped(int(link.Block.Height)), m.format.ClockOn(link.Block.Time, m.now()))
	if behind := link.Behind(now); behind > 0 {
		return words + ", " + format.Age(behind) + " behind"
	}
	return words + ", as of " + format.Ago(now.Sub(link.BlockAt))
}

// trafficWords returns how much a stream has sent, and how much it sends in a second.
func (m *Model) trafficWords(link *model.Link, now time.Time) string {
	messages, bytes, ok := m.traffic.rate(link, now)
	if !ok {
		return fmt.Sprintf("%s, %s", model.Counted(int(link.Messages), "message"), byteWords(float64(link.Bytes)))
	}
	return fmt.Sprintf("%s, %.1f a second; %s, %s a second",
		model.Counted(int(link.Messages), "message"), messages, byteWords(float64(link.Bytes)), byteWords(bytes))
}

func (m *Model) showConnection() tea.Cmd {
	m.open(connectionPage)
	return nil
}
