package hub

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"blotter/model"
)

// A screen reads its first page of margin levels again every few seconds. Of thirty screens these would be hundreds of
// requests, for records that the hub reads in the background anyway. So these pages, and those that follow them, are
// made of what the hub knows, if it knows all of their lists. Pages that a trader requests are read.

// knownCursor is how the cursors of pages begin that are made of what is known.
const knownCursor = "known "

// isKnownPage reports whether a request is for such a page.
func isKnownPage(request *model.PageRequest) bool {
	switch request.Turn {
	case model.FirstPage, model.LastPage:
		return request.Background
	}
	return request.From != nil && len(request.From.Places) > 0 && strings.HasPrefix(request.From.Places[0].End, knownCursor)
}

// knownPage returns a page of what is known, and false if a list of its scope is not known, or not read any more.
func (h *Hub) knownPage(request *model.PageRequest) (*model.Page, bool) {
	lists, ok := h.knownLists(request.Scope)
	if !ok {
		return nil, false
	}
	page := new(model.Page)
	var rows []model.MarginLevels
	for _, l := range lists {
		records, checkedAt, isWhole := l.known(&request.Scope)
		if !isWhole {
			return nil, false
		}
		if page.ReadAt.IsZero() || checkedAt.Before(page.ReadAt) {
			page.ReadAt = checkedAt
		}
		rows = append(rows, records...)
	}
	compare := func(a, b model.MarginLevels) int {
		order := cmp.Or(a.Timestamp.Compare(b.Timestamp), b.MarginKey.Compare(a.MarginKey))
		if request.NewestFirst {
			return -order
		}
		return order
	}
	slices.SortFunc(rows, compare)
	from, to := placeOf(request, rows, compare)
	page.Rows, page.HasPrevious, page.HasNext = rows[from:to:to], from > 0, to < len(rows)
	place := model.Place{Key: request.Scope.Pairs()[0], Start: knownCursor, End: knownCursor}
	if from < to {
		place.Start, place.End = cursorOf(&rows[from]), cursorOf(&rows[to-1])
	}
	page.Places = []model.Place{place}
	return page, true
}

// placeOf returns which of the rows are on a page. The row of a cursor may have moved.
func placeOf(request *model.PageRequest, rows []model.MarginLevels, compare func(a, b model.MarginLevels) int) (from, to int) {
	size := max(request.Size, 1)
	switch request.Turn {
	case model.LastPage:
		from = len(rows) - size
	case model.NextPage:
		last, isRow := rowOf(request.From.Places[0].End)
		at, isHere := slices.BinarySearchFunc(rows, last, compare)
		if isRow && isHere {
			at++
		}
		from = at
	case model.PreviousPage:
		first, _ := rowOf(request.From.Places[0].Start)
		at, _ := slices.BinarySearchFunc(rows, first, compare)
		from = at - size
	}
	from = max(from, 0)
	return from, min(from+size, len(rows))
}

// cursorOf returns the cursor of a row.
func cursorOf(row *model.MarginLevels) string {
	text, _ := json.Marshal([]string{row.Timestamp.String(), row.Party.String(), row.Market.String(), row.Asset.String()})
	return knownCursor + string(text)
}

// rowOf returns the row of a cursor, as far as its place needs it, and false if the cursor is of no row.
func rowOf(cursor string) (row model.MarginLevels, ok bool) {
	var words []string
	err := json.Unmarshal([]byte(strings.TrimPrefix(cursor, knownCursor)), &words)
	if err != nil || len(words) != 4 {
		return row, false
	}
	row.Timestamp = model.ParseAmount(words[0])
	row.Party, row.Market, row.Asset = model.MakeID(words[1]), model.MakeID(words[2]), model.MakeID(words[3])
	return row, true
}

// knownLists returns the lists of a scope, and false if some are not read for any session.
func (h *Hub) knownLists(scope model.Scope) (lists []*marginList, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, of := range scope.Subscriptions(nil, 0) {
		l := h.lists[of.Key]
		if l == nil || !l.idleSince.IsZero() {
			return nil, false
		}
		lists = append(lists, l)
	}
	return lists, true
}

// known returns the records of a list that are in a scope, when all that have changed were read last, and whether these
// are all.
func (l *marginList) known(scope *model.Scope) (records []model.MarginLevels, checkedAt time.Time, isWhole bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.isWhole {
		return nil, time.Time{}, false
	}
	for levels := range l.records.Margins().All {
		if scope.Covers(levels.Key) {
			records = append(records, levels)
		}
	}
	return records, l.checkedAt, true
}
