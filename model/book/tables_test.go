package book

import (
	"testing"

	"blotter/model"
)

// TestTablesAreFound by their subscriptions, by the keys that they cover, and in the order of their numbers. A number
// that is free is used again.
func TestTablesAreFound(t *testing.T) {
	a := model.Subscription{Key: model.Key{Party: model.MakeID("a")}, Epoch: 1}
	b := model.Subscription{Key: model.Key{Party: model.MakeID("b")}}
	all := newTables()
	all.put(NewTable(b, 2, NewRows()))
	all.put(NewTable(a, all.freeNumber(), NewRows()))
	if all.of(a).Number() != 0 || all.of(b).Number() != 2 || all.freeNumber() != 1 {
		t.Errorf("the numbers are %d and %d, and %d is free", all.of(a).Number(), all.of(b).Number(), all.freeNumber())
	}
	if other := (model.Subscription{Key: a.Key, Epoch: 2}); all.of(other) != nil {
		t.Error("a subscription of another epoch has a table")
	}
	market := model.MakeID("m")
	if all.covering(model.Key{Party: a.Party, Market: market}) != all.of(a) || all.covering(model.Key{Party: market}) != nil {
		t.Error("a position is in the table of another subscription")
	}
	var numbers []uint32
	for table := range all.all {
		numbers = append(numbers, table.Number())
	}
	if len(numbers) != 2 || numbers[0] != 0 || numbers[1] != 2 {
		t.Errorf("the tables are %v", numbers)
	}
}

// TestTableOfUpdates: updates of a new subscription make its table; those of one that has ended, or that only say what
// is told, make none.
func TestTableOfUpdates(t *testing.T) {
	s := model.Subscription{Epoch: 1}
	all := newTables()
	if all.ofUpdates(&Updates{Subscription: s, Told: 1}) != nil {
		t.Error("updates without positions have made a table")
	}
	made := all.ofUpdates(&Updates{Subscription: s, Positions: make([]model.Position, 1)})
	if made == nil || !made.partial || all.of(s) != made {
		t.Fatalf("updates have made %+v", made)
	}
	if all.ofUpdates(&Updates{Subscription: model.Subscription{Epoch: 2}, Positions: make([]model.Position, 1)}) != nil {
		t.Error("updates of another epoch have a table")
	}
}
