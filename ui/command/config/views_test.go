package config

import (
	"slices"
	"strings"
	"testing"

	"blotter/model/view"
)

func TestViews(t *testing.T) {
	f := parse(t, `
[[view]]
number = 3
name = 'distressed'
parties = []
markets = ['BTC/USDT']
filter = 'status:distressed'
order = 'size'
descending = true
show_closed = true
columns = ['age', 'size']
group = 'party'
[[view]]
number = 1
`)
	if len(f.Views) != 2 {
		t.Fatalf("%+v", f.Views)
	}
	v := f.Views[0]
	if v.Number != 3 || v.Name != "distressed" || v.Parties == nil || len(v.Parties) != 0 || !slices.Equal(v.Markets, []string{"BTC/USDT"}) ||
		*v.Filter != "status:distressed" || *v.Order != view.SizeColumn || !*v.Descending || !*v.ShowClosed ||
		!slices.Equal(v.Columns, []view.Column{view.AgeColumn, view.SizeColumn}) || *v.Group != view.GroupByParty {
		t.Errorf("%+v", v)
	}
	if v := f.Views[1]; v.Parties != nil || v.Markets != nil || v.Filter != nil || v.Order != nil || v.Descending != nil || v.ShowClosed != nil ||
		v.Columns != nil || v.Group != nil {
		t.Errorf("what is not given is %+v", v)
	}
}

func TestViewErrors(t *testing.T) {
	var keys []string
	for _, c := range view.Columns() {
		keys = append(keys, c.Key())
	}
	columns := strings.Join(keys, ", ")
	for _, test := range []struct{ name, file, want string }{
		{"no number", "[[view]]\nname = 'a'", ":1: view: must have a number from 1 to 9"},
		{"the default view", "[[view]]\nnumber = 0", ":2: view.number: must be a whole number from 1 to 9"},
		{"no digit", "[[view]]\nnumber = 10", ":2: view.number: must be a whole number from 1 to 9"},
		{"a key", "[[view]]\nnumber = '1'", ":2: view.number: must be a whole number from 1 to 9"},
		{"one number twice", "[[view]]\nnumber = 1\n\n[[view]]\nnumber = 1", ":5: view.number: is the same as on line 2"},
		{"unknown key", "[[view]]\nnumber = 1\nfilters = ''", ":3: view.filters: is not a setting; did you mean filter?"},
		{"filter", "[[view]]\nnumber = 1\nfilter = 5", ":3: view.filter: must be a text"},
		{"order", "[[view]]\nnumber = 1\norder = 'colour'", ":3: view.order: must be one of " + strings.Join(view.SortKeys(), ", ")},
		{"column", "[[view]]\nnumber = 1\ncolumns = ['size', 'colour']", ":3: view.columns: must be a list of columns, each in quotes and once: " + columns},
		{"column twice", "[[view]]\nnumber = 1\ncolumns = ['size', 'size']", ":3: view.columns: must be a list of columns, each in quotes and once: " + columns},
		{"an order without a column", "[[view]]\nnumber = 1\ncolumns = ['trouble']", ":3: view.columns: must be a list of columns, each in quotes and once: " + columns},
		{"group", "[[view]]\nnumber = 1\ngroup = 'desk'", ":3: view.group: must be one of party, market, asset, own, or \"\""},
		{"empty party", "[[view]]\nnumber = 1\nparties = ['a',\n' ']", ":4: view.parties: must be a name or an identifier, not an empty text"},
		{"one section", "[view]\nnumber = 1", ":1: view: must be sections: [[view]]"},
		{"in a profile", "[[view]]\nnumber = 1\n[[profile.a.view]]\nnumber = 1\n[[profile.a.view]]\nnumber = 1", ":6: profile.a.view.number: is the same as on line 4"},
		{"value in a profile", "[profile.a]\n[[profile.a.view]]\nnumber = 1\n\nshow_closed = 1", ":5: profile.a.view.show_closed: must be true or false"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := Parse("a.toml", []byte(test.file))
			if err == nil || err.Error() != "a.toml"+test.want {
				t.Errorf("got  %v\nwant a.toml%s", err, test.want)
			}
		})
	}
}

// TestFiltersOfViewsAreCheckedApart: the screen lists a view with a wrong filter, with its error.
func TestFiltersOfViewsAreCheckedApart(t *testing.T) {
	for file, want := range map[string]string{
		"[[view]]\nnumber = 1\nfilter = 'eth upnl<x btc'":                                       ":3: view.filter: upnl< needs a number, as in upnl>1.5k",
		"[[view]]\nnumber = 1\n[[view]]\nnumber = 2\nfilter = 'status:distressed party:'":       ":5: view.filter: \"party:\" is not complete: a text must follow, as in party:desk-1",
		"[profile.a]\n[[profile.a.view]]\nnumber = 1\n\nfilter = 'side:'":                       ":5: profile.a.view.filter: \"side:\" is not complete: long, short or flat must follow",
		"[[view]]\nnumber = 1\n[[view]]\nnumber = 2\nfilter = ''\n[[profile.a.view]]\nnumber=3": "",
	} {
		f, err := Parse("a.toml", []byte(file))
		if err == nil && len(f.Profiles()) > 0 {
			f, err = f.WithProfile("a")
		}
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if err := f.CheckViewFilters(); (err != nil || want != "") && (err == nil || err.Error() != "a.toml"+want) {
			t.Errorf("got  %v\nwant a.toml%s", err, want)
		}
	}
}

// TestViewsOfProfiles: a profile with views has only those; another has those of all.
func TestViewsOfProfiles(t *testing.T) {
	const text = "[[view]]\nnumber = 1\n[[view]]\nnumber = 2\n[[view]]\nnumber = 3\n" +
		"[[profile.a.view]]\nnumber = 7\n[[profile.b.view]]\nnumber = 8\n[profile.c]\n"
	numbers := func(f *File) (numbers []int) {
		for _, v := range f.Views {
			numbers = append(numbers, v.Number)
		}
		return numbers
	}
	for name, want := range map[string][]int{"a": {7}, "b": {8}, "c": {1, 2, 3}} {
		if got := numbers(profiled(t, text, name)); !slices.Equal(got, want) {
			t.Errorf("profile %s has the views %v, not %v", name, got, want)
		}
	}
	if got := numbers(parse(t, text)); !slices.Equal(got, []int{1, 2, 3}) {
		t.Errorf("without a profile: %v", got)
	}
	for _, setting := range profiled(t, text, "b").Settings() {
		if setting.Key == "view" && setting != (Setting{"view", "1 section", "a.toml:9"}) {
			t.Errorf("%+v", setting)
		}
	}
}
