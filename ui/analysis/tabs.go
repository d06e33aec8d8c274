package analysis

import (
	"slices"
	"strings"

	"blotter/ui/draw"
	"blotter/ui/pane"
)

// Tab is a part of the page, of which one is shown.
type Tab int

// The tabs, in their order.
const (
	WhatIf Tab = iota
	Exposure
	Matrix
	Days
	tabs
)

// tabsFrom is the width of a screen from which the title has the names of all tabs.
const tabsFrom = 80

var tabNames = [tabs]string{"what if", "exposure", "matrix", "days"}

func (t Tab) String() string { return tabNames[t] }

// Named returns the tab of a name.
func Named(name string) Tab { return Tab(max(slices.Index(tabNames[:], name), 0)) }

// ShowTab shows a tab. On that of what if, a change of prices is typed.
func (p *Pane) ShowTab(tab Tab) []pane.Effect {
	p.Tab = tab
	p.First()
	if tab == WhatIf {
		return []pane.Effect{pane.Open{Dialog: pane.WhatIfDialog{}}}
	}
	return nil
}

// title returns the names of the tabs, and notes for which there may be room beside them. On a narrow page, it is the
// name of the tab that is shown, with the first note that fits.
func (p *Pane) title(of *content, width int, all []string) (title string, notes []string) {
	for _, note := range p.notes(of) {
		for _, words := range all {
			notes = append(notes, note+words)
		}
	}
	notes = append(notes, p.notes(of)...)
	shown := p.Tab.String()
	if width < tabsFrom {
		if note := draw.FirstThatFits(width-titleFrame-draw.Width(shown+" · "), notes...); note != "" {
			shown += " · " + note
		}
		return shown, nil
	}
	return strings.Replace(strings.Join(tabNames[:], " · "), shown, "["+shown+"]", 1), notes
}

// notes are what the tab that is shown has, the longest first; none without totals.
func (p *Pane) notes(of *content) []string {
	if of.of == nil {
		return nil
	}
	asset := of.format.Asset(of.of.ID)
	switch m := &p.matrix; p.Tab {
	case Exposure:
		by := "by " + of.exposureBy().String() + " · "
		return []string{by + "≈ notional · " + asset, by + asset, asset}
	case Matrix:
		if number := m.number.String() + " · "; len(m.parties) > 0 {
			cell := of.cellName(m.cell())
			return []string{number + asset + " · " + cell, number + cell, cell, asset}
		}
	case Days:
		return []string{"PnL by day · " + asset, asset}
	}
	return []string{"uPnL · " + asset, asset}
}

// headings returns how many lines of headings the tab has.
func (p *content) headings() int {
	isNoTable := p.chosen.Tab == Days || p.chosen.Tab == WhatIf && p.isPast && p.before == nil
	if isNoTable || p.survey == nil || len(p.survey.Parties) == 0 {
		return 0
	}
	return 1
}

func (p *content) tabLines(width int) []string {
	tab := p.chosen.Tab
	switch {
	case tab == Days:
		return p.dayLines(width)
	case p.survey == nil:
		return []string{"", draw.Text(width, draw.Plain, p.noSurvey())}
	case len(p.survey.Parties) == 0:
		return []string{"", draw.Centred(width, draw.Plain, p.noExposure())}
	case tab == WhatIf && p.before != nil:
		return append(whatIfTable{p}.lines(width), p.gridNotes(width)...)
	case tab == WhatIf && p.isPast:
		return []string{"", draw.Centred(width, draw.Plain, "The table is of now: not in rewind.")}
	case tab == WhatIf:
		return append(p.gridTable(width), p.gridNotes(width)...)
	case tab == Matrix:
		return append(p.matrixLines(width), p.leftOutLines(width, p.chosen.matrix.number == matrixNotional)...)
	}
	lines := append(p.exposureTable(width), p.leftOutLines(width, true)...)
	if p.exposureBy() == byOwn {
		lines = append(lines, p.sharedLines(width)...)
	}
	return lines
}
