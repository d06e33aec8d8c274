package record

import (
	"bytes"
	"cmp"
	"maps"
	"net/http"
	"slices"

	"blotter/feed/endpoint"
	"blotter/feed/wire"
	"blotter/model"
)

// Margins returns the newest copy of each margin record of the pages that were recorded before now, the newest first.
func (p *Player) Margins() []model.MarginLevels {
	return p.playing().margins(cmp.Or(p.config.Limits.MessageBytes, endpoint.DefaultMessageBytes))
}

func (r *Replay) margins(limit int64) []model.MarginLevels {
	r.mu.Lock()
	defer r.mu.Unlock()
	newest := make(map[model.MarginKey]model.MarginLevels)
	for _, q := range r.pages.order {
		x := r.pages.responses[q]
		if q.operation != wire.MarginPath || x.status != http.StatusOK || x.err != nil {
			continue
		}
		page, err := wire.ReadMarginPage(bytes.NewReader(x.data), limit)
		if err != nil {
			continue // the dashboard could not read it either
		}
		for _, record := range page.Rows {
			known, is := newest[record.MarginKey]
			if !is || known.Timestamp.Compare(record.Timestamp) <= 0 {
				newest[record.MarginKey] = record
			}
		}
	}
	return slices.SortedFunc(maps.Values(newest), func(a, b model.MarginLevels) int {
		return cmp.Or(b.Timestamp.Compare(a.Timestamp), a.MarginKey.Compare(b.MarginKey))
	})
}
