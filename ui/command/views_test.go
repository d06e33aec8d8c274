package command

import (
	"reflect"
	"testing"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui"
	"blotter/ui/columns"
	"blotter/ui/command/cli"
	"blotter/ui/views"
)

// TestViewsOfTheConfiguration: a part that a view does not have is as the screen begins with.
func TestViewsOfTheConfiguration(t *testing.T) {
	w := newSandbox(t)
	w.write(t, "blotter/config.toml", `
[service]
base_urls = ['http://a']
[watch]
parties = ['one']
[screen]
filter = 'btc'
order = 'size'
descending = true
[[party]]
id = 'p1'
name = 'one'
[[party]]
id = 'p2'
name = 'two'
[[view]]
number = 2
name = 'all'
parties = []
markets = ['m1', 'm1']
filter = ''
order = 'age'
[[view]]
number = 1
parties = ['two', 'p2', 'one']
show_closed = true
columns = ['age', 'size']
group = 'party'
`)
	c, err := w.configure(t)
	if err != nil {
		t.Fatal(err)
	}
	options := c.uiOptions()
	options.Columns = []columns.State{{Column: "age"}} // as the last run left them
	c.addViews(&options)
	one, two, m1 := model.MakeID("p1"), model.MakeID("p2"), model.MakeID("m1")
	want := []views.View{
		{Number: 2, Name: "all", Shown: views.Shown{
			Settings: view.Settings{Scope: model.Scope{Markets: []model.ID{m1}}, Order: view.Order{Column: view.AgeColumn}},
			Columns:  options.Columns,
		}},
		{Number: 1, Shown: views.Shown{
			Settings: view.Settings{
				Scope: model.Scope{Parties: []model.ID{two, one}}, Filter: "btc", Order: view.Order{Column: view.SizeColumn, Descending: true},
				ShowClosed: true, Group: view.GroupByParty,
			},
			Columns: columns.Only([]view.Column{view.AgeColumn, view.SizeColumn}),
		}},
	}
	if !reflect.DeepEqual(options.Views, want) {
		t.Errorf("the views are\n%+v\nnot\n%+v", options.Views, want)
	}
}

func TestViewFlag(t *testing.T) {
	options := ui.Options{Views: []views.View{{Number: 3}, {Number: 1}}, SavedViews: []views.View{{Number: 3}, {Number: 7}}}
	for number, want := range map[int]string{
		0: "", 1: "", 7: "",
		2:  "--view: there is no view 2; there are 1, 3, 7",
		-1: "--view: there is no view -1; there are 1, 3, 7",
	} {
		err := (&screenFlags{view: number}).beginWithView(&options)
		if err == nil && (want != "" || options.View != number) || err != nil && err.Error() != want {
			t.Errorf("%d: %v, and it begins with %d", number, err, options.View)
		}
	}
	want := "--view: there is no view 1: none is in the configuration, and none was saved"
	if err := (&screenFlags{view: 1}).beginWithView(new(ui.Options)); err == nil || err.Error() != want || cli.ExitCode(err) != cli.ExitUsage {
		t.Errorf("without views: %v", err)
	}
}

func TestCompletionOfViewsAndProfiles(t *testing.T) {
	w := newSandbox(t)
	file := w.write(t, "views.toml", "[[view]]\nnumber = 3\n[[view]]\nnumber = 1\nname = 'distressed'\n[[profile.testnet.view]]\nnumber = 7\n")
	withService(t, func(s *service) {
		complete := func(want string, line ...string) {
			t.Helper()
			s.run(append([]string{"__complete", "--config", file}, line...)...).exits(0).prints(want)
		}
		complete("1\tdistressed\n3\n:4\n", "--view", "")
		complete("7\n:4\n", "--profile", "testnet", "--view", "")
		complete("testnet\n:4\n", "--profile", "t")
	})
}
