package status

import (
	"cmp"
	"fmt"
	"slices"

	"blotter/model"
	"blotter/ui/draw"
	"blotter/ui/format"
)

// maxShownLinks is how many streams the page shows. Of more, those in the worst state are shown.
const maxShownLinks = 50

// Page returns the lines of the page about all streams, for a width: the state of each stream, the words about the
// reading of the margin levels and about how far back the screen can be rewound, and what audits corrected.
func (s *Streams) Page(margins, rewind string, width int) []string {
	links := s.Links
	if len(links) == 0 {
		return []string{"", draw.Centred(width, draw.Plain, "No stream yet.")}
	}
	more := len(links) - maxShownLinks
	if more > 0 {
		links = s.worstFirst()[:maxShownLinks]
	}
	var lines []string
	for i := range links {
		lines = append(lines, s.lines(&links[i], width)...)
		lines = append(lines, "")
	}
	if more > 0 {
		lines = append(lines, draw.Text(width, s.Styles.Dim,
			" "+format.Counted(more, "more stream")+", none in a worse state than these."), "")
	}
	lines = append(lines, s.drawFacts(width, draw.Fact{Name: "margins", Value: margins}, draw.Fact{Name: "rewind", Value: rewind})...)
	return append(append(lines, ""), s.correctionLines(width)...)
}

// worstFirst returns the links in the order of their freshness, the worst first.
func (s *Streams) worstFirst() []model.Link {
	links := slices.Clone(s.Links)
	slices.SortStableFunc(links, func(a, b model.Link) int {
		howA, sinceA := a.Freshness(s.Now)
		howB, sinceB := b.Freshness(s.Now)
		if howA.IsStale() && howB.IsStale() {
			return cmp.Compare(sinceB, sinceA)
		}
		return cmp.Compare(howB, howA)
	})
	return links
}

func (s *Streams) lines(link *model.Link, width int) []string {
	l := draw.NewLine(width).Space(1).Put(s.Styles.Strong, s.name(link)).Space(2)
	lines := []string{l.Put(s.Style(link), s.freshnessOf(link)).String()}
	return append(lines, s.drawFacts(width, s.facts(link)...)...)
}

const factCells = 14

func (s *Streams) drawFacts(width int, facts ...draw.Fact) []string {
	return draw.Facts(width, factCells, s.Styles.Dim, facts...)
}

// facts are everything about a stream, except its freshness.
func (s *Streams) facts(link *model.Link) []draw.Fact {
	facts := append([]draw.Fact{{Name: "state", Value: s.phase(link)}}, s.problemFacts(link)...)
	facts = append(facts, []draw.Fact{
		{Name: "address", Value: model.Neutralise(link.Address)},
		{Name: "snapshot", Value: s.snapshot(link)},
		{Name: "checks", Value: s.auditsOf(link)},
		{Name: "node", Value: s.node(link)},
		{Name: "received", Value: s.received(link)},
		{Name: "tries", Value: format.Grouped(link.Tries)},
	}...)
	if link.Unrequested > 0 {
		facts = append(facts, draw.Fact{Name: "left out", Value: format.Counted(link.Unrequested, "position") + " that were not requested"})
	}
	if link.LeftOut > 0 {
		facts = append(facts, draw.Fact{Name: "left out", Value: format.Counted(link.LeftOut, "position") + " above the limit"})
	}
	return facts
}

// problemFacts are what is wrong with a stream, and what to do about it.
func (s *Streams) problemFacts(link *model.Link) []draw.Fact {
	var facts []draw.Fact
	if !link.StaleSince.IsZero() {
		facts = append(facts, draw.Fact{Name: "stale since", Value: s.Format.Clock(link.StaleSince)})
	}
	p := link.Problem
	if p == nil {
		return facts
	}
	words := format.OneLine(p.Words)
	if p.Status != 0 {
		words = fmt.Sprintf("responded with %d: %s", p.Status, words)
	}
	if p.Address != "" && p.Address != link.Address {
		words = model.Neutralise(p.Address) + ": " + words
	}
	facts = append(facts, draw.Fact{Name: "problem", Value: words}, draw.Fact{Name: "next", Value: s.nextWords(link)})
	return append(facts, draw.Fact{Name: "advice", Value: cmp.Or(s.unknownText(link), p.Advice)})
}

// phase returns what a stream does, and since when.
func (s *Streams) phase(link *model.Link) string {
	words := link.Phase.String()
	if !link.Since.IsZero() {
		words += " since " + s.Format.ClockOn(link.Since, s.Now) + ", " + format.Ago(model.Elapsed(s.Now, link.Since))
	}
	if link.Phase == model.Syncing {
		words += ". " + staged(link)
	}
	return words
}

// snapshot returns when all rows were read last: by a snapshot or by an audit.
func (s *Streams) snapshot(link *model.Link) string {
	switch {
	case link.Partial:
		return fmt.Sprintf("its last page has not come: %s, %s", format.Counted(link.StagedRows, "position"),
			format.Counted(link.StagedPages, "page"))
	case link.VerifiedAt.IsZero():
		return ""
	case link.Audits > 0 && s.Book.IsAudited(link.Subscription):
		return "all rows compared at " + s.Format.ClockOn(link.VerifiedAt, s.Now)
	}
	return "complete at " + s.Format.ClockOn(link.VerifiedAt, s.Now)
}

// auditsOf returns how many audits of a stream there were and what they found.
func (s *Streams) auditsOf(link *model.Link) string {
	words := "none yet"
	if link.Audits > 0 {
		words = format.Counted(link.Audits, "check") + ", " + format.Counted(s.Corrections.Count(link.Subscription), "correction")
	}
	if link.Auditing {
		words += "; one is under way"
	}
	return words
}

// node returns how far the node was that serves the stream, and how far the nodes of its address are.
func (s *Streams) node(link *model.Link) string {
	block := func(b model.Block) string {
		return format.Grouped(int(b.Height)) + " of " + s.Format.ClockOn(b.Time, s.Now)
	}
	words := "block unknown"
	if !link.Block.Time.IsZero() {
		words = "block " + block(link.Block) + ", reported " + format.Ago(model.Elapsed(s.Now, link.BlockAt))
	}
	if behind := link.Behind(s.Now); behind > 0 {
		words += ", " + format.Age(behind) + " behind"
	}
	if link.NewestBlock.Height > link.Block.Height {
		words += "; the newest of this address is " + block(link.NewestBlock) + ", " + format.Ago(model.Elapsed(s.Now, link.NewestBlockAt))
	}
	return words
}

// received returns how much a stream has sent, and how much it sends in a second.
func (s *Streams) received(link *model.Link) string {
	messages, bytes, ok := s.Traffic.rate(link, s.Now)
	if !ok {
		return fmt.Sprintf("%s, %s", format.Counted(int(link.Messages), "message"), byteCount(float64(link.Bytes)))
	}
	return fmt.Sprintf("%s, %.1f a second; %s, %s a second",
		format.Counted(int(link.Messages), "message"), messages, byteCount(float64(link.Bytes)), byteCount(bytes))
}
