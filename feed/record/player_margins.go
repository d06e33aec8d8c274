package record

import (
	"cmp"
	"context"
	"errors"
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
	select {
	case <-p.done:
		return book.MarginsRead{}, errClosed
	case <-ctx.Done():
		return book.MarginsRead{}, ctx.Err()
	}
}

func inScope(levels []model.MarginLevels, scope *model.Scope) (some []model.MarginLevels) {
	for i := range levels {
		if scope.Covers(levels[i].Key) {
			some = append(some, levels[i])
		}
	}
	return some
}

// allMargins returns all margin records, those that were read at one time in a page.
func (s *state) allMargins() (reads []book.MarginsRead) {
	pages := make(map[time.Time]*model.Page)
	for levels, at := range s.Margins().All {
		if pages[at] == nil {
			pages[at] = &model.Page{ReadAt: at}
			reads = append(reads, book.MarginsRead{Page: pages[at]})
		}
		pages[at].Rows = append(pages[at].Rows, levels)
	}
	return append(reads, s.margins.read(nil))
}

// Margins returns the margin records that are known, the newest first.
func (p *Player) Margins() []model.MarginLevels {
	p.reading.Lock()
	defer p.reading.Unlock()
	var all []model.MarginLevels
	for levels := range p.cursor.state().Margins().All {
		all = append(all, levels)
	}
	slices.SortFunc(all, func(a, b model.MarginLevels) int {
		return cmp.Or(b.Timestamp.Compare(a.Timestamp), a.MarginKey.Compare(b.MarginKey))
	})
	return all
}

// Page returns a page of the margin records that are known now.
func (p *Player) Page(_ context.Context, request model.PageRequest) (*model.Page, error) {
	if p.isClosed() {
		return nil, errClosed
	}
	all := inScope(p.Margins(), &request.Scope)
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
	page := &model.Page{
		Rows: all[from:to:to], HasNext: to < len(all), HasPrevious: from > 0, ReadAt: p.Now(), Block: p.block(),
		Places: []model.Place{{Start: strconv.Itoa(from), End: strconv.Itoa(to)}},
	}
	return page, nil
}

// block returns the block of the newest margin records.
func (p *Player) block() model.Block {
	p.reading.Lock()
	defer p.reading.Unlock()
	return p.cursor.state().margins.Block
}

func (p *Player) isClosed() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// At goes to a time at once, and returns all rows of that time. It reads, and is for programs that wait for it.
func (p *Player) At(to time.Time) (book.Delta, error) {
	p.Pause(true)
	p.Jump(to)
	delta, _, _, err := p.advance(false)
	return delta, err
}
