//go:build linux

package terminaltest

import (
	"regexp"
	"strings"
	"testing"
	"time"
)

// BenchmarkDesk is what sessions of blotter serve cost: each has a client with an emulated terminal of 160x50 on the
// same machine. It reports
//   - how many cores and how much memory the server takes for each further session: with the positions of the demo, and
//     with 15,000 of 100,000, at 1,000 updates a second;
//   - how long it is from a key press to the last byte of its frame beside 30 sessions, at 10,000 updates a second;
//   - how long it is until the screens of 30 traders, who connect one after the other without a pause, are live, and
//     until they have a page of margin levels.
func BenchmarkDesk(b *testing.B) {
	for _, of := range []struct {
		name string
		deskOf
	}{
		{"demo", deskOf{parties: 6, markets: 20, rate: 20, partiesOfTrader: 5}},
		{"15000", deskOf{parties: 201, markets: 500, rate: 1_000, partiesOfTrader: 30}},
	} {
		b.Run(of.name, func(b *testing.B) {
			const first, more = 5, 15
			of.traders = first + more
			d := startDesk(b, of.deskOf)
			d.open(0, first)
			coresBefore, memoryBefore := d.rests()
			d.open(first, more)
			cores, memory := d.rests()
			b.ReportMetric(0, "ns/op")
			b.ReportMetric((cores-coresBefore)/more, "cores/session")
			b.ReportMetric((memory-memoryBefore)/more, "MiB/session")
			d.simulator.end()
		})
	}
	b.Run("join", func(b *testing.B) {
		const sessions = 30
		d := startDesk(b, deskOf{parties: 101, markets: 40, rate: 100, traders: sessions, partiesOfTrader: 20})
		began := time.Now()
		screens := d.open(0, sessions)
		b.ReportMetric(0, "ns/op")
		b.ReportMetric(time.Since(began).Seconds(), "s-to-live")
		for _, screen := range screens {
			screen.shows(regexp.MustCompile(`rows \d+–\d+ of \d+ on this page`))
		}
		b.ReportMetric(time.Since(began).Seconds(), "s-to-margins")
		d.simulator.end()
	})
	b.Run("keys", func(b *testing.B) {
		const sessions = 30
		d := startDesk(b, deskOf{
			parties: 201, markets: 100, rate: 10_000, traders: sessions, partiesOfTrader: 30,
			screen: "order = 'market'", // in which only keys move the cursor
		})
		screens := d.open(0, sessions)
		d.rests()
		screens[0].types("\x1b[6~" + strings.Repeat("j", 12)) // to the middle of the table: rows come and go above it
		time.Sleep(time.Second)
		b.ReportMetric(0, "ns/op")
		reportKeys(b, screens[0].presses(presses))
		d.simulator.end()
	})
}

// open opens sessions of traders, and waits until all are live.
func (d *desk) open(first, n int) (screens []*watchedScreen) {
	for trader := first; trader < first+n; trader++ {
		client, _ := d.dial(trader)
		screen, _ := d.shell(client)
		screens = append(screens, screen)
	}
	for _, screen := range screens {
		screen.shows(regexp.MustCompile(`LIVE.*\d open`))
	}
	return screens
}

// rests waits until the first audits are over, and returns how many cores the server takes then, and its memory in MiB.
func (d *desk) rests() (cores, memory float64) {
	time.Sleep(20 * time.Second)
	const during = 15 * time.Second
	before := cpuOf(d.tb, d.process)
	time.Sleep(during)
	return (cpuOf(d.tb, d.process) - before).Seconds() / during.Seconds(), memoryOf(d.tb, d.process, "VmRSS")
}
