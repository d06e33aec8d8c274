package dialog

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"blotter/model/book"
	"blotter/ui/draw"
	"blotter/ui/keys"
	"blotter/ui/pane"
	"blotter/ui/store"
)

// BaselineQuestion asks whether to replace the baseline, or whether to use the one of an earlier run. It is a question
// in the second line.
type BaselineQuestion struct {
	pane.NoOp
	kept *book.Baseline // of an earlier run; nil if a baseline was taken in this run
}

// OpenBaseline takes a baseline, or asks if there is one already, so that one key does not replace it. The baseline
// that an earlier run kept is nil if there is none.
func OpenBaseline(c *pane.Context, kept *book.Baseline) (pane.Pane, []pane.Effect) {
	switch {
	case c.Store.Book().Baselines().HasTaken():
		return &BaselineQuestion{}, nil
	case kept != nil:
		return &BaselineQuestion{kept: kept}, nil
	}
	return nil, takeBaseline(c)
}

// BaselineActions are the keys of the question.
func BaselineActions() []keys.Action[*BaselineQuestion] {
	return []keys.Action[*BaselineQuestion]{
		{Name: "renew_baseline", Keys: []string{"B"}, Help: "take a new one", Hint: "new", Priority: 1, Do: (*BaselineQuestion).renew},
		{Name: "use_baseline", Keys: []string{"u"}, Help: "use the one of an earlier run", Hint: "use it",
			Priority: 2, Do: (*BaselineQuestion).use, WhyNot: (*BaselineQuestion).whyNotUse, HintIf: (*BaselineQuestion).isOfEarlierRun},
		{Name: "remove_baseline", Keys: []string{"x"}, Help: "remove it", Hint: "remove", Priority: 3,
			Do: (*BaselineQuestion).remove, WhyNot: (*BaselineQuestion).whyNotRemove,
			HintIf: func(r *BaselineQuestion, c *pane.Context) bool { return !r.isOfEarlierRun(c) }},
		{Name: "keep_baseline", Keys: keys.Esc, Help: "keep it", Hint: "keep", Priority: 4, Effect: pane.Close{}},
	}
}

// Prompt draws the question, unless there is a message.
func (r *BaselineQuestion) Prompt(c *pane.Context, width int) string {
	if c.Notice != "" {
		return ""
	}
	there, do := c.Store.Book().Baselines().Current(), ". {renew_baseline} takes a new one, {remove_baseline} removes it, {keep_baseline} keeps it."
	if r.kept != nil {
		there, do = r.kept, " of an earlier run. {use_baseline} uses it, {renew_baseline} takes a new one, {keep_baseline} does neither."
	}
	at, _ := there.At()
	words := "There is a baseline of " + c.Store.Format().ClockOn(at, c.Store.Now()) + c.Keys.Fill(do)
	return draw.Text(width, c.Styles.Warning, " "+draw.CutWords(words, width-2))
}

// takeBaseline takes a baseline of all rows as they are now.
func takeBaseline(c *pane.Context) []pane.Effect {
	words := "Baseline taken: ΔSIZE, ΔuPnL and ΔrPnL count from now."
	if c.WhyNotLive != "" {
		words = "Baseline taken: ΔSIZE, ΔuPnL and ΔrPnL count from " + c.Store.Format().ClockOn(c.Store.Now(), c.Store.Now()) + "."
	}
	if store.Followed(c.Store) != nil {
		words = strings.TrimSuffix(words, ".") + ", for positions that were followed then."
	}
	if frozen := store.FrozenOf(c.Store); frozen != nil {
		words = "Baseline taken: ΔSIZE, ΔuPnL and ΔrPnL count from " + c.Store.Format().ClockOn(frozen.Since(),
			c.Store.Now()) + ", when the rows were frozen."
	}
	if c.Store.Stale().Any() {
		words = "Baseline taken of rows that may be out of date."
	}
	return []pane.Effect{pane.Say(words), pane.Change(func(s *store.Store) tea.Cmd { return s.Baseline().Take() })}
}

func (*BaselineQuestion) renew(c *pane.Context) []pane.Effect {
	return pane.Closing(takeBaseline(c)...)
}

func (r *BaselineQuestion) use(c *pane.Context) []pane.Effect {
	at, _ := r.kept.At()
	words := "ΔSIZE, ΔuPnL and ΔrPnL count from " + c.Store.Format().ClockOn(at, c.Store.Now()) + "."
	return pane.Closing(pane.Say(words), pane.Change(func(s *store.Store) tea.Cmd { return s.Baseline().Use(r.kept) }))
}

func (r *BaselineQuestion) isOfEarlierRun(*pane.Context) bool { return r.kept != nil }

func (r *BaselineQuestion) whyNotUse(*pane.Context) string {
	return keys.ReasonIf(r.kept == nil, "one was taken in this run")
}

func (r *BaselineQuestion) whyNotRemove(*pane.Context) string {
	return keys.ReasonIf(r.kept != nil, "it is not used")
}

func (*BaselineQuestion) remove(*pane.Context) []pane.Effect {
	return pane.Closing(pane.Say("Baseline removed."), pane.Change(func(s *store.Store) tea.Cmd { return s.Baseline().Drop() }))
}
