package command

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"

	"blotter/ui"
	"blotter/ui/alerts"
	"blotter/ui/command/remote"
	"blotter/ui/persist"
	"blotter/ui/topics"
)

// fieldsForTraders has each field of ui.Options, and of the structs in it, by what a trader of a desk gets in it.
var fieldsForTraders = map[string]map[string]string{
	"what visibleConfig has copied of the configuration": {
		"ui.Options":  "Alerts DisplayDecimals Demo Days Instruments Keys Location OldestFirst PageSize Service Shown View Views WithoutMarks",
		"alerts.Rule": "AlertRule Bell ClearText FilterText HasScope IsOwn Notify QuietUntil StaleFor", "history.Days": "Begins",
		"view.AlertRule": "Again Asset Clear Filter For Group IsOff Name OfFeed", "view.Order": "Column Descending",
		"view.Settings": "Filter Group Order Scope ShowClosed", "views.Shown": "Columns Settings", "views.View": "Name Number Shown",
		"columns.State": "Column Hidden Pinned Width", "model.Key": "Market Party", "model.Scope": "Markets Parties",
	},
	"what visibleConfig has copied of the saved state": {
		"ui.Options": "Remembered SavedViews Split", "persist.State": "Alerts Groups PageSize Remembered Split Theme Views",
		"alerts.Own":       "Again Asset Bell Clear Filter For Group Name Notify Scope",
		"alerts.QuietRule": "Name Until", "alerts.Remembered": "Off Own Quiet", "persist.Group": "Name Positions",
		"views.Remembered": "Columns Descending Group Order ShowClosed", "views.Saved": "Filter Markets Name Number Parties Remembered",
	},
	"that the desk evaluates it": {"view.AlertRule": "OfDesk"},

	"the rights":     {"ui.Options": "Extent"},
	"package access": {"ui.Options": "Desk Memory"},
	"files of the trader alone, without what is hidden now": {
		"ui.Options": "Keep Names Programs", "persist.Keeper": "Baseline Begun Days Offered State", "history.Days": "Numbers",
		"book.DayNumbers": "Began Day Last",
	},
	"words without files of the server":   {"ui.Options": "Notices"},
	"the terminal of the trader":          {"ui.Options": "Appearance", "theme.Appearance": "ASCII Mouse Theme Themes"},
	"what is the same for every program":  {"ui.Options": "Topics", "topics.Entry": "IsHeading Name Text", "topics.Facts": "Commands DemoAlert ExitCodes Faults Flags Rewind Settings"},
	"the log of the desk, and its frames": {"ui.Options": "Log TickAfter"},
	"that there are no profiles":          {"ui.Options": "Profiles", "views.ProfileSwitch": "Current Names Unavailable"},
	nothing: {
		"ui.Options":  "Files Now OnStats OpenProfile Recording Replay WatchAllIfHeldBack",
		"alerts.Rule": "Run",
	},
}

const nothing = "nothing"

// eachField calls found with the exported fields of a struct of this program, and with those of the structs in it.
func eachField(of reflect.Type, seen map[reflect.Type]bool, found func(of, field string)) {
	switch of.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		eachField(of.Elem(), seen, found)
	case reflect.Struct:
		if seen[of] || !strings.HasPrefix(of.PkgPath(), "blotter/") {
			return
		}
		seen[of] = true
		for field := range of.Fields() {
			if field.IsExported() {
				found(of.String(), field.Name)
				eachField(field.Type, seen, found)
			}
		}
	}
}

// TestEachFieldOfAScreenIsDecidedForATrader. One that nobody has decided is an error, and one of which a trader gets
// nothing is empty.
func TestEachFieldOfAScreenIsDecidedForATrader(t *testing.T) {
	eachField(reflect.TypeFor[ui.Options](), make(map[reflect.Type]bool), func(of, field string) {
		decided := 0
		for _, fields := range fieldsForTraders {
			if slices.Contains(strings.Fields(fields[of]), field) {
				decided++
			}
		}
		if decided != 1 {
			t.Errorf("what a trader gets in %s.%s is decided %d times", of, field, decided)
		}
	})
	onDesk(t, func(ctx context.Context, d *servedDesk) {
		for name := range hiddenFrom {
			_, options := d.screenOptions(ctx, remote.Session{Trader: name, Getenv: func(string) string { return "" }}, d.rightsOf(name))
			value := reflect.ValueOf(options)
			for _, field := range strings.Fields(fieldsForTraders[nothing]["ui.Options"]) {
				if !value.FieldByName(field).IsZero() {
					t.Errorf("trader %s gets %s", name, field)
				}
			}
			for _, rule := range options.Alerts {
				if rule.Run {
					t.Errorf("the screen of trader %s runs the command of %s", name, rule.Name)
				}
			}
			if isOwn := func(a alerts.Rule) bool { return strings.HasPrefix(a.Name, strings.ToUpper(own[name])) }; !slices.ContainsFunc(options.Alerts, isOwn) {
				t.Errorf("trader %s gets the alerts %v", name, options.Alerts)
			}
			options.Names, options.Keep, options.Log = nil, persist.Keeper{}, nil // they know files of the server
			options.Topics = topics.Facts{}                                       // words of the program
			textsIn(reflect.ValueOf(options), make(map[any]bool), func(text string) {
				for _, word := range hiddenFrom[name] {
					if strings.Contains(strings.ToLower(text), word) {
						t.Errorf("trader %s gets %q", name, text)
					}
				}
			})
		}
	})
}

// own is what is in the names that a trader may see.
var own = map[string]string{"one": "alpha", "two": "omega"}

// textsIn calls found with every text in a value, also those that only its own package can read.
func textsIn(v reflect.Value, seen map[any]bool, found func(string)) {
	switch v.Kind() {
	case reflect.String:
		found(v.String())
	case reflect.Pointer:
		if !v.IsNil() && !seen[v.Pointer()] {
			seen[v.Pointer()] = true
			textsIn(v.Elem(), seen, found)
		}
	case reflect.Interface:
		if !v.IsNil() {
			textsIn(v.Elem(), seen, found)
		}
	case reflect.Struct:
		for _, field := range v.Fields() {
			textsIn(field, seen, found)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			textsIn(v.Index(i), seen, found)
		}
	case reflect.Map:
		for key, value := range v.Seq2() {
			textsIn(key, seen, found)
			textsIn(value, seen, found)
		}
	}
}
