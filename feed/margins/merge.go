package margins

import (
	"slices"

	"blotter/feed/endpoint"
	"blotter/model"
)

// How a page is merged. A segment is read from each list: as many rows as the page has, from where the page before
// ended. The merge takes the next row by time from the segments until the page is full. The bar is where the page ends
// in a list; the next page is read from the cursor of the row before the bar. Here are pages of four, newest first:
//
//	list A    9  6  5 | 2           read on after the cursor of 5
//	list B    8 | 4  3              read on after the cursor of 8
//	list C    | 1                   read on after the cursor of its request: none of its rows is on the page
//	page      9  8  6  5
//
// Rows beyond the bar are read again with the next page. If all rows of a segment are on the page and its list has
// more, the page ends early: the next row of that list may come before those of the others.
//
// Backward, all of this is mirrored: segments are kept in the order of reading, so their first row is the last one of
// the list, and the page is reversed at the end.

// segment is the rows of one list for a page, as the service sent them, but in the order of reading.
type segment struct {
	*endpoint.Page
	key  model.Key
	from string // the cursor of the request; empty at an end of the list
	more bool   // the list has more after these rows, as the service reports
	used int    // how many of the rows are on the page
}

// merge returns the page with the next rows of the segments, without those that were not requested.
func merge(request model.PageRequest, segments []segment) *model.Page {
	backward := isBackward(request)
	page, isEmpty := new(model.Page), true
	for len(page.Rows) < request.Size {
		next := nextSegment(segments, request.NewestFirst != backward, backward)
		if next == nil {
			break
		}
		page.Rows = append(page.Rows, requested(next.key, next.Rows[next.used:next.used+1])...)
		next.used++
		isEmpty = false
	}
	var more, noCursorAhead, noCursorBehind bool
	for i := range segments {
		s := &segments[i]
		more = more || s.used < len(s.Rows) || s.more
		noCursorAhead = noCursorAhead || s.used > 0 && s.cursorAhead() == ""
		noCursorBehind = noCursorBehind || len(s.Rows) > 0 && s.cursorBehind() == ""
		place := model.Place{Key: s.key, Start: s.cursorBehind(), End: s.cursorAhead()}
		if backward {
			place.Start, place.End = place.End, place.Start
		}
		page.Places = append(page.Places, place)
		if s.At.After(page.ReadAt) {
			page.ReadAt, page.ServedAt = s.At, s.ServedAt
		}
		if page.Block.Height < s.Block.Height {
			page.Block = s.Block
		}
	}
	// The service reports whether more records follow. Records come before a page if the request continues another.
	ahead, behind := more && !isEmpty, isFollowUp(request)
	page.HasNext, page.CutOffNext = ahead && !noCursorAhead, ahead && noCursorAhead
	page.HasPrevious, page.CutOffPrevious = behind && !noCursorBehind, behind && noCursorBehind
	if backward {
		slices.Reverse(page.Rows)
		page.HasNext, page.HasPrevious = page.HasPrevious, page.HasNext
		page.CutOffNext, page.CutOffPrevious = page.CutOffPrevious, page.CutOffNext
	}
	return page
}

// nextSegment returns the segment whose next row is the next row of the page, or nil if there is none. In both
// directions, rows of one time are on the page in the order of their lists.
func nextSegment(segments []segment, descending, backward bool) *segment {
	var best *segment
	for i := range segments {
		s := &segments[i]
		if s.used == len(s.Rows) {
			if s.used > 0 && s.more {
				return nil
			}
			continue
		}
		if best == nil {
			best = s
			continue
		}
		order := s.Rows[s.used].Timestamp.CompareTime(best.Rows[best.used].Timestamp)
		if descending {
			order = -order
		}
		if order < 0 || order == 0 && backward {
			best = s
		}
	}
	return best
}

// cursorAhead returns the cursor from which to read on in the same direction.
func (s *segment) cursorAhead() string {
	if s.used == 0 {
		return s.from
	}
	return s.Cursors[s.used-1]
}

// cursorBehind returns the cursor from which to read in the other direction. If the list has no rows here, that is
// from its end.
func (s *segment) cursorBehind() string {
	if len(s.Rows) == 0 {
		return ""
	}
	return s.Cursors[0]
}
