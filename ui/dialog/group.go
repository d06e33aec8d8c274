package dialog

import (
	"fmt"
	"slices"
	"strings"

	"blotter/model"
	"blotter/model/filter"
	"blotter/ui/format"
	"blotter/ui/keys"
	"blotter/ui/pane"
	"blotter/ui/persist"
)

// GroupLine is the line, in place of the messages, in which the trader types the name of a group of positions.
type GroupLine struct {
	pane.TypedLine
	positions []model.Key
	isKept    bool               // for the next run
	asked     pane.Twice[string] // about one that is replaced
}

// NewGroupLine returns an empty line for a group of positions, which is kept for the next run or not.
func NewGroupLine(positions []model.Key, isKept bool) *GroupLine {
	return &GroupLine{TypedLine: pane.NewTypedLine(" group name: ", ""), positions: positions, isKept: isKept}
}

// GroupActions are the keys of the line.
func GroupActions() []keys.Action[*GroupLine] {
	return []keys.Action[*GroupLine]{
		{Name: "save_group", Keys: []string{"enter"}, Help: "make this group", Hint: "save", Priority: 1, Do: (*GroupLine).save},
	}
}

// save makes the group. Before it replaces one of the same name, it asks.
func (l *GroupLine) save(c *pane.Context) []pane.Effect {
	name := strings.TrimSpace(l.Typed())
	groups := slices.Clone(c.Store.Instruments().Groups())
	at, made := model.FindGroup(groups, name), model.NewGroup(name, l.positions)
	switch err := model.CheckGroupName(name); {
	case err != nil:
		return pane.Saying("the name " + err.Error())
	case at < 0 && len(groups) == model.MaxGroups:
		return pane.Saying(fmt.Sprintf("there can be %d groups", model.MaxGroups))
	case at < 0:
		groups = append(groups, made)
	case !groups[at].IsOfRows():
		return pane.Saying("the configuration has a group of this name")
	case !l.asked.Press(c, strings.ToLower(name)):
		return pane.Saying(c.Keys.Fill("{save_group} again replaces the group of ") + format.Counted(len(groups[at].Positions), "position"))
	default:
		groups[at] = made
	}
	if persist.Grouped(groups) > persist.MaxGrouped {
		return pane.Saying("groups of rows can have " + format.Grouped(persist.MaxGrouped) + " positions together")
	}
	words := "Group " + name + ": " + format.Counted(len(l.positions),
		"position") + c.Keys.Fill("; {group} shows groups, {filter} ") + filter.Exactly("group", name)
	if !l.isKept {
		words += ", in this run"
	}
	return pane.Closing(pane.SetGroups(groups), pane.Say(words+"."))
}

// Prompt draws the line, or a notice.
func (l *GroupLine) Prompt(c *pane.Context, width int) string {
	return l.DrawHinted(c, width, " of "+format.Counted(len(l.positions), "marked row"))
}

// GroupEntries returns the own groups, with what filters by one of them, and what removes one that was made of rows.
func GroupEntries(groups []model.Group, whyNot string) []Entry {
	var entries []Entry
	for i := range groups {
		g := &groups[i]
		term := filter.Exactly("group", g.Name)
		entries = append(entries, Entry{Name: "group " + format.OneLine(g.Name), Words: "show only its rows: " + term,
			Effects: []pane.Effect{pane.FocusPositions{}, pane.Filter(term)}})
		if g.IsOfRows() {
			without := slices.Delete(slices.Clone(groups), i, i+1)
			entries = append(entries, Entry{
				Name:  "delete group " + format.OneLine(g.Name),
				Words: "it was made here, of " + format.Counted(len(g.Positions), "row"), WhyNot: whyNot,
				Effects: []pane.Effect{pane.SetGroups(without), pane.Say("Deleted the group " + format.OneLine(g.Name) + ".")},
			})
		}
	}
	return entries
}
