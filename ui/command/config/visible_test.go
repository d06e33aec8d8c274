package config

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"blotter/feed/access"
	"blotter/model"
)

// copiedKeys has each key that a trader of a desk gets, if it names nothing that is hidden.
const copiedKeys = `
[[party]]
id = 'a1'
name = 'desk-1'
[[market]]
id = 'b1'
name = 'BTC/USDT'
asset = 'd1'
price_decimals = 1
size_decimals = 3
linear = false
[[asset]]
id = 'd1'
symbol = 'USDT'
decimals = 6
display_decimals = 4
[[group]]
name = 'majors'
parties = ['desk-1']
markets = ['BTC/USDT']
[screen]
order = 'size'
descending = true
group = 'party'
show_closed = true
filter = 'desk-1'
page_size = 100
oldest_first = true
display_decimals = 3
time_zone = 'UTC'
day_begins = '06:00'
theme = 'own'
mouse = false
ascii = true
mark_changes = false
[[theme]]
name = 'own'
accent = '1'
quiet = '2'
gain = '3'
loss = '4'
live = '5'
warning = '6'
alarm = '7'
cursor = '8'
dim = '9'
up = '10'
heat_25 = '12'
heat_50 = '13'
heat_75 = '14'
on_colour = '15'
[[view]]
number = 3
name = 'mine'
parties = ['desk-1']
markets = ['BTC/USDT']
filter = 'side:long'
order = 'size'
descending = true
show_closed = true
columns = ['size']
group = 'party'
[[alert]]
name = 'loss'
on = 'group'
group = 'majors'
asset = 'USDT'
for = '5s'
filter = 'upnl<-5'
clear = 'upnl>0'
again = '15m'
bell = true
notify = 'osc9'
[feed]
rows = 77
[keys]
freeze = 'F'
`

// hiddenKeys has each key that no trader gets.
const hiddenKeys = `
[service]
base_urls = ['https://hidden.example']
name = 'hidden'
headers = { X-Hidden = 'hidden' }
secret_headers = ['X-Hidden']
token_file = 'hidden'
token_command = ['hidden']
send_token_without_tls = true
ca_file = 'hidden'
client_certificate = 'hidden'
client_key = 'hidden'
compression = true
[watch]
parties = ['desk-1']
markets = ['BTC/USDT']
[screen]
rewind = '1h'
rewind_memory = 5
[[alert]]
command = ['hidden']
[feed]
frame = '51ms'
connect = '51s'
answer = '52s'
snapshot_silence = '53s'
probe_after = '54s'
probe_every = '55s'
first_backoff = '56s'
max_backoff = '57s'
healthy_after = '58s'
refused_retry = '59s'
audit_every = '61s'
message_bytes = 1234567
buffer_bytes = 12345678
watch_all_if_held_back = true
metrics_hosts = ['hidden']
[serve]
listen = 'hidden:1'
host_key = 'hidden'
max_sessions = 7
[[trader]]
name = 'hidden'
keys = ['hidden']
keys_file = 'hidden'
parties = ['*']
markets = ['*']
[profile.hidden]
`

// tables returns the sections of a text, each as a list of tables.
func tables(t *testing.T, text string) map[string][]map[string]any {
	var document map[string]any
	if err := toml.Unmarshal([]byte(text), &document); err != nil {
		t.Fatal(err)
	}
	all := make(map[string][]map[string]any)
	for name, value := range document {
		if table, isTable := value.(map[string]any); isTable {
			value = []any{table}
		}
		for _, table := range value.([]any) {
			all[name] = append(all[name], table.(map[string]any))
		}
	}
	return all
}

// TestEachKeyIsDecidedForATrader: what no trader gets is not in the file of one who may see everything, and all the
// rest is. A new key is in neither list.
func TestEachKeyIsDecidedForATrader(t *testing.T) {
	copied, hidden := tables(t, copiedKeys), tables(t, hiddenKeys)
	section := ""
	for _, entry := range Describe() {
		if entry.IsHeading {
			if section = strings.Trim(entry.Name, "[]"); copied[section] == nil && hidden[section] == nil {
				t.Errorf("it is not decided whether a trader of a desk gets [%s]", section)
			}
			continue
		}
		isIn := func(all map[string][]map[string]any) bool {
			return slices.ContainsFunc(all[section], func(table map[string]any) bool { return table[entry.Name] != nil })
		}
		if isIn(copied) == isIn(hidden) {
			t.Errorf("it is not decided whether a trader of a desk gets %s.%s", section, entry.Name)
		}
	}
	both := maps.Clone(copied)
	for name, list := range hidden {
		if both[name] == nil {
			both[name] = list
			continue
		}
		for i := range list {
			both[name][i] = maps.Clone(both[name][i])
			maps.Copy(both[name][i], list[i])
		}
	}
	delete(both["service"][0], "token_command") // there can be one of both
	want := parsed(t, copiedKeys)
	want.Screen.Rewind, want.Screen.RewindMemory = 0, 0 // the past is that of the desk
	file := parsed(t, textOf(t, both))
	got := file.VisibleTo(access.Rights{Parties: access.Everything(), Markets: access.Everything()}, file.Instruments, model.Scope{})
	for _, key := range []string{"screen.order", "screen.theme", "screen.ascii"} {
		if !got.IsSet(key) || got.From(key) == file.From(key) {
			t.Errorf("%s is set: %t, at %s", key, got.IsSet(key), got.From(key))
		}
	}
	for _, id := range []model.ID{model.MakeID("a1"), model.MakeID("b1"), model.MakeID("d1")} {
		got, want := got.Instruments, want.Instruments
		if got.Party(id) != want.Party(id) || got.Market(id) != want.Market(id) || got.Asset(id) != want.Asset(id) {
			t.Errorf("the names of %s differ", id)
		}
	}
	if groups := got.Instruments.Groups(); !reflect.DeepEqual(groups, want.Instruments.Groups()) {
		t.Errorf("the groups are %v", groups)
	}
	if got, want := withoutPlaces(got), withoutPlaces(want); !reflect.DeepEqual(got, want) {
		t.Errorf("a trader gets\n%+v\nnot\n%+v", got, want)
	}
}

// textOf returns sections as the text of a file.
func textOf(t *testing.T, all map[string][]map[string]any) string {
	document := make(map[string]any)
	for name, list := range all {
		if document[name] = list; slices.Contains([]string{"service", "watch", "screen", "feed", "serve", "keys", profileSection}, name) {
			document[name] = list[0]
		}
	}
	text, err := toml.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func parsed(t *testing.T, text string) *File {
	t.Helper()
	file, err := Parse("desk.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// withoutPlaces returns a file without where its keys are, and without what is made of its instruments.
func withoutPlaces(f *File) File {
	c := *f
	c.places, c.plain, c.profiles, c.names, c.Instruments = places{}, nil, nil, nil, nil
	return c
}

// TestWhatNamesSomethingHiddenIsNotInTheFileOfATrader: neither a party, a market or a group, nor a filter, a view or a
// rule of one.
func TestWhatNamesSomethingHiddenIsNotInTheFileOfATrader(t *testing.T) {
	file := parsed(t, `
[screen]
filter = 'party:fund'
[[party]]
id = 'a1'
name = 'desk-1'
[[party]]
id = 'c0ffee'
name = 'fund'
[[market]]
id = 'b1'
name = 'gold'
[[market]]
id = 'b2'
name = 'oil'
[[group]]
name = 'own'
parties = ['desk-1']
markets = ['gold']
[[group]]
name = 'of the fund'
parties = ['fund']
[[group]]
name = 'of oil'
parties = ['desk-1']
markets = ['oil']
[[view]]
number = 1
filter = 'desk-1'
[[view]]
number = 2
parties = ['fund']
[[view]]
number = 3
markets = ['b2']
[[view]]
number = 4
filter = 'market:gold party:c0ffee'
[[view]]
number = 5
filter = 'group:of'
[[view]]
number = 6
markets = ['gold']
filter = 'group:own status:distressed'
[[alert]]
name = 'one'
filter = 'upnl<0'
clear = 'market:oil'
[[alert]]
name = 'two'
filter = 'gold upnl<0'
[[alert]]
name = 'three'
on = 'group'
group = 'of the fund'
asset = 'USDT'
filter = 'upnl<0'
[[alert]]
name = 'four'
on = 'group'
group = 'own'
asset = 'USDT'
filter = 'notional>5'
`)
	rights := access.Rights{Parties: access.SetOf(model.MakeID("a1")), Markets: access.SetOf(model.MakeID("b1"))}
	v := file.VisibleTo(rights, file.Instruments, model.Scope{})
	var numbers []int
	for _, each := range v.Views {
		numbers = append(numbers, each.Number)
	}
	var names []string
	for _, each := range v.Alerts {
		names = append(names, each.Name)
	}
	if !slices.Equal(numbers, []int{1, 6}) || !slices.Equal(names, []string{"two", "four"}) || v.Screen.Filter != "" {
		t.Errorf("the views are %d, the alerts %q, the filter %q", numbers, names, v.Screen.Filter)
	}
	if len(v.ownGroups) != 1 || len(v.instruments[partySection]) != 1 || len(v.instruments[marketSection]) != 1 {
		t.Errorf("the groups are %v, the names %v", v.ownGroups, v.instruments)
	}
	if groups := v.Instruments.Groups(); len(groups) != 1 || groups[0].Name != "own" || !v.Instruments.PartyNamed("fund").IsZero() {
		t.Errorf("the groups are %v", groups)
	}
	nothing := file.VisibleTo(access.Rights{}, file.Instruments, model.Scope{})
	if len(nothing.instruments[partySection])+len(nothing.instruments[marketSection])+len(nothing.ownGroups)+len(nothing.Views)+len(nothing.Alerts) != 0 {
		t.Errorf("without rights a trader gets\n%+v", withoutPlaces(nothing))
	}
}

// TestANameOfATraderDoesNotTellWhatIsHidden: one that is the name or the identifier of a hidden party is used, as any
// other is.
func TestANameOfATraderDoesNotTellWhatIsHidden(t *testing.T) {
	file := parsed(t, "[[party]]\nid = 'a1'\n[[party]]\nid = 'c0ffee'\nname = 'fund'\n")
	a1 := model.MakeID("a1")
	rights := access.Rights{Parties: access.SetOf(a1), Markets: access.Everything()}
	for _, name := range []string{"fund", "c0ffee", "any other"} {
		names, err := ParseNames("names.toml", []byte("[[party]]\nid = 'a1'\nname = '"+name+"'\n"))
		if err != nil {
			t.Fatal(err)
		}
		visible := file.VisibleTo(rights, file.Instruments, model.Scope{})
		if err := visible.AddNames(names); err != nil || visible.Instruments.Party(a1).Name != name {
			t.Errorf("%q: the name is %q, %v", name, visible.Instruments.Party(a1).Name, err)
		}
	}
}
