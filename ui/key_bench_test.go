package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/view"
)

// BenchmarkKey measures the keys that copy rows of the table, all 10,000 of them or 1,000 that are marked, which each
// have a margin record: how long other keys and the next frame wait for them, in the median.
func BenchmarkKey(b *testing.B) {
	for _, group := range []view.Grouping{view.Ungrouped, view.GroupByParty} {
		m := benchmarkScreen(100, 100, func(o *Options) { o.Group = group })
		page := &model.Page{ReadAt: time.Now()}
		for p := range m.store.View().Shown {
			levels := model.MarginLevels{MarginKey: model.MarginKey{Key: p.Key, Asset: usdt}, Maintenance: model.AmountOf(1_000_000_000)}
			page.Rows = append(page.Rows, levels)
		}
		if merged := m.store.View().MergeMargins(page); merged < 9_000 {
			b.Fatalf("%d margin records", merged)
		}
		for _, key := range []string{"D", "Y"} {
			b.Run(fmt.Sprintf("%s/by=%s", key, group), func(b *testing.B) { measureKey(b, m, key) })
		}
		for marked := 0; marked < 1000; m.Update(keyNamed("down")) {
			if m.positions.Selected() != nil {
				m.Update(keyNamed("a"))
				marked++
			}
		}
		for _, key := range []string{"D", "y", "n", "O"} {
			b.Run(fmt.Sprintf("%s/by=%s/marked=1000", key, group), func(b *testing.B) { measureKey(b, m, key) })
		}
	}
}

// measureKey presses a key, and then esc, which closes the dialog that it may have opened.
func measureKey(b *testing.B, m *Model, key string) {
	var took []time.Duration
	for b.Loop() {
		var cmd tea.Cmd
		took = append(took, timed(func() { _, cmd = m.Update(keyNamed(key)) }))
		if cmd == nil && (strings.Contains("XyY", key)) {
			b.Fatal("nothing is copied")
		}
		m.Update(keyNamed("esc"))
	}
	slices.Sort(took)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "µs/key")
}
