package alerts

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestAlertsThatCannotBeUsed(t *testing.T) {
	for _, c := range []struct {
		own  Own
		want string // a part of the error; empty if there is none
	}{
		{Own{Name: "loss", Filter: "upnl<-1k"}, ""},
		{Own{Name: "loss", Filter: "upnl<-1k", Clear: "upnl>0", Bell: true, Notify: OSC9}, ""},
		{Own{Name: "loss", Filter: "upnl<-1k", Notify: OSC777}, ""},
		{Own{Name: "loss", Filter: "upnl<-1k", For: "1m30s", Again: "24h"}, ""},
		{Own{Name: "loss", Filter: "upnl<-1k", For: "-5s"}, "for must be a time from 1s to 24h, such as 5s, or empty"},
		{Own{Name: "loss", Filter: "upnl<-1k", For: "5"}, "for must be"},
		{Own{Name: "loss", Filter: "upnl<-1k", For: "25h"}, "for must be"},
		{Own{Name: "loss", Filter: "upnl<-1k", Again: "9s"}, "again must be a time from 10s to 24h, such as 15m, or empty"},
		{Own{Name: "loss", Filter: "upnl<-1k", Again: "x"}, "again must be"},
		{Own{Name: strings.Repeat("x", maxName), Filter: "upnl<-1k"}, ""},
		{Own{Name: strings.Repeat("x", maxName+1), Filter: "upnl<-1k"}, "name"},
		{Own{Name: strings.Repeat("界", maxName/2+1), Filter: "upnl<-1k"}, "name"},
		{Own{Name: "", Filter: "upnl<-1k"}, "name"},
		{Own{Name: " loss", Filter: "upnl<-1k"}, "name"},
		{Own{Name: "lo\x1bss", Filter: "upnl<-1k"}, "name"},
		{Own{Name: "loss", Filter: "nothing:1"}, "filter: "},
		{Own{Name: "loss", Filter: " "}, "must not match all"},
		{Own{Name: "loss", Filter: "upnl<-1k", Clear: "nothing:1"}, "clear: "},
		{Own{Name: "loss", Filter: "upnl<-1k", Notify: "osc8"}, "notify"},
		{Own{Name: "loss", Filter: "notional<-1k", Clear: "maintenance<5", Group: "majors", Asset: "USDT"}, ""},
		{Own{Name: "loss", Filter: "notional<-1k day<-5"}, ""},
		{Own{Name: "loss", Filter: "size<1", Group: "majors", Asset: "USDT"}, "filter: "},
		{Own{Name: "loss", Filter: "upnl<-1k", Clear: "size<1", Group: "majors", Asset: "USDT"}, "clear: "},
		{Own{Name: "loss", Filter: "upnl<-1k", Group: "majors"}, "a group needs an asset"},
		{Own{Name: "loss", Filter: "upnl<-1k", Asset: "USDT"}, "an asset needs a group"},
	} {
		a, err := c.own.Rule()
		if got := fmt.Sprint(err); (err != nil) != (c.want != "") || c.want != "" && !strings.Contains(got, c.want) {
			t.Errorf("%+v: the error is %q, want %q", c.own, got, c.want)
		}
		if again := Remember([]Rule{a}, new(Remembered)).Own; err == nil && !slices.Equal(again, []Own{c.own}) {
			t.Errorf("%+v is remembered as %+v", c.own, again)
		}
	}
}

// TestAlertsOfTheConfigurationStay: there are not more than a number of alerts, and those of the configuration come
// first.
func TestAlertsOfTheConfigurationStay(t *testing.T) {
	configured := make([]Rule, MaxRules-1)
	for i := range configured {
		configured[i].Name = fmt.Sprint("configured ", i)
	}
	configured[0].FilterText = "upnl<0"
	remembered := Remembered{Own: []Own{
		{Name: "configured 0", Filter: "upnl<0"}, {Name: "wrong", Filter: "nothing:1"},
		{Name: "first", Filter: "upnl<0"}, {Name: "second", Filter: "upnl<0"},
	}, Off: []string{"configured 3", "first", "second"}, Quiet: []QuietRule{{"configured 4", 100}, {"second", 200}}}
	all, leftOut := remembered.With(configured)
	if len(all) != MaxRules || all[MaxRules-1].Name != "first" {
		t.Fatalf("the alerts are %+v", all)
	}
	for i := range all {
		if want := i == 3 || i == MaxRules-1; all[i].IsOff != want {
			t.Errorf("%s is off: %t", all[i].Name, all[i].IsOff)
		}
	}
	if got, want := leftOut.LeftOutWords(all), "There can be at most 20 rules: remove one and start again. Left out: second."; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, want := leftOut.LeftOutWords(configured), "There can be at most 20 rules: remove one of the configuration. Left out: second."; got != want {
		t.Errorf("without rules of the screen: got  %s\nwant %s", got, want)
	}
	next := Remember(all[1:], &leftOut) // the trader has removed one
	again, leftOut := next.With(configured[1:])
	last := again[len(again)-1]
	if words := leftOut.LeftOutWords(again); words != "" || last.Name != "second" || !last.IsOff || last.QuietUntil.Unix() != 200 {
		t.Errorf("with room for it, the last is %+v; %s", last, words)
	}
}

// TestAnAlertWithTheNameOfAnotherIsKept, with a number after its name, if it is about something else.
func TestAnAlertWithTheNameOfAnotherIsKept(t *testing.T) {
	long := strings.Repeat("x", maxName)
	var configured []Rule
	for _, name := range []string{"loss", "loss 2", long} {
		a, err := Own{Name: name, Filter: "upnl<0"}.Rule()
		if err != nil {
			t.Fatal(err)
		}
		a.IsOwn = false
		configured = append(configured, a)
	}
	remembered := Remembered{Own: []Own{{Name: "loss", Filter: "upnl<-5"}, {Name: "loss 2", Filter: "upnl<0"}, {Name: long, Filter: "upnl<-5"}}}
	var names []string
	all, leftOut := remembered.With(configured)
	for _, a := range Remember(all, &leftOut).Own {
		if _, err := a.Rule(); err != nil {
			t.Error(err)
		}
		names = append(names, a.Name+" "+a.Filter)
	}
	if want := []string{"loss 3 upnl<-5", long[3:] + "… 2 upnl<-5"}; !slices.Equal(names, want) {
		t.Errorf("those of the screen are %q, want %q", names, want)
	}
}
