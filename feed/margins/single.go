package margins

import (
	"context"
	"fmt"

	"blotter/feed/endpoint"
	"blotter/model"
)

// isOnlyPage reports whether the first page of a command's walk is its only one and has no block: then no other page
// shows whether its node is behind.
func (w *walk) isOnlyPage(ctx context.Context, page *endpoint.Page) bool {
	return w.ending.isChecked && page.Block.Height == 0 && w.isLast(page) && w.ending.canAsk(ctx)
}

// isLast reports whether the walk does not read on after its first page.
func (w *walk) isLast(page *endpoint.Page) bool {
	return !page.HasNext || w.limit > 0 && len(page.Rows) >= w.limit
}

// confirmed reads the only page of a list again over another connection, which may reach another node. If a record
// differs by sameLag or more, it may have changed meanwhile, so both are read once more. It returns the newest copy of
// each record. If one still differs, that is a problem of the walk. If the other node has more, the walk goes on there.
func (w *walk) confirmed(ctx context.Context, page *endpoint.Page) (*endpoint.Page, error) {
	newest := newestOf{page: *page, places: make(map[model.MarginKey]int)}
	newest.page.Rows, newest.page.Cursors = nil, nil
	differ := 0
	for again := range 2 {
		var err error
		if again > 0 {
			if page, err = w.request(ctx, "", w.size, false); err != nil {
				return nil, err
			}
		}
		other, err := w.request(ctx, "", w.size, true)
		if err != nil {
			return nil, err
		}
		for _, each := range []*endpoint.Page{page, other} {
			if !w.isLast(each) {
				return each, nil
			}
			newest.add(each)
		}
		if differ = max(newest.differing(page), newest.differing(other)); differ == 0 {
			break
		}
	}
	if differ > 0 {
		w.problem = fmt.Errorf("two connections have other copies of %d of %d margin levels, older by %s or more: the newer ones are shown, "+
			"and others may be old", differ, len(newest.page.Rows), sameLag)
	}
	w.ending.asked++ // the end was read twice
	return &newest.page, nil
}

// newestOf has the newest copies of the records of several readings of one page.
type newestOf struct {
	page   endpoint.Page
	places map[model.MarginKey]int // of its rows
}

func (n *newestOf) add(page *endpoint.Page) {
	for i := range page.Rows {
		levels := page.Rows[i]
		at, isThere := n.places[levels.MarginKey]
		switch {
		case !isThere:
			n.places[levels.MarginKey] = len(n.page.Rows)
			n.page.Rows, n.page.Cursors = append(n.page.Rows, levels), append(n.page.Cursors, page.Cursors[i])
		case levels.Timestamp.CompareTime(n.page.Rows[at].Timestamp) > 0:
			n.page.Rows[at], n.page.Cursors[at] = levels, page.Cursors[i]
		}
	}
}

// differing returns how many records a page lacks, or has in a copy that is older by sameLag or more. If the list goes
// on after the page, a record may have moved there.
func (n *newestOf) differing(page *endpoint.Page) (count int) {
	times := make(map[model.MarginKey]int64, len(page.Rows))
	for i := range page.Rows {
		times[page.Rows[i].MarginKey] = timeOf(&page.Rows[i])
	}
	for i := range n.page.Rows {
		levels := &n.page.Rows[i]
		at, isThere := times[levels.MarginKey]
		if isThere && timeOf(levels)-at >= int64(sameLag) || !isThere && !page.HasNext {
			count++
		}
	}
	return count
}
