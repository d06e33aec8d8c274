// Package totals draws the line of totals, one for each asset, in the room that there is: texts are shortened, and
// assets without room are shown in turns. It uses the totals of package view of model, and packages format, draw and
// theme; it has no clock.
package totals

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/theme"
	"blotter/ui/wording"
)

// Strip has which assets are on the line. If there is no room for all of them, it shows the next ones after
// TurnAfter.
type Strip struct {
	first    int // the place of the first asset on the line
	turnedAt time.Time
}

// TurnAfter is how long the same assets are on the line, if there are others.
const TurnAfter = 5 * time.Second

// gap is the space between two assets.
const gap = 4

// Line is what the line is drawn from.
type Line struct {
	Totals []*view.Total // of all positions in scope
	Of     int           // how many positions these are; 0 if all are shown
	Closed int           // how many of them are closed and not shown
	Counts []string      // words about the rows that are shown, at the right; shorter ones come after longer ones
	// Maintenance returns the sum of the maintenance margins in an asset, and false if it is not known.
	Maintenance func(asset model.ID) (model.Amount, bool)
	IsStale     bool // a position may be out of date
	Format      *format.Formatter
	Styles      *theme.Styles
}

// Turn shows the next assets when it is time for them.
func (s *Strip) Turn(line *Line, width int, now time.Time) {
	if s.turnedAt.IsZero() {
		s.turnedAt = now
	}
	if now.Sub(s.turnedAt) >= TurnAfter {
		s.turnedAt = now
		_, _, next := s.fit(line, width)
		s.first = next
	}
}

// Draw draws the line.
func (s *Strip) Draw(line *Line, width int) string {
	texts, right, _ := s.fit(line, width)
	l := draw.NewLine(width).Space(1)
	for i, text := range texts {
		if i > 0 {
			l.Space(gap)
		}
		l.PutNumber(draw.Plain, text)
	}
	l.To(width-draw.Width(right)-1).Put(line.Styles.Dim, right)
	if line.IsStale && len(texts) > 0 {
		return line.Styles.Dimmed([]string{l.String()}, width)[0]
	}
	return l.String()
}

// fit returns the texts on the line, what is at its right, and the place of the asset that the next line
// begins with.
func (s *Strip) fit(line *Line, width int) (texts []string, right string, next int) {
	totals := slices.Clone(line.Totals)
	slices.SortStableFunc(totals, func(a, b *view.Total) int { // positions without a total are last
		return cmp.Compare(unknownAsset(a), unknownAsset(b))
	})
	first := s.first
	if first >= len(totals) {
		first = 0
	}
	counts := append(slices.Clone(line.Counts), "")
	if len(totals) == 0 {
		return nil, counts[0], 0
	}
	right = line.fitCounts(totals[0], counts, width)
	if texts = line.fitTotals(totals, width-draw.Width(right)-2); len(texts) == len(totals) {
		return texts, right, 0
	}
	place := func(last int) string {
		if last == first+1 {
			return fmt.Sprintf("asset %d of %d", last, len(totals))
		}
		return fmt.Sprintf("%d–%d of %d", first+1, last, len(totals))
	}
	widest := len("asset  of ") + 2*draw.Width(format.Grouped(len(totals)))
	right = line.fitCounts(totals[first], counts, width-widest-2)
	texts = line.fitTotals(totals[first:], width-widest-2-draw.Width(right)-2)
	last := first + len(texts)
	if right != "" {
		right = "  " + right
	}
	return texts, place(last) + right, last % len(totals)
}

// fitCounts returns the longest words about the rows beside which there is room for a total.
func (l *Line) fitCounts(total *view.Total, counts []string, room int) string {
	words := l.texts(total, true)
	needed := draw.Width(words[max(len(words)-2, 0)])
	for _, words := range counts {
		if needed+gap+draw.Width(words) <= room {
			return words
		}
	}
	return ""
}

func unknownAsset(total *view.Total) int {
	if total.Asset.IsZero() {
		return 1
	}
	return 0
}

// fitTotals returns the texts of the first totals that there is room for: of one at least.
func (l *Line) fitTotals(totals []*view.Total, room int) []string {
	var texts []string
	for i, total := range totals {
		words := l.texts(total, i == 0)
		fits := slices.IndexFunc(words, func(text string) bool { return draw.Width(text) <= room })
		switch {
		case fits < 0 && i == 0:
			return words[len(words)-1:]
		case fits < 0:
			return texts
		}
		texts = append(texts, words[fits])
		room -= draw.Width(words[fits]) + gap
	}
	return texts
}

// texts are the total of one asset. The first on the line also shows which positions it includes, and has shorter
// texts if there is no room for all of it.
func (l *Line) texts(total *view.Total, isFirst bool) []string {
	if total.Asset.IsZero() {
		return []string{wording.Counted(total.Rows, "position") + " of unknown assets, without a total", wording.Counted(total.Rows, "position") + " without a total"}
	}
	unrealised := l.Format.Asset(total.Asset) + "  uPnL " + l.Format.RoundedAmount(total.Unrealised.Amount(), total.Asset, true)
	both := unrealised + "  rPnL " + l.Format.RoundedAmount(total.Realised.Amount(), total.Asset, true)
	if left := total.Unrealised.LeftOut() + total.Realised.LeftOut(); left > 0 {
		both += fmt.Sprintf(" (%d left out)", left)
	}
	maintenance := ""
	if sum, ok := l.Maintenance(total.Asset); ok {
		maintenance = "  maintenance " + l.Format.RoundedAmount(sum, total.Asset, false)
	}
	if !isFirst {
		return []string{both + maintenance}
	}
	of, included := l.notes()
	return []string{of + both + maintenance + included, of + both, of + unrealised}
}

// notes are what the totals include that is not shown: positions that the filter hides, and closed ones.
func (l *Line) notes() (of, closed string) {
	if l.Of > 0 {
		of = "all " + format.Grouped(l.Of) + ": "
	}
	if l.Closed > 0 {
		closed = fmt.Sprintf(" (%s closed included)", format.Grouped(l.Closed))
	}
	return of, closed
}
