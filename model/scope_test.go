package model

import (
	"slices"
	"testing"
)

func TestSubscriptions(t *testing.T) {
	a, b, x, y := MakeID("a"), MakeID("b"), MakeID("x"), MakeID("y")
	for name, c := range map[string]struct {
		scope    Scope
		previous []Subscription
		want     []Subscription
	}{
		"everything":    {Scope{}, nil, []Subscription{{Key{}, 7}}},
		"parties":       {Scope{Parties: []ID{b, a}}, nil, []Subscription{{Key{Party: b}, 7}, {Key{Party: a}, 7}}},
		"a market":      {Scope{Markets: []ID{x}}, nil, []Subscription{{Key{Market: x}, 7}}},
		"both":          {Scope{[]ID{a, b}, []ID{x, y}}, nil, []Subscription{{Key{Party: a}, 7}, {Key{Party: b}, 7}}},
		"named twice":   {Scope{Parties: []ID{a, a}}, nil, []Subscription{{Key{Party: a}, 7}}},
		"one is new":    {Scope{Parties: []ID{a, b}}, []Subscription{{Key{Party: b}, 3}}, []Subscription{{Key{Party: a}, 7}, {Key{Party: b}, 3}}},
		"narrowed":      {Scope{[]ID{a}, []ID{x}}, []Subscription{{Key{Party: a}, 3}}, []Subscription{{Key{Party: a}, 3}}},
		"another shape": {Scope{Markets: []ID{x}}, []Subscription{{Key{Party: a}, 3}, {Key{}, 4}}, []Subscription{{Key{Market: x}, 7}}},
	} {
		if got := c.scope.Subscriptions(c.previous, 7); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestCovers(t *testing.T) {
	a, b, x, y := MakeID("a"), MakeID("b"), MakeID("x"), MakeID("y")
	for _, c := range []struct {
		subscribed, key Key
		want            bool
	}{
		{Key{}, Key{a, x}, true},
		{Key{Party: a}, Key{a, x}, true},
		{Key{Party: a}, Key{b, x}, false},
		{Key{Market: x}, Key{a, x}, true},
		{Key{Market: x}, Key{a, y}, false},
		{Key{a, x}, Key{a, x}, true},
		{Key{a, x}, Key{a, y}, false},
		{Key{a, x}, Key{b, x}, false},
	} {
		if got := (Subscription{Key: c.subscribed}).Covers(c.key); got != c.want {
			t.Errorf("%v covers %v: %v", c.subscribed, c.key, got)
		}
	}
}

func TestScopeCovers(t *testing.T) {
	a, b, x, y := MakeID("a"), MakeID("b"), MakeID("x"), MakeID("y")
	for _, c := range []struct {
		scope Scope
		want  []Key
	}{
		{Scope{}, []Key{{a, x}, {a, y}, {b, x}, {b, y}}},
		{Scope{Parties: []ID{a}}, []Key{{a, x}, {a, y}}},
		{Scope{Markets: []ID{x}}, []Key{{a, x}, {b, x}}},
		{Scope{[]ID{a, b}, []ID{y}}, []Key{{a, y}, {b, y}}},
	} {
		var got []Key
		for _, key := range []Key{{a, x}, {a, y}, {b, x}, {b, y}} {
			if c.scope.Covers(key) {
				got = append(got, key)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%+v covers %v, want %v", c.scope, got, c.want)
		}
	}
}

func TestPairs(t *testing.T) {
	a, b, x := MakeID("a"), MakeID("b"), MakeID("x")
	for _, c := range []struct {
		scope Scope
		want  []Key
	}{
		{Scope{}, []Key{{}}},
		{Scope{Parties: []ID{a, b, a}}, []Key{{Party: a}, {Party: b}}},
		{Scope{[]ID{a, b}, []ID{x}}, []Key{{a, x}, {b, x}}},
	} {
		if got := c.scope.Pairs(); !slices.Equal(got, c.want) {
			t.Errorf("the pairs of %+v are %v, want %v", c.scope, got, c.want)
		}
	}
}

func TestScopeEqual(t *testing.T) {
	a, b := MakeID("a"), MakeID("b")
	s := Scope{Parties: []ID{a, b}}
	if !s.Equal(Scope{Parties: []ID{a, b}, Markets: []ID{}}) || s.Equal(Scope{Parties: []ID{b, a}}) || s.Equal(Scope{Markets: []ID{a, b}}) {
		t.Error("Equal is wrong for equal or for different scopes")
	}
}
