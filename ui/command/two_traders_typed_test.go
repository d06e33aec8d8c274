package command

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"blotter/ui"
	"blotter/ui/command/remote"
)

// hiddenNames are names and identifiers of what a trader must not see, and similar ones that do not exist.
var hiddenNames = map[string]struct{ hidden, unknown []string }{
	"one": {
		[]string{"OMEGA-party", "OMEGA-market", "OMEGA-group", "OMEGA-view", "OMEGA-alert", "bbbb01", "bbbb02"},
		[]string{"OMIGA-party", "OMIGA-market", "OMIGA-group", "OMIGA-view", "OMIGA-alert", "bbcb01", "bbcb02"},
	},
	"two": {
		[]string{"ALPHA-party", "ALPHA-market", "ALPHA-group", "ALPHA-view", "ALPHA-alert", "aaaa01", "aaaa02"},
		[]string{"ALPXA-party", "ALPXA-market", "ALPXA-group", "ALPXA-view", "ALPXA-alert", "aaca01", "aaca02"},
	},
}

// sameLetters makes the hidden names, and parts of them, equal to those that do not exist.
var sameLetters = map[string]*strings.Replacer{
	"one": strings.NewReplacer("E", "I", "e", "i", "C", "B", "c", "b"),
	"two": strings.NewReplacer("H", "X", "h", "x", "C", "A", "c", "a"),
}

// onTwins runs a test on two desks, with hidden names, and with names that do not exist in their place. What the trader
// sees must be the same, but for the names that the trader has given.
func onTwins(t *testing.T, trader string, test func(ctx context.Context, d *servedDesk, names []string) (shown []string)) {
	t.Helper()
	var hidden, unknown []string
	onDesk(t, func(ctx context.Context, d *servedDesk) { hidden = test(ctx, d, hiddenNames[trader].hidden) })
	onDesk(t, func(ctx context.Context, d *servedDesk) { unknown = test(ctx, d, hiddenNames[trader].unknown) })
	if len(hidden) == 0 || len(hidden) != len(unknown) {
		t.Fatalf("%d and %d texts", len(hidden), len(unknown))
	}
	for i := range hidden {
		if of := sameLetters[trader]; of.Replace(withoutAges(hidden[i])) != of.Replace(withoutAges(unknown[i])) {
			t.Errorf("it tells that a name exists:\n%s\nand without it\n%s", hidden[i], unknown[i])
			return
		}
		lower := strings.ToLower(unknown[i])
		for _, word := range hiddenFrom[trader] {
			if strings.Contains(lower, word) {
				t.Errorf("%q is in\n%s", word, unknown[i])
				return
			}
		}
	}
}

// ages matches ages, and what fills a line, whose length depends on them.
var ages = regexp.MustCompile(`\d+m ?\d+s|\d+[smh]\b|[ ─]+`)

// withoutAges returns a text without styles and ages: margin levels of lists are read in any order.
func withoutAges(text string) string {
	return ages.ReplaceAllStringFunc(ansi.Strip(text), func(found string) string {
		if strings.ContainsAny(found, "smh") {
			return "#"
		}
		return " "
	})
}

// answers returns the lines of a screen that have what was typed, and sentences: the answers of the program. What came
// from the service in the same second may be drawn or not.
func answers(screen, typed string) string {
	var lines []string
	for line := range strings.Lines(ansi.Strip(screen)) {
		for _, word := range strings.FieldsFunc(typed, func(r rune) bool { return r == ' ' || r == ':' }) {
			line = strings.ReplaceAll(line, word, "TYPED")
		}
		if line = strings.TrimSpace(line); strings.Contains(line, "TYPED") && !strings.Contains(line, "LIVE") || strings.HasSuffix(line, ".") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// nothingIsTyped has the groups of keys of pages, on which a text that is pasted does nothing.
var nothingIsTyped = []string{"detail, connection, help", "detail", "session", "events", "alerts", "everywhere", "positions", "margin levels", "analysis", "lists and pages"}

// typed opens each dialog of the program, types a text there, completes it, and accepts it. It returns what was drawn.
func (s *tracedTrader) typed(group, text string) (shown []string) {
	s.t.Helper()
	draw := func(messages ...tea.Msg) {
		s.t.Helper()
		s.send(messages...)
		shown = append(shown, group+", "+text+"\n"+answers(s.model.View().Content, text))
	}
	for _, key := range waysTo[group] {
		s.send(keyOf(key))
	}
	draw(tea.PasteMsg{Content: text})
	draw(keyOf("tab"))
	draw(keyOf("enter"), keyOf("enter"))
	escape := keyOf("esc")
	draw(escape, escape, escape, escape)
	return shown
}

// TestWhatATraderTypesDoesNotTellWhatIsHidden: in each dialog of the program, and in the next session, the name or the
// identifier of a hidden party, market, group, view or alert does what a name does that does not exist.
func TestWhatATraderTypesDoesNotTellWhatIsHidden(t *testing.T) {
	for trader := range hiddenNames {
		t.Run(trader, func(t *testing.T) {
			onTwins(t, trader, func(ctx context.Context, d *servedDesk, names []string) (shown []string) {
				for session := range 2 { // the second one has what the first one has kept
					s, end := d.traced(t, ctx, trader)
					s.isFree = true // the names are in what is typed: onTwins checks it
					s.send(tea.WindowSizeMsg{Width: 100, Height: 30})
					for range 10 { // one tick of the screen each: the first may come while rows are read, and survey nothing
						s.pass(time.Second)
					}
					s.pass(300 * time.Millisecond) // between two seconds
					for _, group := range ui.DefaultKeys().Groups {
						if session == 1 && group.Title != "the palette" || slices.Contains(nothingIsTyped, group.Title) {
							continue
						}
						for _, name := range names {
							shown = append(shown, s.typed(group.Title, name)...)
						}
						shown = append(shown, s.typed(group.Title, "party:"+names[0]+" market:"+names[1]+" group:"+names[2])...)
					}
					end()
				}
				return shown
			})
		})
	}
}

// servedValues has values for each flag of a trader's commands. A new flag needs some. NAME is a name or an identifier.
var servedValues = map[string][]string{
	"output": {"table", "csv", "json", "ndjson"}, "columns": {"party,market,size", "m%,maintenance", "NAME"}, "names": {"true"}, "scaled": {"true"},
	"sort": {"unrealised", "m%", "maintenance", "NAME"}, "descending": {"true"}, "group": {"party", "asset", "NAME"}, "totals": {"true"}, "limit": {"1"},
	"filter": {"NAME", "party:NAME", "market:NAME|NAME", "group:NAME", "-party:NAME", "asset:NAME"}, "party": {"NAME"}, "market": {"NAME"},
	"follow": {"true"}, "until": {"party:NAME", "upnl<0", "group:NAME"}, "timeout": {"1m"},
}

// lines returns command lines for each command of a trader, with each of its flags, from the tables of the program.
func lines(t *testing.T) (all []string) {
	for _, command := range servedCommands {
		base := command + " --timeout 20s"
		if command == "events" {
			base += " --follow"
		}
		all = append(all, base, base+" -o csv --names --scaled", base+" NAME", command+" --help", command+" --columns", "NAME")
		for _, flag := range servedFlags {
			if len(servedValues[flag]) == 0 {
				t.Errorf("there are no values of --%s", flag)
			}
			for _, value := range servedValues[flag] {
				all = append(all, base+" -o ndjson --"+flag+"="+value)
			}
		}
	}
	return all
}

// TestCommandsOfTwoTradersTellNothingOfTheOther: each command, with each flag, prints no word that only the other may
// see, and does with a hidden name what it does with a name that does not exist.
func TestCommandsOfTwoTradersTellNothingOfTheOther(t *testing.T) {
	all := lines(t)
	for trader := range hiddenNames {
		t.Run(trader, func(t *testing.T) {
			onTwins(t, trader, func(ctx context.Context, d *servedDesk, names []string) (shown []string) {
				screen, end := d.traced(t, ctx, trader) // whose streams and margin levels are there for the commands
				screen.send(tea.WindowSizeMsg{Width: 80, Height: 24})
				screen.pass(10 * time.Second)
				for _, line := range all {
					// Those of a party, a market and a group, and an identifier.
					for _, name := range []string{names[0], names[1], names[2], names[5]} {
						if name != names[0] && !strings.Contains(line, "NAME") {
							break
						}
						shown = append(shown, d.printed(ctx, trader, strings.ReplaceAll(line, "NAME", name)))
					}
				}
				end()
				sees := func(text string) bool {
					return strings.Contains(strings.ToLower(text), ","+own[trader]+"-market,") && strings.Contains(text, "ends with 0")
				}
				if !slices.ContainsFunc(shown, sees) {
					t.Errorf("trader %s does not see what it may see: %q", trader, shown)
				}
				return shown
			})
		})
	}
}

// printed runs a command of a trader, and returns what it printed and its exit code. One that follows is stopped.
func (d *servedDesk) printed(ctx context.Context, trader, line string) string {
	if strings.Contains(line, "--follow") {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, 2*time.Second)
		defer cancel()
	}
	var output, errors bytes.Buffer
	session := remote.Session{Trader: trader, Address: "192.0.2.1:1", Getenv: func(string) string { return "" }}
	code := d.runCommand(ctx, session, line, &output, &errors)
	if ctx.Err() != nil { // its last words are those of the end
		said := strings.SplitAfter(errors.String(), "\n")
		return fmt.Sprintf("%s\nis stopped\n%s%s", line, &output, said[:max(0, len(said)-2)])
	}
	return fmt.Sprintf("%s\nends with %d\n%s%s", line, code, &output, &errors)
}
