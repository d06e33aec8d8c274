package config

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"blotter/model/filter"
)

func TestAlerts(t *testing.T) {
	f, err := Parse("a.toml", []byte(`
[[alert]]
name = "distress"
filter = "status:distressed|m%<-30"
clear = "m%>-20"
for = "5s"
again = "15m"
bell = true
notify = "osc777"
command = ["page", "me"]

[[alert]]
name = "loss"
filter = "upnl<-1k"

[[alert]]
name = "blind"
on = "stale"
for = "1m"
bell = true

[[alert]]
name = "majors"
on = "group"
group = "majors"
asset = "USDT"
filter = "upnl < -5k|maintenance > 1M"
clear = "m%>-20"
`))
	if err != nil {
		t.Fatal(err)
	}
	want := []AlertRule{
		{
			Name: "distress", On: "positions", For: 5 * time.Second, Filter: "status:distressed|m%<-30", Clear: "m%>-20", Again: 15 * time.Minute,
			Bell: true, Notify: "osc777", Command: []string{"page", "me"},
		},
		{Name: "loss", On: "positions", Filter: "upnl<-1k", Notify: "none"},
		{Name: "blind", On: "stale", For: time.Minute, Bell: true, Notify: "none"},
		{Name: "majors", On: "group", Group: "majors", Asset: "USDT", Filter: "upnl < -5k|maintenance > 1M", Clear: "m%>-20", Notify: "none"},
	}
	if !reflect.DeepEqual(f.Alerts, want) {
		t.Errorf("got  %+v\nwant %+v", f.Alerts, want)
	}
	shown := f.ScreenAlerts()
	if distress, loss := shown[0], shown[1]; distress.Name != "distress" || distress.For != 5*time.Second || distress.Again != 15*time.Minute || !distress.Clear.UsesMargins() || loss.Clear != nil || loss.Filter.MatchesAll() {
		t.Errorf("%+v %+v", distress, loss)
	}
	if blind := shown[2]; blind.StaleFor != time.Minute || blind.For != 0 {
		t.Errorf("%+v", blind)
	}
	if majors := shown[3]; majors.Group != "majors" || majors.Asset != "USDT" || majors.Clear == nil || len(majors.Filter.Terms()[0].Any) != 2 {
		t.Errorf("%+v", majors)
	}
}

func TestErrorsOfAlerts(t *testing.T) {
	const good = "[[alert]]\nname = 'a'\nfilter = 'eth'\n"
	sums := strings.Join(filter.SumFields(), " ")
	const ofGroup = "[[alert]]\nname = 'a'\non = 'group'\ngroup = 'g'\nasset = 'USDT'\n"
	for _, test := range []struct{ name, file, want string }{
		{"unknown field", "[[alert]]\nname = 'a'\n\nfilter = 'eth statis:x'", `:4: alert.filter: unknown field "statis"; did you mean status? as a name: "statis:x"; fields: ` + strings.Join(filter.Fields(), " ")},
		{"bad clear", good + "clear = 'm%>x'", ":4: alert.clear: upnl/mm> needs a number, as in uPnL/MM<-20%"},
		{"no name", "\n[[alert]]\nfilter = 'eth'", ":2: alert: must have a name"},
		{"space in a name", "[[alert]]\nname = ' a'\nfilter = 'eth'", ":2: alert.name: must be a text without space around it"},
		{"same name", good + good, ":5: alert.name: is the same as on line 2"},
		{"no filter", "[[alert]]\nname = 'a'", ":1: alert: must have a filter"},
		{"a filter of an alert about the feed", good + "on = 'stale'", `:1: alert: on = "stale" has neither a filter nor clear`},
		{"a time below 0", good + "for = '-5s'", `:4: alert.for: must be a time from "1s" to "24h"`},
		{"no time", good + "for = 'soon'", `:4: alert.for: must be a time from "1s" to "24h"`},
		{"a number", good + "for = 5", `:4: alert.for: must be a time from "1s" to "24h"`},
		{"longer than a day", good + "for = '24h1s'", `:4: alert.for: must be a time from "1s" to "24h"`},
		{"again below 0", good + "again = '-15m'", `:4: alert.again: must be a time from "10s" to "24h"`},
		{"again without a unit", good + "again = '15'", `:4: alert.again: must be a time from "10s" to "24h"`},
		{"again too often", good + "again = '9s'", `:4: alert.again: must be a time from "10s" to "24h"`},
		{"again after more than a day", good + "again = '25h'", `:4: alert.again: must be a time from "10s" to "24h"`},
		{"about something else", good + "on = 'moon'", ":4: alert.on: must be one of positions, group, stale"},
		{"a group without its name", "[[alert]]\nname = 'a'\non = 'group'\nasset = 'USDT'\nfilter = 'upnl<-5'", `:1: alert: on = "group" must have a group, by its name`},
		{"a group without an asset", "[[alert]]\nname = 'a'\non = 'group'\ngroup = 'g'\nfilter = 'upnl<-5'", `:1: alert: on = "group" must have an asset: sums of several assets are not added`},
		{"a field without a sum", ofGroup + "filter = 'upnl<-5 size>3'", ":6: alert.filter: size>3: a group has no such sum; its sums: " + sums},
		{"a text for a group", ofGroup + "filter = 'eth'", ":6: alert.filter: eth: a group has no such sum; its sums: " + sums},
		{"an unknown field of a group", ofGroup + "filter = 'pnl<3'", `:6: alert.filter: unknown field "pnl"; did you mean upnl? the sums of a group: ` + sums},
		{"a clear without a sum", ofGroup + "filter = 'upnl<-5'\nclear = 'age>5m'", ":7: alert.clear: age>5m: a group has no such sum; its sums: " + sums},
		{"a group without a filter", ofGroup, ":1: alert: must have a filter"},
		{"an asset of several", "[[asset]]\nid = 'a1'\nsymbol = 'USDT'\n[[asset]]\nid = 'a2'\nsymbol = 'USDT'\n" + ofGroup + "filter = 'upnl<-5'", ":11: alert.asset: several assets have this symbol: give the identifier"},
		{"a group of positions", good + "group = 'g'", `:4: alert.group: needs on = "group"`},
		{"an asset of positions", good + "asset = 'USDT'", `:4: alert.asset: needs on = "group"`},
		{"the PnL of the day of a screen", "[screen]\nfilter = 'day>5'", `:2: screen.filter: day is a field of rules of alerts alone; as a name: "day>5"`},
		{"a filter of all", "[[alert]]\nname = 'a'\nfilter = ' '", ":3: alert.filter: must not match all positions"},
		{"a filter that is not complete", "[[alert]]\nname = 'a'\nfilter = 'side:'", `:3: alert.filter: "side:" is not complete: long, short or flat must follow`},
		{"a clear that is not complete", good + "clear = 'eth !'", `:4: alert.clear: "!" is not complete: a term must follow, as in !eth`},
		{"notify", good + "notify = 'mail'", ":4: alert.notify: must be one of none, osc9, osc777"},
		{"command", good + "command = 'page me'", ":4: alert.command: must be a list: a program and its arguments, each in quotes"},
		{"in a profile", "[[profile.x.alert]]\nname = 'a'", ":1: profile.x.alert: is not a setting"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := Parse("a.toml", []byte(test.file))
			if err == nil || err.Error() != "a.toml"+test.want {
				t.Errorf("got  %v\nwant a.toml%s", err, test.want)
			}
		})
	}
	var many strings.Builder
	for i := range 21 {
		fmt.Fprintf(&many, "[[alert]]\nname = 'a%d'\nfilter = 'eth'\n", i)
	}
	if _, err := Parse("a.toml", []byte(many.String())); err == nil || err.Error() != "a.toml:61: alert: there can be at most 20 alerts, and here are 21: remove 1" {
		t.Errorf("%v", err)
	}
}
