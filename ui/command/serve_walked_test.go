package command

import (
	"strings"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book"
)

// TestTheAgeOfMarginLevelsIsThatOfTheOldest of those that a command of a trader prints.
func TestTheAgeOfMarginLevelsIsThatOfTheOldest(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	record := func(market, changed string) []model.MarginLevels {
		return []model.MarginLevels{{
			MarginKey: model.MarginKey{Key: model.Key{Party: model.MakeID("p1"), Market: model.MakeID(market)}, Asset: model.MakeID("a1")},
			Timestamp: model.ParseAmount(changed),
		}}
	}
	for _, of := range []struct {
		name  string
		pages []*model.Page
		want  string
	}{
		{"none", nil, "read 0s ago"},
		{"oldest first", []*model.Page{
			{Rows: record("m1", "100"), ReadAt: now.Add(-90 * time.Second)}, {Rows: record("m2", "200"), ReadAt: now.Add(-5 * time.Second)},
		}, "read 1m30s ago"},
		{"oldest last", []*model.Page{
			{Rows: record("m1", "200"), ReadAt: now.Add(-5 * time.Second)}, {Rows: record("m2", "100"), ReadAt: now.Add(-90 * time.Second)},
		}, "read 1m30s ago"},
	} {
		t.Run(of.name, func(t *testing.T) {
			all := book.New(0)
			for _, page := range of.pages {
				all.MergeMargins(page)
			}
			w := walked(all.Margins(), now)
			if !strings.Contains(w.Warning, of.want) {
				t.Errorf("it says %q, want %q", w.Warning, of.want)
			}
			if len(w.Records) != len(of.pages) {
				t.Fatalf("%d records, want %d", len(w.Records), len(of.pages))
			}
			if len(w.Records) == 2 && w.Records[0].Timestamp.String() != "200" {
				t.Errorf("the first record is of %s, want the newest", w.Records[0].Timestamp)
			}
		})
	}
}
