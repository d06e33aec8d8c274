package command

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"blotter/feed/sim"
)

// TestAuditCorrectsALostUpdate: one that was lost between a snapshot and the first update, on a stream without a fault.
func TestAuditCorrectsALostUpdate(t *testing.T) {
	var log bytes.Buffer
	desks := twoDesks()
	desks.options.Log = slog.New(slog.NewTextHandler(&log, nil))
	desks.run(t, func(s *dashboardTest) {
		s.Node.Put(btc, eth)
		s.Listener.Kill()
		s.Listener.Revive()
		s.After(time.Second).Rows("BTC/USDT desk-1 +1.250", "ETH/USDT desk-2 -10.000").Shows("not verified")
		lost := btc
		lost.OpenVolume = 9000
		s.Node.Put(lost) // the service sends no update of it
		s.After(100*time.Millisecond).Rows("BTC/USDT desk-1 +1.250", "ETH/USDT desk-2 -10.000").Shows("LIVE", "not verified")
		s.After(2*time.Second).
			Rows("BTC/USDT desk-1 +9.000", "ETH/USDT desk-2 -10.000").
			Shows("A check corrected 1 row: BTC/USDT desk-1", "1 check, 1 correction").Lacks("not verified")
		s.Press("r").After(3 * time.Second).Shows("2 checks, 1 correction")
		if got := log.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, `level=WARN msg="A check corrected 1 row: BTC/USDT desk-1"`) {
			t.Errorf("the log has %q", got)
		}
	})
}

// TestNewerMarginRecordStartsAnAudit: a margin record that is newer than its position shows that an update of the
// position may be lost.
func TestNewerMarginRecordStartsAnAudit(t *testing.T) {
	twoDesks().run(t, func(s *dashboardTest) {
		busy := func(seconds int) *dashboardTest { // the stream is not silent
			for profit := range seconds / 5 {
				changed := eth
				changed.UnrealisedPnl = fmt.Sprint(profit)
				s.Node.Update(changed)
				s.After(5 * time.Second)
			}
			return s
		}
		s.Node.Put(btc)
		s.Press("r")
		busy(60)
		lost := btc
		lost.OpenVolume = 9000
		s.Node.Put(lost)
		busy(30).Rows("BTC/USDT desk-1 +1.250", "ETH/USDT desk-2 -10.000")
		s.Node.PutMargins(sim.MarginLevels{Party: "a1", Market: "b1", Asset: "c1", Maintenance: "1", Timestamp: time.Now().UnixNano()})
		busy(20).Rows("BTC/USDT desk-1 +9.000", "ETH/USDT desk-2 -10.000")
	})
}

// TestANewerMarginRecordIsAHintForFollow, which reads margin levels only for that.
func TestANewerMarginRecordIsAHintForFollow(t *testing.T) {
	for _, words := range []string{"positions -o ndjson --follow", "events -o ndjson --follow"} {
		withService(t, func(s *service) {
			lost := first
			lost.UpdatedAt = time.Now().UnixNano()
			s.Put(lost, second)
			run := s.start(strings.Fields(words)...)
			var printed strings.Builder
			busy := func(seconds int) { // the stream is not silent
				for profit := range seconds / 5 {
					changed := second
					changed.UnrealisedPnl, changed.UpdatedAt = fmt.Sprint(profit), time.Now().UnixNano()
					s.Update(changed)
					s.after(5 * time.Second)
				}
				printed.WriteString(run.output.take())
			}
			busy(60)
			lost.OpenVolume, lost.UpdatedAt = 77, time.Now().UnixNano()
			s.Put(lost)
			busy(30)
			if strings.Contains(printed.String(), `"77"`) {
				t.Fatalf("%s finds it without a hint", words)
			}
			s.PutMargins(sim.MarginLevels{Party: first.Party, Market: first.Market, Asset: "c1", Maintenance: "1", Timestamp: time.Now().UnixNano()})
			busy(25)
			if !strings.Contains(printed.String(), `"77"`) {
				t.Errorf("%s prints\n%s", words, printed.String())
			}
			run.interrupt()
			run.result()
		})
	}
}
