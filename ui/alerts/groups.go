package alerts

import (
	"slices"
	"strings"

	"blotter/model"
	"blotter/model/event"
	"blotter/model/filter"
	"blotter/model/view"
	"blotter/ui/format"
)

// WhyNoSums returns why there are no sums that a rule about a group could compare; empty if there are, or if it is not
// about a group.
func (a *Rule) WhyNoSums(in *model.Instruments) string {
	if a.Group == "" {
		return ""
	}
	if model.FindGroup(in.Groups(), a.Group) < 0 {
		return "there is no group " + format.OneLine(a.Group)
	}
	if _, isOne := in.FindAsset(a.Asset); !isOne {
		return "several assets have the symbol " + format.OneLine(a.Asset)
	}
	return ""
}

// Report returns the report of a change for the log of events.
func (a *Rule) Report(change *view.AlertChange, f *format.Formatter) *event.AlertReport {
	r := &event.AlertReport{Rule: a.Name, Begins: change.Begins, IsAgain: change.IsAgain, About: change.Feed,
		Ratio: change.Ratio, HasRatio: change.HasRatio}
	if of := change.Group; of != nil {
		r.About, r.Ratio, r.HasRatio = groupWords(&a.AlertRule, of, f), of.Ratio, of.HasRatio
		r.Group = GroupOf(of)
	}
	return r
}

// GroupOf returns a group with these sums as the log of events keeps it.
func GroupOf(of *view.GroupSums) *event.AlertedGroup {
	g := &event.AlertedGroup{Name: of.Group.String(), Asset: of.Asset, Rows: of.Rows}
	g.Profit, g.HasProfit = of.Sum(model.UnrealisedPnl)
	return g
}

// groupWords returns a group with the sums that matter to a rule.
func groupWords(rule *view.AlertRule, of *view.GroupSums, f *format.Formatter) string {
	words := []string{format.OneLine(of.Group.String()), format.Counted(of.Rows, "position") + " in " + f.Asset(of.Asset)}
	return strings.Join(append(words, SumWords(rule, of, f)...), ", ")
}

// SumWords returns the sums of a group that a rule compares, as they are now. The unrealised PnL is the first of them,
// also if the rule does not compare it.
func SumWords(rule *view.AlertRule, of *view.GroupSums, f *format.Formatter) []string {
	amount := func(name string, a model.Amount, plus bool) string {
		return name + " " + f.RoundedAmount(a, of.Asset, plus)
	}
	var words []string
	for _, number := range model.Summed() {
		if number != model.UnrealisedPnl && !compares(rule, func(c filter.AmountCondition) bool { return c.Number == number }) {
			continue
		}
		if sum, isKnown := of.Sum(number); isKnown {
			words = append(words, amount(sumName(number), sum, number.HasSign()))
		} else {
			words = append(words, sumName(number)+" not known")
		}
	}
	if compares(rule, func(filter.DayCondition) bool { return true }) {
		if words = append(words, "day PnL not known"); of.HasDay {
			words[len(words)-1] = amount("day PnL", of.Day, true)
		}
	}
	if compares(rule, func(filter.EstimateCondition) bool { return true }) {
		if words = append(words, "net notional not known"); of.HasNotional {
			if net := f.EstimatedAmount(of.Notional, of.Asset, true).Marked(format.RawMark); net != "" {
				words[len(words)-1] = "net notional ≈ " + net
			}
		}
	}
	if compares(rule, func(filter.MaintenanceCondition) bool { return true }) {
		if words = append(words, "maintenance not known"+withoutRatio(of)); of.HasMaintenance() {
			words[len(words)-1] = amount("maintenance", of.Maintenance(), false)
		}
	}
	if of.Open > 0 && compares(rule, func(filter.RatioCondition) bool { return true }) {
		if words = append(words, "uPnL/MM not known"+withoutRatio(of)); of.HasRatio {
			words[len(words)-1] = "uPnL/MM " + of.Ratio.String()
		}
	}
	return words
}

// sumName returns the name of a sum in messages.
func sumName(number model.Field) string {
	switch number {
	case model.UnrealisedPnl:
		return "uPnL"
	case model.RealisedPnl:
		return "rPnL"
	}
	return number.FilterName()
}

// withoutRatio returns of how many positions of a group the margin ratio is not known now.
func withoutRatio(of *view.GroupSums) string {
	return " (" + format.Grouped(of.WithoutRatio) + " of " + format.Grouped(of.Open) + " without)"
}

// compares reports whether a condition of a rule, of one type, passes a test.
func compares[C filter.Condition](rule *view.AlertRule, test func(C) bool) bool {
	terms := slices.Concat(rule.Filter.Terms(), rule.Clear.Terms())
	return slices.ContainsFunc(terms, func(t filter.Term) bool {
		return slices.ContainsFunc(t.Any, func(c filter.Condition) bool {
			of, ok := c.(C)
			return ok && test(of)
		})
	})
}
