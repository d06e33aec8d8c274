package view

import (
	"iter"

	"blotter/model"
	"blotter/model/filter"
	"blotter/model/view/ordered"
	"blotter/model/view/sorting"
)

// groupSums are the sums that rules about groups compare: those of all rows in scope, also of those that the filter
// hides, of each group in one asset. They are changed with the rows. A nil groupSums has none.
type groupSums struct {
	encoder *sorting.Encoder
	groups  model.GroupSet // that have sums
	all     []groupSum     // each of another group or asset
	byRule  []*groupSum    // nil if the rule is about positions, is off, or its group or asset is not known
	scales  notionalScales
}

// groupSum is the sum of a group in one asset.
type groupSum struct {
	group      int // its place in the instruments
	total      GroupTotal
	day        *daySum // nil if no rule compares it
	isChanged  bool    // since the last call of Evaluate
	uncompared bool    // a limit cannot be compared, because the decimals of the asset are not known
}

// newGroupSums returns the sums for rules, of some rows; nil if no rule is about a group.
func newGroupSums(rules []AlertRule, c *sorting.Encoder, rows *ordered.Index[sorting.Entry]) *groupSums {
	s := &groupSums{encoder: c, byRule: make([]*groupSum, len(rules)), all: make([]groupSum, 0, len(rules))}
	for i := range rules {
		if rules[i].Group == "" || rules[i].IsOff {
			continue
		}
		if group, asset, ok := rules[i].find(c.Instruments); ok {
			s.groups |= 1 << group
			s.byRule[i] = s.of(group, asset)
			if s.byRule[i].day == nil && (rules[i].Filter.UsesDay() || rules[i].Clear.UsesDay()) {
				s.byRule[i].day = &daySum{encoder: c, counted: make(map[model.Key]model.Amount)}
			}
		}
	}
	if s.groups == 0 {
		return nil
	}
	for e := range rows.All {
		if s.encoder.GroupsOf(e)&s.groups != 0 {
			p := s.encoder.Position(e)
			s.count(e, &p, +1)
		}
	}
	return s
}

// of returns the sum of a group in an asset. It makes the sum if there is none.
func (s *groupSums) of(group int, asset model.ID) *groupSum {
	for i := range s.all {
		if s.all[i].group == group && s.all[i].total.Asset == asset {
			return &s.all[i]
		}
	}
	// There are no more sums than rules, so append does not move them: byRule has pointers to them.
	s.all = append(s.all, groupSum{group: group, total: GroupTotal{Total: Total{Asset: asset}}})
	return &s.all[len(s.all)-1]
}

// count adds a row if sign is +1, and subtracts it if it is -1.
func (s *groupSums) count(e sorting.Entry, p *model.Position, sign int) {
	for sum := range s.changed(e) {
		sum.total.count(e, p, s.encoder, s.scales.of(e.Market(), s.encoder), sign)
		sum.day.count(p, sign)
	}
}

// replace counts another state of a row, if they only differ as changesOnlySums says.
func (s *groupSums) replace(e sorting.Entry, before, after *model.Position) {
	for sum := range s.changed(e) {
		sum.total.replace(e, before, after)
		sum.day.count(before, -1)
		sum.day.count(after, +1)
	}
}

// changed yields the sums that a row is in, and marks them as changed.
func (s *groupSums) changed(e sorting.Entry) iter.Seq[*groupSum] {
	return func(yield func(*groupSum) bool) {
		if s == nil {
			return
		}
		set := s.encoder.GroupsOf(e) & s.groups
		if set == 0 {
			return
		}
		asset := s.encoder.AssetOf(e)
		for i := range s.all {
			if sum := &s.all[i]; set.Has(sum.group) && sum.total.Asset == asset {
				sum.isChanged = true
				if !yield(sum) {
					return
				}
			}
		}
	}
}

// GroupSums are the sums of a group in one asset, as rules compare them.
type GroupSums struct {
	Group, Asset model.ID
	Rows, Open   int
	Notional     model.Estimate
	HasNotional  bool // false if an open row has no estimate
	Day          model.Amount
	HasDay       bool // false if the change since the day began is not known of a row, or no rule compares it
	Ratio        model.MarginRatio
	HasRatio     bool // false unless each open row has a ratio of one moment
	WithoutRatio int  // how many open rows have none, or only an estimate
	numbers      Sums
	decimals     int
}

// Sum returns the sum of one of model.Summed, and false if it has left out a number.
func (s *GroupSums) Sum(f model.Field) (model.Amount, bool) {
	sum := s.numbers.Sum(f)
	return sum.Amount(s.decimals), sum.LeftOut(s.decimals) == 0
}

func (s *groupSum) sums(in *model.Instruments) *GroupSums {
	t, decimals := &s.total, in.Asset(s.total.Asset).Decimals
	sums := &GroupSums{Group: in.Groups()[s.group].ID(), Asset: t.Asset, Rows: t.Rows, Open: t.Open, numbers: t.Sums, decimals: decimals}
	sums.Notional, sums.HasNotional = t.NetNotional(decimals)
	sums.WithoutRatio = t.WithoutRatio() + t.margin.estimates
	sums.Ratio, sums.HasRatio = t.MarginRatio(decimals)
	sums.HasRatio = sums.HasRatio && !sums.Ratio.IsEstimate
	sums.Day, sums.HasDay = s.day.known(decimals)
	if t.Open == 0 {
		sums.Notional, sums.HasNotional = model.Estimate{}, true
	}
	return sums
}

// answer returns whether the sums match a query. It is not known if that depends on a sum that is not known.
func (s *groupSum) answer(q *filter.Query, in *model.Instruments) filter.Answer {
	subject := comparedSums{s.sums(in), s}
	return q.Answer(func(c filter.Condition) filter.Answer { return filter.Meets(c, subject) })
}

// comparedSums are the sums as conditions read them.
type comparedSums struct {
	*GroupSums
	of *groupSum
}

// known returns the answer for a value that is known, or not.
func known(isKnown bool) filter.Answer {
	if isKnown {
		return filter.Yes
	}
	return filter.Unknown
}

func (s comparedSums) Number(f model.Field) (model.Amount, filter.Answer) {
	sum, isKnown := s.Sum(f)
	return sum, known(isKnown)
}

func (s comparedSums) Maintenance() (model.Amount, filter.Answer) {
	return s.GroupSums.Maintenance(), known(s.HasMaintenance())
}

func (s comparedSums) Day() (model.Amount, filter.Answer) { return s.GroupSums.Day, known(s.HasDay) }

// Estimate returns the net notional without its bound, which rules leave out.
func (s comparedSums) Estimate(bool) (model.Estimate, filter.Answer) {
	s.of.uncompared = s.of.uncompared || s.of.total.notional.unestimated > 0
	return model.Estimate{Amount: s.Notional.Amount}, known(s.HasNotional)
}

func (s comparedSums) Ratio() (model.MarginRatio, filter.Answer) {
	if s.Open == 0 {
		return model.MarginRatio{}, filter.No
	}
	return s.GroupSums.Ratio, known(s.HasRatio)
}

func (s comparedSums) Decimals(model.Field) int { return s.decimals }

func (s comparedSums) Uncompared() filter.Answer {
	s.of.uncompared = true
	return filter.Unknown
}

// filter.ParseSums refuses conditions on what follows.

func (comparedSums) HasText(filter.TextCondition) filter.Answer { return filter.No }

func (comparedSums) Distance(model.RatioLimit) (model.Distance, filter.Answer) {
	return model.Distance{}, filter.No
}

func (comparedSums) Figure(model.Figure) (model.MarginRatio, filter.Answer) {
	return model.MarginRatio{}, filter.No
}

// HasMaintenance reports whether the sum of the maintenance margins is known: each open row has a ratio of one moment.
func (s *GroupSums) HasMaintenance() bool { return s.HasRatio || s.Open == 0 }

// Maintenance returns the sum of the maintenance margins.
func (s *GroupSums) Maintenance() model.Amount {
	if s.Open == 0 {
		return model.AmountOf(0)
	}
	return s.Ratio.Maintenance
}

// ofRule returns the sum that a rule is about; nil if there is none.
func (s *groupSums) ofRule(rule int) *groupSum {
	if s == nil {
		return nil
	}
	return s.byRule[rule]
}
