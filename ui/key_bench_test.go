package ui

import (
	"fmt"
	"slices"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/view"
)

// BenchmarkKey measures the keys that copy all rows of the table, with 10,000 rows that each have a margin record: how
// long other keys and the next frame wait for them, in the median.
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
		for _, key := range []string{"X", "D"} {
			b.Run(fmt.Sprintf("%s/by=%s", key, group), func(b *testing.B) {
				var took []time.Duration
				for b.Loop() {
					var cmd tea.Cmd
					took = append(took, timed(func() { _, cmd = m.Update(keyNamed(key)) }))
					if cmd == nil && key == "X" {
						b.Fatal("nothing is copied")
					}
					if key == "D" {
						m.Update(keyNamed("esc"))
					}
				}
				slices.Sort(took)
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(float64(took[len(took)/2].Microseconds()), "µs/key")
			})
		}
	}
}
