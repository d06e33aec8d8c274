package hub

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"blotter/model"
)

// A screen reads its first page of margin levels again every few seconds. Of thirty screens these would be hundreds of
// requests, for records that the hub reads in the background anyway. So these pages, and those that follow them, are
// made of what the hub knows, if it knows all of their lists. Pages that a trader requests are read.
//
// Thirty traders who join at once, each with the lists of many parties, would also wait for hundreds of requests. So
// the first page that a session requests of several lists is made in the same way. Lists that were not read yet are
// read first, each once for all who wait.

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
	page, size := new(model.Page), max(request.Size, 1)
	for _, l := range lists {
		rows, checkedAt, isWhole := l.known()
		if !isWhole {
			return nil, false
		}
		if page.ReadAt.IsZero() || checkedAt.Before(page.ReadAt) {
			page.ReadAt = checkedAt
		}
		if !request.NewestFirst {
			rows = slices.Clone(rows)
			slices.Reverse(rows)
		}
		addPart(page, rows, request)
		slices.SortFunc(page.Rows, orderOf(request))
		if over := len(page.Rows) - size; over > 0 && isBackward(request) {
			page.Rows, page.HasPrevious = slices.Delete(page.Rows, 0, over), true
		} else if over > 0 {
			page.Rows, page.HasNext = slices.Delete(page.Rows, size, len(page.Rows)), true
		}
	}
	page.Rows = slices.Clone(page.Rows) // without room for more
	place := model.Place{Key: request.Scope.Pairs()[0], Start: knownCursor, End: knownCursor}
	if n := len(page.Rows); n > 0 {
		place.Start, place.End = cursorOf(&page.Rows[0]), cursorOf(&page.Rows[n-1])
	}
	page.Places = []model.Place{place}
	return page, true
}

// awaitPage returns a page of what is known as soon as all of its lists are. It reports false if one of them is not
// read now, or has more than one page.
func (h *Hub) awaitPage(ctx context.Context, s *Session, request *model.PageRequest) (*model.Page, bool) {
	lists, ok := h.knownLists(request.Scope)
	if !ok {
		return nil, false
	}
	answers := make([]<-chan struct{}, len(lists))
	for i, l := range lists {
		if answers[i], ok = l.await(s, time.Now()); !ok {
			return nil, false
		}
	}
	for i, l := range lists {
		if answers[i] == nil {
			continue
		}
		select {
		case <-answers[i]:
		case <-l.ended:
			return nil, false
		case <-ctx.Done():
			return nil, false
		}
	}
	return h.knownPage(request)
}

// orderOf returns the order of the rows of a page.
func orderOf(request *model.PageRequest) func(a, b model.MarginLevels) int {
	if request.NewestFirst {
		return newestFirst
	}
	return func(a, b model.MarginLevels) int { return newestFirst(b, a) }
}

func newestFirst(a, b model.MarginLevels) int {
	return cmp.Or(b.Timestamp.CompareTime(a.Timestamp), a.MarginKey.Compare(b.MarginKey))
}

func isBackward(request *model.PageRequest) bool {
	return request.Turn == model.LastPage || request.Turn == model.PreviousPage
}

// addPart adds those rows of a list, which are in the order of the page, that may be on the page, at most a whole page,
// and notes whether there are others before and after them. The row of a cursor may have moved.
func addPart(page *model.Page, rows []model.MarginLevels, request *model.PageRequest) {
	isSeen := func(row model.MarginLevels) bool { return request.Scope.Covers(row.Key) }
	from, to := 0, len(rows)
	switch request.Turn {
	case model.NextPage:
		if last, isRow := rowOf(request.From.Places[0].End); isRow {
			at, isHere := slices.BinarySearchFunc(rows, last, orderOf(request))
			if from = at; isHere {
				from++
			}
		}
	case model.PreviousPage:
		if first, isRow := rowOf(request.From.Places[0].Start); isRow {
			to, _ = slices.BinarySearchFunc(rows, first, orderOf(request))
		}
	}
	page.HasPrevious = page.HasPrevious || slices.ContainsFunc(rows[:from], isSeen)
	page.HasNext = page.HasNext || slices.ContainsFunc(rows[to:], isSeen)
	left := max(request.Size, 1)
	if !isBackward(request) {
		for ; from < to && left > 0; from++ {
			if isSeen(rows[from]) {
				page.Rows = append(page.Rows, rows[from])
				left--
			}
		}
		page.HasNext = page.HasNext || slices.ContainsFunc(rows[from:to], isSeen)
		return
	}
	for ; from < to && left > 0; to-- {
		if isSeen(rows[to-1]) {
			page.Rows = append(page.Rows, rows[to-1])
			left--
		}
	}
	page.HasPrevious = page.HasPrevious || slices.ContainsFunc(rows[from:to], isSeen)
}

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

// known returns all records of a list, the newest first, when all that have changed were read last, and whether these
// are all. They must not be changed.
func (l *marginList) known() (records []model.MarginLevels, checkedAt time.Time, isWhole bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.isWhole {
		return nil, time.Time{}, false
	}
	if l.sorted == nil {
		for levels := range l.records.Margins().All {
			l.sorted = append(l.sorted, levels)
		}
		slices.SortFunc(l.sorted, newestFirst)
	}
	return l.sorted, l.checkedAt, true
}
