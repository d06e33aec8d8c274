package command

import (
	"context"
	"flag"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/feed/record"
	"blotter/ui"
	"blotter/ui/store"
)

var recordings = flag.Int("recordings", 20, "how many recordings with wrong values are played, each by six commands and on the screen")

// allFields are lines of a recording that have each field that a line can have.
var allFields = []string{
	`{"recording":2,"version":"v1","start":"2026-03-02T14:00:00Z","service":"sim","thinned":true,"parties":["a1"],"markets":["b1"]}`,
	`{"block":0,"at":0,"state":"","goesOn":false,"bytes":0,"crc32c":"0"}`,
	`{"at":1000000000,"watched":[{"partyId":"a1","epoch":1}]}`,
	`{"at":1000000000,"link":{"partyId":"a1","epoch":1,"fields":{"phase":3,"since":"2026-03-02T14:00:00Z","address":"sim",` +
		`"stagedRows":1,"stagedPages":1,"committed":true,"partial":false,"connectedAt":"2026-03-02T14:00:00Z",` +
		`"messageAt":"2026-03-02T14:00:00Z","verifiedAt":"2026-03-02T14:00:00Z","postponedUntil":"2026-03-02T14:00:00Z",` +
		`"snapshotAt":"2026-03-02T14:00:00Z","staleSince":"2026-03-02T14:00:00Z","trustedFor":45000000000,` +
		`"problem":{"Address":"sim","Status":500,"Words":"down","Refuse":false,"NotSent":false,"Advice":"wait"},` +
		`"attempt":1,"retryAt":"2026-03-02T14:00:09Z","byService":false,"tries":2,"messages":3,"bytes":4,"auditing":true,"audits":5,` +
		`"block":{"Height":7,"Time":"2026-03-02T14:00:00Z"},"blockAt":"2026-03-02T14:00:00Z",` +
		`"newestBlock":{"Height":9,"Time":"2026-03-02T14:00:00Z"},"newestBlockAt":"2026-03-02T14:00:00Z",` +
		`"lag":{"By":60000000000,"Shown":2,"Since":"2026-03-02T14:00:00Z"},"clockOffset":1000000000,"unrequested":1,"leftOut":1}}}`,
	`{"at":1000000000,"partial":{"partyId":"a1","epoch":1}}`,
	`{"at":2000000000,"snapshot":{"partyId":"a1","epoch":1,"removed":[{"partyId":"a1","marketId":"b9"}]},` +
		`"positions":[{"partyId":"a1","marketId":"b1","openVolume":"-7","averageEntryPrice":"250","unrealisedPnl":"-30","realisedPnl":"4",` +
		`"lossSocialisationAmount":"1","updatedAt":"1772460000000000000","positionStatus":"POSITION_STATUS_DISTRESSED"}]}`,
	`{"at":2000000000,"snapshot":{"partyId":"a1","epoch":1,"lastPage":true}}`,
	`{"at":3000000000,"margins":{"readAt":"2026-03-02T14:00:00Z","servedAt":"2026-03-02T14:00:00Z",` +
		`"block":{"Height":7,"Time":"2026-03-02T14:00:00Z"},"problem":"","ended":true,"whole":true},` +
		`"edges":[{"node":{"partyId":"a1","marketId":"b1","asset":"c1","maintenanceMargin":"40","searchLevel":"50","initialMargin":"60",` +
		`"collateralReleaseLevel":"70","timestamp":"1772460000000000000"}}]}`,
	`{"at":3000000000,"sizes":[{"partyId":"a1","marketId":"b1","at":1772460001000000000,"side":2,` +
		`"last":[{"asset":"c1","unrealisedPnl":"1","maintenanceMargin":"2","endedAt":1772460001000000000}]}]}`,
	`{"at":4000000000,"event":{"source":"audit","seenAt":1772460001000000000,"removed":false},` +
		`"positions":[{"partyId":"a1","marketId":"b1","openVolume":"-7"},{"partyId":"a1","marketId":"b1","openVolume":"-9"}]}`,
	`{"at":5000000000,"updates":{"partyId":"a1","epoch":1},` +
		`"positions":[{"partyId":"a1","marketId":"b1","openVolume":"-9","unrealisedPnl":"-35","updatedAt":"1772460002000000000","positionStatus":4}]}`,
	`{"at":6000000000,"audit":{"partyId":"a1","epoch":1,"lastPage":true},` +
		`"positions":[{"partyId":"a1","marketId":"b1","openVolume":"-10","unrealisedPnl":"-36","updatedAt":"1772460003000000000"}]}`,
	`{"at":8000000000,"missed":1}`,
	`{"at":8000000000,"dropped":1}`,
	`{"at":9000000000,"ends":"closed"}`,
}

// edges are the values at the edges of types, and beyond them.
var edges = []string{
	"-9223372036854775808", "-1", "0", "1", "4", "5", "9", "255", "256", "2147483648", "9223372036854775807", "18446744073709551615", "1e999", "0.5",
	`""`, `"x"`, `"-9223372036854775808"`, `"9223372036854775807"`, `"1e999999999"`, `"-0.000"`, `"` + strings.Repeat("9", 200) + `"`,
	`"0001-01-01T00:00:00Z"`, `"1600-01-01T00:00:00Z"`, `"1677-09-21T00:12:43.145224192Z"`, `"1969-12-31T23:59:59Z"`,
	`"2262-04-11T23:47:16.854775807Z"`, `"9999-12-31T23:59:59.999999999Z"`, "true", "false", "null", "[]", "{}",
}

var aValue = regexp.MustCompile(`("[A-Za-z0-9]+":)("(?:[^"\\]|\\.)*"|-?[0-9.]+|true|false)`)

// anyRecording returns a recording with some values replaced by edges, and what was replaced.
func anyRecording(random *rand.Rand) (text string, changes []string) {
	lines := slices.Clone(allFields)
	for range 1 + random.IntN(3) {
		n := random.IntN(len(lines))
		values := aValue.FindAllStringSubmatchIndex(lines[n], -1)
		at := values[random.IntN(len(values))]
		edge := edges[random.IntN(len(edges))]
		changes = append(changes, fmt.Sprintf("line %d, %s%s", n, lines[n][at[2]:at[3]], edge))
		lines[n] = lines[n][:at[4]] + edge + lines[n][at[5]:]
	}
	return withRightBlock(lines), changes
}

// withRightBlock returns the lines as a file: a header, and a block with a right length and checksum.
func withRightBlock(lines []string) string {
	block := strings.Join(lines[2:], "\n") + "\n"
	sum := crc32.Checksum([]byte(block), crc32.MakeTable(crc32.Castagnoli))
	head := strings.Replace(lines[1], `"bytes":0`, fmt.Sprintf(`"bytes":%d`, len(block)), 1)
	head = strings.Replace(head, `"crc32c":"0"`, fmt.Sprintf(`"crc32c":"%08x"`, sum), 1)
	return lines[0] + "\n" + head + "\n" + block
}

// TestRecordingThatSomeoneElseMade: with right checksums, and values at the edges of each field, every command that
// plays it ends in order: what is wrong is one line on standard error. So does the screen.
func TestRecordingThatSomeoneElseMade(t *testing.T) {
	file := filepath.Join(t.TempDir(), "day.jsonl")
	random := rand.New(rand.NewPCG(14, 1))
	for i := range *recordings {
		text, changes := anyRecording(random)
		if i == 0 {
			text, changes = withRightBlock(allFields), nil
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		withService(t, func(s *service) {
			for _, command := range []string{"positions -o csv", "positions", "margins", "events", "positions --filter age<1m", "positions --filter m%<0"} {
				got := s.run(append(strings.Fields(command), "--replay", file)...)
				for line := range strings.Lines(got.errors) {
					if !strings.HasPrefix(line, "blotter: ") || strings.Contains(line, "internal error") {
						t.Errorf("%q: %s prints %s", changes, command, line)
					}
				}
				isUnreadable := strings.Contains(got.errors, "the recording cannot be read any more: ")
				if got.code == 1 && !isUnreadable || got.code > 5 {
					t.Errorf("%q: %s ends with %d: %s", changes, command, got.code, got.errors)
				}
				if i == 0 && got.code != 0 {
					t.Errorf("%s ends with %d: %s", command, got.code, got.errors)
				}
			}
		})
		playOnScreen(t, file)
		if t.Failed() {
			t.Fatalf("%q", changes)
		}
	}
}

// playOnScreen plays a recording on the screen: from its start, at its end, and back, with its pages.
func playOnScreen(t *testing.T, file string) {
	t.Helper()
	var player *record.Player
	played := func(tea.Model) tea.Model {
		var err error
		if player, err = record.Open(file, 0); err != nil {
			return noScreen{}
		}
		return ui.New(context.Background(), player, ui.Options{Extent: store.Whole(0),
			Service: "sim", Location: time.UTC, Instruments: testInstruments(), Now: player.Now, Replay: player,
		})
	}
	setup{width: 100, height: 30, first: played}.run(t, func(s *dashboardTest) {
		if player == nil {
			return
		}
		defer player.Close()
		for _, key := range []string{"space", ">", "h", "esc", "e", "esc", "enter", "m", "esc", "t", "<", "."} {
			s.Press(key)
		}
	})
}

// noScreen is the screen of a file that is no recording.
type noScreen struct{}

func (noScreen) Init() tea.Cmd                         { return nil }
func (m noScreen) Update(tea.Msg) (tea.Model, tea.Cmd) { return m, nil }
func (noScreen) View() tea.View                        { return tea.View{} }
