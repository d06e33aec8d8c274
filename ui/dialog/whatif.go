package dialog

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"blotter/model"
	"blotter/model/analysis"
	"blotter/ui/keys"
	"blotter/ui/pane"
	"blotter/ui/store"
)

// WhatIfLine is the line, in place of the messages, in which the trader types a change of mark prices, to see what
// positions would be worth.
type WhatIfLine struct {
	pane.TypedLine
	whyNot  func() string // why nothing can be shown at other prices; empty if it can
	isAsked bool          // the question whether several markets are meant was asked
}

// NewWhatIfLine returns a line with the change that is shown, empty if none is. The function whyNot returns why nothing
// can be shown at other prices.
func NewWhatIfLine(shown string, whyNot func() string) *WhatIfLine {
	return &WhatIfLine{TypedLine: pane.NewTypedLine(" what if: ", shown), whyNot: whyNot}
}

// WhatIfActions are the keys of the line, which is on the page of the analysis: esc closes both.
func WhatIfActions() []keys.Action[*WhatIfLine] {
	return []keys.Action[*WhatIfLine]{
		{Name: "show_what_if", Keys: []string{"enter"}, Help: "show it; then esc ends it", Hint: "show",
			Priority: 1, Do: (*WhatIfLine).show},
		{Name: "next_pane", Keys: []string{"tab"}, Help: "next tab", Hint: "next tab", Priority: 2, Do: then(pane.Act("next_pane"))},
		{Name: "previous_pane", Keys: []string{"shift+tab"}, Help: "tab before", Do: then(pane.Act("previous_pane"))},
		{Name: "down", Keys: []string{"down"}, Help: "leave the line", Hint: "leave the line", Priority: 4, Effect: pane.Leave{}},
		{Name: "cancel", Keys: keys.Esc, Help: "close it", Hint: "back", Priority: 3, Do: then(pane.ClosePage{})},
	}
}

// Subject returns nothing: a change of prices is about all positions.
func (l *WhatIfLine) Subject() string { return "" }

// then returns what leaves the line and does something then.
func then(effect pane.Effect) func(*WhatIfLine, *pane.Context) []pane.Effect {
	return func(*WhatIfLine, *pane.Context) []pane.Effect { return []pane.Effect{pane.Leave{}, effect} }
}

// canEstimate reports for a market whether the mark price of its positions can be estimated. Without known decimals, it
// can be if their numbers have decimal points. Then rows are read, once.
func canEstimate(s *store.Store) func(model.ID) bool {
	in, known := s.Instruments(), map[model.ID]bool(nil)
	return func(market model.ID) bool {
		if !in.IsLinear(market) || in.HasDecimals(market) {
			return in.IsLinear(market)
		}
		if known == nil {
			known = make(map[model.ID]bool)
			rows := 0
			for p := range s.View().InScope {
				if rows++; rows > maxEstimated {
					break
				}
				if _, _, ok := model.MarkAndNotional(&p, in); ok {
					known[p.Market] = true
				}
			}
		}
		return known[market]
	}
}

// maxEstimated is how many rows canEstimate reads at most.
const maxEstimated = 20_000

// show shows the positions at the other prices. Before it changes several markets that one word names, it asks. If it
// refuses the change, the line stays, so that what is typed further does not become keys.
func (l *WhatIfLine) show(c *pane.Context) []pane.Effect {
	if reason := l.whyNotHere(c); reason != "" {
		return pane.Refusing(reason)
	}
	shift, err := analysis.ParsePriceShift(l.Typed(), c.Store.View().Markets(), c.Store.Instruments(), canEstimate(c.Store))
	switch {
	case err != nil:
		return pane.Saying(err.Error())
	case len(shift.Doubtful()) > 0 && !l.isAsked:
		l.isAsked = true
		names := make([]string, len(shift.Doubtful()))
		for i, id := range shift.Doubtful() {
			names[i] = c.Store.Format().Market(id)
		}
		slices.Sort(names)
		return pane.Saying(c.Keys.Fill("{show_what_if} again: all ") + fmt.Sprintf("%d markets, %s", len(names), strings.Join(names, " ")))
	}
	return pane.Closing(pane.Rewind{Shift: shift})
}

// whyNotHere returns why no change can be shown; empty if one can.
func (l *WhatIfLine) whyNotHere(c *pane.Context) string {
	if c.Recording.IsWhatIf {
		return ""
	}
	return cmp.Or(c.Keys.Fill(c.WhyNotLive), l.whyNot())
}

// Changed notes that another change is typed.
func (l *WhatIfLine) Changed(*pane.Context) []pane.Effect {
	l.isAsked = false
	return nil
}

// Prompt draws the line, or a notice.
func (l *WhatIfLine) Prompt(c *pane.Context, width int) string {
	return l.DrawHinted(c, width, " "+cmp.Or(l.whyNotHere(c), "eth -5%, all -5%, eth =3000"))
}
