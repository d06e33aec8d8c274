package positions

import (
	"blotter/model/view"
	"blotter/ui/columns"
	"blotter/ui/keys"
	"blotter/ui/pane"
)

// shown returns the columns that a table of a width may show.
func (p *Pane) shown(width int) []view.Column {
	if p.scrolled > 0 {
		return p.columns.From(p.scrolled, p.store.View())
	}
	return p.columns.Shown(width, p.store.View())
}

// scroll moves the columns to the left by one, so that those come to the screen for which there was no room.
func scroll(p *Pane, _ *pane.Context) []pane.Effect {
	p.scrollTo(p.scrolled + 1)
	return nil
}

func scrollBack(p *Pane, _ *pane.Context) []pane.Effect {
	p.scrollTo(p.scrolled - 1)
	return nil
}

func (p *Pane) scrollTo(place int) {
	p.scrolled = place
	p.widths.Forget()
}

func whyNoColumnsBefore(p *Pane, _ *pane.Context) string {
	return keys.ReasonIf(p.scrolled == 0, "the first columns are shown")
}

func whyNoMoreColumns(p *Pane, c *pane.Context) string {
	switch {
	case p.width < columns.TwoLinesBelow:
		return "each row takes two lines here"
	case p.store.View().Len() == 0:
		return "there are no rows"
	}
	t, shown := p.table(c, p.width)
	t.Draw(p.rows(c, shown, p.room), p.width)
	isMore := t.LeavesOut() || p.scrolled == 0 && len(shown) < len(p.columns.From(0, p.store.View()))
	return keys.ReasonIf(!isMore, "the last columns are shown")
}
