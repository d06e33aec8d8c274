package command

import (
	"reflect"
	"testing"

	"blotter/feed/access"
	"blotter/model"
	"blotter/ui/persist"
	"blotter/ui/views"
)

// everything are the rights of a trader who may see all.
func everything() access.Rights {
	return access.Rights{Parties: access.Everything(), Markets: access.Everything()}
}

// fill sets all fields of a value, also those of its fields and elements.
func fill(v reflect.Value) {
	if v.Type() == reflect.TypeFor[model.ID]() {
		v.Set(reflect.ValueOf(model.MakeID("a1")))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i))
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(5)
	case reflect.Uint8:
		v.SetUint(5)
	default:
		panic("no value of " + v.Type().String())
	}
}

// TestEachPartOfAStateIsDecidedForATrader: a trader who may see everything has all that was saved. A new field is left
// out, until it is decided.
func TestEachPartOfAStateIsDecidedForATrader(t *testing.T) {
	var state persist.State
	fill(reflect.ValueOf(&state).Elem())
	if visible := visibleState(everything(), &state); !reflect.DeepEqual(visible, &state) {
		t.Errorf("a trader gets\n%+v, not\n%+v", *visible, state)
	}
}

// TestWhatWasSavedWithMoreRightsIsNotShown, and stays in the file: see TestEachTraderHasGroupsOfItsOwn.
func TestWhatWasSavedWithMoreRightsIsNotShown(t *testing.T) {
	a1, fund, gold := model.MakeID("a1"), model.MakeID("c0ffee"), model.MakeID("b1")
	state := persist.State{
		Views: []views.Saved{{Number: 1, Parties: []string{"a1"}}, {Number: 2, Parties: []string{"a1", "c0ffee"}}, {Number: 3, Markets: []string{"b2"}}},
		Groups: []persist.Group{
			{Name: "own", Positions: []model.Key{{Party: a1, Market: gold}}},
			{Name: "both", Positions: []model.Key{{Party: a1, Market: gold}, {Party: fund, Market: gold}}},
		},
	}
	rights := access.Rights{Parties: access.SetOf(a1), Markets: access.SetOf(gold)}
	visible := visibleState(rights, &state)
	if len(visible.Views) != 1 || visible.Views[0].Number != 1 || len(visible.Groups) != 1 || visible.Groups[0].Name != "own" {
		t.Errorf("the views are %+v, the groups %+v", visible.Views, visible.Groups)
	}
	if len(state.Views) != 3 || len(state.Groups) != 2 {
		t.Error("the state itself has changed")
	}
}
