package saved

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"blotter/model"
	"blotter/ui/history"
)

// BenchmarkDays writes and reads the most days that are kept: of 1,000 lines, 400 each.
func BenchmarkDays(b *testing.B) {
	path, start := filepath.Join(b.TempDir(), "state"), time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var kept history.Kept
	id := func(n int) model.ID { return model.MakeID(fmt.Sprintf("%064x", n)) }
	for i := range history.MaxDayLines {
		line := history.DayLine{DayKey: history.DayKey{Party: id(i), Scope: "all", Asset: id(1), Decimals: 5}}
		for day := range history.MaxDays {
			at := start.AddDate(0, 0, day)
			total := history.DayTotal{At: at, Total: model.AmountOf(int64(day) * 123_456_789)}
			line.Days = append(line.Days, &history.Day{
				Date: at.Format(time.DateOnly), First: total, Last: total, PnL: model.AmountOf(987_654_321), HasPnL: true,
			})
		}
		kept.Lines = append(kept.Lines, line)
	}
	days := history.NewDays(kept, 0)
	var copied, written, read time.Duration
	for b.Loop() {
		began := time.Now()
		lines := days.Clone()
		copied = time.Since(began)
		if err := NewStateFile(path, "mainnet").RememberDays(history.Kept{Lines: lines}); err != nil {
			b.Fatal(err)
		}
		written = time.Since(began) - copied
		if again, problem := NewStateFile(path, "mainnet").Days(); problem != nil || len(again.Lines) != len(kept.Lines) {
			b.Fatalf("%d lines: %v", len(again.Lines), problem)
		}
		read = time.Since(began) - copied - written
	}
	var bytes int64
	_ = filepath.Walk(filepath.Dir(path), func(_ string, info os.FileInfo, _ error) error { bytes += info.Size(); return nil })
	b.ReportMetric(float64(bytes)/(1<<20), "MiB")
	b.ReportMetric(copied.Seconds(), "s-copied")
	b.ReportMetric(written.Seconds(), "s-written")
	b.ReportMetric(read.Seconds(), "s-read")
}
