package record

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"strconv"
	"time"

	"blotter/model"
	"blotter/model/book"
)

// read returns what was read of margin levels.
func (m *marginsOf) read(levels []model.MarginLevels) book.MarginsRead {
	read := book.MarginsRead{Ended: m.Ended, Whole: m.Whole}
	if m.Problem != "" {
		read.Err = errors.New(m.Problem)
	}
	if len(levels) > 0 {
		read.Page = m.page(levels)
	}
	return read
}

// WatchMargins does nothing: margin levels come with the rows, as they were recorded.
func (p *Player) WatchMargins(model.Scope) {}

// HurryMargins does nothing either.
func (p *Player) HurryMargins([]model.ID) {}

// NextMargins waits for the end of ctx or of the player.
func (p *Player) NextMargins(ctx context.Context) (book.MarginsRead, error) {
	for {
		if err := p.wait(ctx, nil, never); err != nil {
			return book.MarginsRead{}, err
		}
	}
}

// allMargins returns all margin records, those that were read at one time in a page, and last when the last was read.
func (s *state) allMargins() (reads []book.MarginsRead) {
	for _, page := range s.Margins().Pages(math.MaxInt) {
		page.ServedAt = model.ServiceTime(s.links, page.ReadAt)
		reads = append(reads, book.MarginsRead{Page: page})
	}
	last := s.margins.read(nil)
	last.Page = s.margins.page(nil)
	return append(reads, last)
}

// Margins returns the margin records that are known, the newest first, and when the last page was read, with its block.
func (p *Player) Margins() (all []model.MarginLevels, readAt time.Time, block model.Block) {
	p.reading.Lock()
	defer p.reading.Unlock()
	state := p.cursor.state
	for levels := range state.Margins().All {
		all = append(all, levels)
	}
	slices.SortFunc(all, func(a, b model.MarginLevels) int {
		return cmp.Or(b.Timestamp.Compare(a.Timestamp), a.MarginKey.Compare(b.MarginKey))
	})
	return all, state.margins.ReadAt, state.margins.Block
}

// awaitRequest waits until Next has begun the last jump or step. A caller that locks the cursor then gets it
// after that.
func (p *Player) awaitRequest(ctx context.Context) error {
	for {
		p.mu.Lock()
		changed, isPending := p.changed, p.jumpTo != nil || p.step != 0
		p.mu.Unlock()
		if !isPending {
			return nil
		}
		if err := p.wait(ctx, changed, never); err != nil {
			return err
		}
	}
}

// Page returns a page of the margin records that are known now. After a jump, it waits for Next to make the state of
// that time.
func (p *Player) Page(ctx context.Context, request model.PageRequest) (*model.Page, error) {
	if err := p.awaitRequest(ctx); err != nil {
		return nil, err
	}
	all, readAt, block := p.Margins()
	all = slices.DeleteFunc(all, func(m model.MarginLevels) bool { return !request.Scope.Covers(m.Key) })
	if !request.NewestFirst {
		slices.Reverse(all)
	}
	size := max(request.Size, 1)
	from := 0
	if request.From != nil && len(request.From.Places) > 0 {
		place := request.From.Places[0]
		switch request.Turn {
		case model.NextPage:
			from, _ = strconv.Atoi(place.End)
		case model.PreviousPage:
			from, _ = strconv.Atoi(place.Start)
			from -= size
		}
	}
	if request.Turn == model.LastPage {
		from = len(all) - size
	}
	from = min(max(from, 0), len(all))
	to := min(from+size, len(all))
	return &model.Page{
		Rows: all[from:to:to], HasNext: to < len(all), HasPrevious: from > 0, ReadAt: readAt, Block: block,
		Places: []model.Place{{Start: strconv.Itoa(from), End: strconv.Itoa(to)}},
	}, nil
}

// At goes to a time at once, and returns all rows of that time. It reads, and is for programs that wait for it.
func (p *Player) At(to time.Time) (book.Delta, error) {
	p.Pause(true)
	p.Jump(to)
	delta, _, err := p.advance()
	p.mu.Lock()
	defer p.mu.Unlock()
	return delta, cmp.Or(err, p.problem)
}
