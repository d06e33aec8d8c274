package command

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/feed/sim"
	"blotter/model/modeltest"
	"blotter/ui"
	"blotter/ui/command/remote"
	"blotter/ui/uitest"
)

// twoFile is a configuration with two traders, neither of whom may see anything of the other. What only "one" may see
// has ALPHA in its name, and what only "two" may see OMEGA; what nobody may see has NOBODY.
const twoFile = `
[screen]
time_zone = 'UTC'
filter = 'party:OMEGA'
[service]
name = 'prod'
base_urls = ['http://nobody.example']
headers = { X-Desk = 'NOBODY' }
[watch]
parties = ['ALPHA-party', 'OMEGA-party']
[[party]]
id = 'aaaa01'
name = 'ALPHA-party'
[[party]]
id = 'bbbb01'
name = 'OMEGA-party'
[[market]]
id = 'aaaa02'
name = 'ALPHA-market'
asset = 'd1'
[[market]]
id = 'bbbb02'
name = 'OMEGA-market'
asset = 'd1'
[[asset]]
id = 'd1'
symbol = 'USDT'
decimals = 2
[[group]]
name = 'ALPHA-group'
parties = ['ALPHA-party']
[[group]]
name = 'OMEGA-group'
markets = ['OMEGA-market']
[[view]]
number = 3
name = 'ALPHA-view'
parties = ['ALPHA-party']
[[view]]
number = 4
name = 'OMEGA-view'
filter = 'OMEGA-market'
[[alert]]
name = 'ALPHA-alert'
filter = 'party:ALPHA upnl<0'
command = ['NOBODY']
[[alert]]
name = 'OMEGA-alert'
filter = 'upnl<0'
clear = 'party:OMEGA'
[[alert]]
name = 'OMEGA-sums'
on = 'group'
group = 'OMEGA-group'
asset = 'USDT'
filter = 'upnl<-5'
[profile.NOBODY]
service.base_urls = ['http://nobody.example']
[[trader]]
name = 'one'
keys = [%q]
parties = ['ALPHA-party']
markets = ['ALPHA-market']
[[trader]]
name = 'two'
keys = [%q]
parties = ['OMEGA-party']
markets = ['OMEGA-market']
`

// twoPositions are what each of them may see, and what neither may: each number is there once.
var twoPositions = []sim.Position{
	{Party: "aaaa01", Market: "aaaa02", OpenVolume: 1111, AverageEntryPrice: "1112", UnrealisedPnl: "-111300", RealisedPnl: "111400"},
	{Party: "bbbb01", Market: "bbbb02", OpenVolume: 2221, AverageEntryPrice: "2222", UnrealisedPnl: "-222300", RealisedPnl: "222400"},
	{Party: "aaaa01", Market: "bbbb02", OpenVolume: 3331, AverageEntryPrice: "3332", UnrealisedPnl: "-333300", RealisedPnl: "333400"},
	{Party: "bbbb01", Market: "aaaa02", OpenVolume: 4441, AverageEntryPrice: "4442", UnrealisedPnl: "-444300", RealisedPnl: "444400"},
}

var twoMargins = []sim.MarginLevels{
	{Party: "aaaa01", Market: "aaaa02", Asset: "d1", Maintenance: "111500", Search: "111600", Initial: "111700", Release: "111800"},
	{Party: "bbbb01", Market: "bbbb02", Asset: "d1", Maintenance: "222500", Search: "222600", Initial: "222700", Release: "222800"},
	{Party: "aaaa01", Market: "bbbb02", Asset: "d1", Maintenance: "333500", Search: "333600", Initial: "333700", Release: "333800"},
	{Party: "bbbb01", Market: "aaaa02", Asset: "d1", Maintenance: "444500", Search: "444600", Initial: "444700", Release: "444800"},
}

// hiddenFrom has words that a trader must not see: names and identifiers of the other one, and numbers.
var hiddenFrom = map[string][]string{
	"one": {"omega", "bbbb", "nobody", "trader two", "· two", "2,22", "3,33", "4,44", "222.", "333.", "444."},
	"two": {"alpha", "aaaa", "nobody", "trader one", "· one", "1,11", "3,33", "4,44", "111.", "333.", "444."},
}

// tracedTrader is the screen of a trader. All that is drawn, and the texts of all messages, are compared with what is
// hidden from the trader.
type tracedTrader struct {
	t        *testing.T
	name     string
	model    tea.Model
	messages chan tea.Msg
	isFree   bool            // nothing is compared
	done     string          // the keys that were pressed
	all      strings.Builder // what was drawn
}

// onDesk runs a test with the screens of both traders, in a bubble.
func onDesk(t *testing.T, test func(ctx context.Context, d *servedDesk)) {
	t.Helper()
	onDeskOf(t, twoFile, func(ctx context.Context, d *servedDesk, _ *service) {
		alerted, end := context.WithCancel(ctx)
		var running sync.WaitGroup
		running.Go(func() { _ = d.runAlerts(alerted) })
		test(ctx, d)
		end()
		running.Wait()
	})
}

// onDeskOf does what onDesk does, with the text of a configuration.
func onDeskOf(t *testing.T, text string, test func(ctx context.Context, d *servedDesk, s *service)) {
	t.Helper()
	withService(t, func(s *service) {
		s.Put(twoPositions...)
		s.PutMargins(twoMargins...)
		t := s.t
		folder := t.TempDir()
		path := filepath.Join(folder, "NOBODY.toml")
		if err := os.WriteFile(path, fmt.Appendf(nil, text, authorized(t, 1), authorized(t, 2)), 0o600); err != nil {
			t.Fatal(err)
		}
		p := newProgram(Process{
			Input: strings.NewReader(""), Output: io.Discard, Errors: io.Discard, Dial: s.dial,
			Getenv: func(name string) string { return s.environment[name] },
		})
		p.config = path
		ctx := t.Context()
		c := &serveCommand{settings: p.settings, display: p.display, network: p.network}
		config, err := c.configure(ctx)
		if err != nil {
			t.Fatal(err)
		}
		traders, _, err := readTraders(ctx, config.file, config.instruments, newKeysFiles())
		if err != nil {
			t.Fatal(err)
		}
		d, err := c.openDesk(config, traders, filepath.Join(folder, "NOBODY"))
		if err != nil {
			t.Fatal(err)
		}
		test(ctx, d, s)
		d.hub.Close()
		config.close()
		s.after(time.Minute)
	})
}

// traced returns the screen of a trader, and what closes it.
func (d *servedDesk) traced(t *testing.T, ctx context.Context, name string) (*tracedTrader, func()) {
	return d.tracedSession(t, ctx, remote.Session{Trader: name})
}

func (d *servedDesk) tracedSession(t *testing.T, ctx context.Context, session remote.Session) (*tracedTrader, func()) {
	t.Helper()
	session.Address, session.Getenv = "192.0.2.1:1", func(string) string { return "" }
	screen, err := d.open(ctx, session)
	if err != nil {
		t.Fatal(err)
	}
	s := &tracedTrader{t: t, name: session.Trader, model: screen.Model, messages: make(chan tea.Msg, 10_000)}
	uitest.Run(screen.Model.Init(), s.messages)
	return s, screen.Close
}

// send gives the screen a message, and those that follow, and draws it.
func (s *tracedTrader) send(messages ...tea.Msg) {
	s.t.Helper()
	for _, message := range messages {
		s.update(message)
	}
	for {
		synctest.Wait()
		select {
		case message := <-s.messages:
			s.update(message)
			continue
		default:
		}
		shown := s.model.View().Content
		s.all.WriteString(shown)
		s.check("the screen", shown)
		return
	}
}

// update gives the screen a message. Texts that are said or copied are messages.
func (s *tracedTrader) update(message tea.Msg) {
	if _, quits := message.(tea.QuitMsg); quits {
		return
	}
	if reflect.ValueOf(message).Kind() == reflect.String || strings.HasPrefix(fmt.Sprintf("%T", message), "tea.") {
		s.check(fmt.Sprintf("%T", message), fmt.Sprint(message))
	}
	var command tea.Cmd
	s.model, command = s.model.Update(message)
	uitest.Run(command, s.messages)
}

// check checks a text.
func (s *tracedTrader) check(what, text string) {
	s.t.Helper()
	if s.isFree {
		return
	}
	lower := strings.ToLower(text)
	for _, word := range hiddenFrom[s.name] {
		if strings.Contains(lower, word) {
			s.t.Errorf("after %q %s of %s has %q:\n%s", s.done, what, s.name, word, text)
		}
	}
}

// press presses keys and lets what they began come to its end.
func (s *tracedTrader) press(names ...string) {
	s.t.Helper()
	for _, name := range names {
		s.done += " " + name
		s.send(keyOf(name))
	}
}

// pass lets time pass.
func (s *tracedTrader) pass(d time.Duration) {
	s.t.Helper()
	time.Sleep(d)
	s.send()
}

// keyOf returns the key with a name, as keys have it in the configuration.
func keyOf(name string) tea.KeyPressMsg {
	var key tea.KeyPressMsg
	for modifier, of := range map[string]tea.KeyMod{"ctrl+": tea.ModCtrl, "shift+": tea.ModShift, "alt+": tea.ModAlt} {
		if rest, has := strings.CutPrefix(name, modifier); has {
			key.Mod, name = key.Mod|of, rest
		}
	}
	special := map[string]rune{
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft,
		"right": tea.KeyRight, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "home": tea.KeyHome, "end": tea.KeyEnd,
		"backspace": tea.KeyBackspace, "delete": tea.KeyDelete, "space": tea.KeySpace,
	}
	if code, is := special[name]; is {
		key.Code = code
		return key
	}
	key.Code = []rune(name)[0]
	if key.Mod == 0 {
		key.Text = name
	}
	return key
}

// doAll does what each entry of the palette does.
func (s *tracedTrader) doAll() {
	s.t.Helper()
	down, escape, before, same := keyOf("down"), keyOf("esc"), "", 0
	messages := []tea.Msg{keyOf(":")}
	for ; ; messages = append(messages, down) {
		s.done = fmt.Sprint("entry ", len(messages))
		s.send(messages...)
		shown := s.model.View().Content
		if shown != before {
			before, same = shown, 0
		} else if same++; same == 2 { // it is the last entry, and no other one came above it
			break
		}
		s.send(keyOf("enter"))
		s.send(escape, escape, escape, escape)
	}
	if len(messages) < 100 {
		s.t.Errorf("the palette has %d entries", len(messages))
	}
}

// waysTo has, for each group of keys of the program, keys that lead to a page, a pane or a dialog where they work.
// Those of "everywhere" open all pages.
var waysTo = map[string][]string{
	"everywhere": nil, "lists and pages": nil, "lists beside a text": {"p"}, "forms": {"n"}, "dialogs": {"p"}, "positions": nil, "margin levels": {"tab"}, "events": {"e"}, "alerts": {"!"}, "detail, connection, help": {"i"},
	"typing a filter": {"/"}, "choosing parties or markets": {"p"}, "choosing columns": {"C"}, "choosing the order": {"s"}, "giving names": {"n"},
	"views and profiles": {"v"}, "naming a view": {"v", "down", "s"}, "naming a group": {"a", "O"}, "making an alert": {"!", "n"},
	"typing a change of prices": {"x"}, "typing a time": {"w", "w"}, "saving to a file": {"D"}, "searching in a page": {"?", "/"},
	"the palette": {":"}, "replacing a baseline": {"B", "B"}, "detail": {"enter"}, "session": {"h"}, "analysis": {"x", "down"}, "replay and rewind": {"w"},
}

// TestTwoTradersSeeNothingOfEachOther: no page, dialog, message, copied text or key of one has a word that only the
// other may see, at several sizes: each trader at all of them if the tests are thorough. The pages and dialogs are
// those of the program's own keys: a new group of keys needs a way to it.
func TestTwoTradersSeeNothingOfEachOther(t *testing.T) {
	for i, name := range slices.Sorted(maps.Keys(hiddenFrom)) {
		t.Run(name, func(t *testing.T) {
			for j, size := range []tea.WindowSizeMsg{{Width: 40, Height: 10}, {Width: 80, Height: 24}, {Width: 200, Height: 60}} {
				if !modeltest.IsThorough && j%2 != i {
					continue
				}
				onDesk(t, func(ctx context.Context, d *servedDesk) {
					for _, group := range ui.DefaultKeys().Groups {
						way, is := waysTo[group.Title]
						if !is {
							t.Errorf("there is no way to %q", group.Title)
						}
						s, end := d.traced(t, ctx, name)
						s.send(size)
						s.pass(2 * time.Second)
						for _, action := range group.Actions {
							for _, key := range action.Keys {
								s.press(way...)
								s.press(key)
								s.press("esc", "esc", "esc", "esc")
								s.done = ""
							}
						}
						if group.Title == "the palette" && size.Width == 80 {
							s.doAll()
						}
						end()
						if shown := strings.ToLower(s.all.String()); !strings.Contains(shown, own[name]+"-market") || size.Width >= 80 && !strings.Contains(shown, "maintenance") {
							t.Errorf("trader %s does not see what it may see:\n%s", name, s.model.View().Content)
						}
						if t.Failed() {
							return
						}
					}
				})
			}
		})
	}
}
