package config

import (
	"slices"
	"testing"

	"blotter/model"
)

func TestGroups(t *testing.T) {
	f := parse(t, `
[[party]]
id = 'a1'
name = 'desk-1'
[[market]]
id = 'b1'
name = 'BTC/USDT'
[[group]]
name = 'majors'
parties = ['desk-1', 'a2']
markets = ['BTC/USDT']
[[group]]
name = 'all of desk-1'
parties = ['desk-1']
`)
	groups := f.Instruments.Groups()
	if len(groups) != 2 || groups[0].Name != "majors" || !slices.Equal(groups[0].Parties, []model.ID{model.MakeID("a1"), model.MakeID("a2")}) ||
		!slices.Equal(groups[0].Markets, []model.ID{model.MakeID("b1")}) || groups[1].Markets != nil {
		t.Fatalf("%+v", groups)
	}
	if set := f.Instruments.GroupsOf(model.Key{Party: model.MakeID("a1"), Market: model.MakeID("b2")}); set.Has(0) || !set.Has(1) {
		t.Errorf("the position is in %b", set)
	}
}

// TestGroupsKnowNamesThatWereGivenOnTheScreen.
func TestGroupsKnowNamesThatWereGivenOnTheScreen(t *testing.T) {
	f := parse(t, "[[group]]\nname = 'majors'\nmarkets = ['ETH']")
	names, err := ParseNames("names", []byte("[[market]]\nid = 'b2'\nname = 'ETH'"))
	if err == nil {
		err = f.AddNames(names)
	}
	if err != nil || f.Instruments.Groups()[0].Markets[0] != model.MakeID("b2") {
		t.Errorf("%+v, %v", f.Instruments.Groups(), err)
	}
}

func TestGroupErrors(t *testing.T) {
	for _, test := range []struct{ name, file, want string }{
		{"no name", "[[group]]\nparties = ['a']", ":1: group: must have a name"},
		{"nothing in it", "[[group]]\nname = 'a'", ":1: group: must have parties or markets: without both it has all positions"},
		{"two of one name", "[[group]]\nname = 'a'\nparties = ['a']\n[[group]]\nname = 'A'\nparties = ['a']", ":5: group.name: is the same as on line 2"},
		{"space", "[[group]]\nname = ' a'\nparties = ['a']", ":2: group.name: must be a text of at most 40 characters, without quotes and without space around it"},
		{"an empty party", "[[group]]\nname = 'a'\nparties = ['']", ":3: group.parties: must be a name or an identifier, not an empty text"},
		{"unknown key", "[[group]]\nname = 'a'\nparty = ['a']", ":3: group.party: is not a setting"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := Parse("a.toml", []byte(test.file))
			if err == nil || err.Error() != "a.toml"+test.want {
				t.Errorf("got  %v\nwant a.toml%s", err, test.want)
			}
		})
	}
}
