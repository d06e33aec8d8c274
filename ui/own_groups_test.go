package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"blotter/model"
	"blotter/ui/persist"
)

// makeGroup makes a group of the rows at these places of the table.
func (s *screen) makeGroup(name string, places ...int) {
	s.press("u")
	for _, place := range places {
		s.press("g")
		for range place {
			s.press("down")
		}
		s.press("a")
	}
	s.press("O")
	s.write(name)
	s.press("enter")
}

// TestAGroupOfMarkedRows has these rows only, not all of their parties in all of their markets, and works where one of
// the configuration does.
func TestAGroupOfMarkedRows(t *testing.T) {
	onScreen(t, 80, 24, func(o *Options) { withOwnGroups(o); o.Scope = model.Scope{} }, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.pass(4 * time.Second)
		s.wantMarkets("ETH", "SOL", "BTC", "LINK", "DOGE", "BTC")
		s.makeGroup("hedge", 0, 1, 5)
		s.sees("Group hedge: 3 positions; b shows groups, / group:=hedge, in this run.")
		s.filter("group:hedge")
		s.wantMarkets("*ETH", "*SOL", "*BTC")
		s.pass(4 * time.Second)
		s.sees("FILTER", " -234.62 ") // without that of ETH of another party
		s.press("esc", "g", "b", "b", "b", "b")
		s.seesLine("▾hedge 3 pos -234.62 -2.8% 1 DISTRESSED")
		s.press("m")
		s.seesLine("[ ] hedge group of 3 markets")
		s.press("esc", "p")
		s.seesLine("[ ] hedge group of 2 parties")
		s.press("esc", "ctrl+p")
		s.write("group hed")
		s.seesLine("▌ group hedge show only its rows: group:=hedge")
		s.press("enter")
		if filter := s.m.store.Settings().Filter; filter != "group:=hedge" {
			t.Errorf("the filter is %q", filter)
		}
	})
}

// TestAGroupIsReplacedAndDeleted: the one of a name is asked about, and one of the configuration stays.
func TestAGroupIsReplacedAndDeleted(t *testing.T) {
	onScreen(t, 80, 24, withOwnGroups, func(s *screen) {
		s.publish(deskDelta(s))
		s.makeGroup("hedge", 0, 1)
		s.makeGroup("Hedge", 2)
		s.sees("enter again replaces the group of 2 positions")
		s.press("enter")
		s.sees("Group Hedge: 1 position;")
		s.makeGroup("MAJORS", 2)
		s.sees("the configuration has a group of this name")
		s.press("ctrl+u", "enter")
		s.sees("the name must not be empty")
		s.write(`a"b`)
		s.press("enter")
		s.sees("the name must be a text of at most 40 characters")
		s.press("esc")
		s.press(":")
		s.write("delete group")
		s.seesNot("delete group majors")
		s.press("enter")
		s.sees("Deleted the group Hedge.")
		if names := fmt.Sprint(s.m.store.Instruments().Groups()); strings.Contains(names, "edge") || !strings.Contains(names, "majors") {
			t.Errorf("the groups are %s", names)
		}
		s.press("u", "O")
		s.sees("No row is marked.")
	})
}

// TestGroupsAreKept for the next run, but not those of the configuration, and one of that has its name first.
func TestGroupsAreKept(t *testing.T) {
	onScreen(t, 80, 24, withOwnGroups, func(s *screen) {
		s.publish(deskDelta(s))
		s.makeGroup("hedge", 0, 1)
		state := s.m.State()
		if len(state.Groups) != 1 || state.Groups[0].Name != "hedge" || len(state.Groups[0].Positions) != 2 {
			t.Fatalf("kept are %+v", state.Groups)
		}
		state.Groups = append(state.Groups, persist.Group{Name: "majors", Positions: state.Groups[0].Positions})
		var o Options
		o.Instruments = deskInstruments()
		withOwnGroups(&o)
		o.Use(&state, func(string) bool { return false })
		groups := o.Instruments.Groups()
		if len(groups) != 3 || groups[2].Name != "hedge" || groups[0].IsOfRows() {
			t.Errorf("the next run has %+v", groups)
		}
		in := o.Instruments
		for _, key := range state.Groups[0].Positions {
			if !in.GroupsOf(key).Has(2) {
				t.Errorf("%v is not in the group", key)
			}
		}
	})
}

// TestGroupsOfRowsHaveALimit, so that the state stays small.
func TestGroupsOfRowsHaveALimit(t *testing.T) {
	onScreen(t, 80, 24, func(o *Options) {
		var positions []model.Key
		for i := range persist.MaxGrouped - 1 {
			positions = append(positions, model.Key{Party: desk1, Market: model.MakeID(fmt.Sprint("m", i))})
		}
		o.Use(&persist.State{Groups: []persist.Group{{Name: "many", Positions: positions}}}, func(string) bool { return false })
	}, func(s *screen) {
		s.publish(deskDelta(s))
		s.makeGroup("hedge", 0, 1)
		s.sees("groups of rows can have 2,000 positions together")
		s.press("esc")
		s.makeGroup("hedge", 0)
		s.sees("Group hedge: 1 position")
	})
}

// TestGoldenGroupOfMarkedRows while its name is typed, and then the table in groups.
func TestGoldenGroupOfMarkedRows(t *testing.T) {
	for _, size := range []struct{ width, height int }{{80, 24}, {120, 40}} {
		onScreen(t, size.width, size.height, withOwnGroups, func(s *screen) {
			s.publish(deskDelta(s))
			s.pass(4 * time.Second)
			s.press("a", "down", "a", "down", "O")
			s.golden(fmt.Sprintf("group-name-%dx%d", size.width, size.height))
			s.write("hedge")
			s.press("enter", "b", "b", "b", "b")
			s.golden(fmt.Sprintf("group-of-rows-%dx%d", size.width, size.height))
		})
	}
}

// TestGoldenExposureAndMatrixByOwnGroups: a row counts in each of its groups, and once in the total.
func TestGoldenExposureAndMatrixByOwnGroups(t *testing.T) {
	for _, size := range []struct{ width, height int }{{80, 24}, {120, 40}} {
		onScreen(t, size.width, size.height, withOwnGroups, func(s *screen) {
			s.publish(deskDelta(s))
			s.pass(time.Second)
			s.press("x", "tab", "right", "right")
			s.pass(4 * time.Second)
			s.sees(" by own group", "majors", "desk-1 ETH", "in no group", " 1 position in several groups: in each of them, once in the total")
			s.golden(fmt.Sprintf("exposure-own-%dx%d", size.width, size.height))
			s.press("right")
			s.sees(" by market")
			s.press("left", "tab", "b")
			s.sees("GROUP", "majors", " what is in no group is only in the totals", "1 position in several groups")
			s.golden(fmt.Sprintf("matrix-own-%dx%d", size.width, size.height))
			s.press("right", "down", "enter")
			if filter := s.m.store.Settings().Filter; !strings.HasPrefix(filter, "group:=") || !strings.Contains(filter, " market:=") {
				t.Errorf("the filter is %q", filter)
			}
		})
	}
	onScreen(t, 80, 24, nil, func(s *screen) {
		s.publish(deskDelta(s))
		s.pass(time.Second)
		s.press("x", "tab", "right", "right")
		s.pass(4 * time.Second)
		s.sees(" by market")
		s.press("tab", "b")
		s.sees("There are no own groups.")
	})
}
