package wire

import (
	"cmp"
	"errors"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"blotter/model"
)

// MarginPage is one page of margin levels.
type MarginPage struct {
	Rows        []model.MarginLevels
	Cursors     []string // one for each row; empty where the service sent none
	HasNext     bool
	HasPrevious bool
}

// ReadMarginPage reads a page from the body of an answer, of limit bytes at most. Its errors say in one line what is
// wrong with the body.
func ReadMarginPage(body io.Reader, limit int64) (*MarginPage, error) {
	r := NewReader(body, Limits{MessageBytes: limit})
	page := new(marginPage)
	found := false
	var said errorObject // what stands there instead, where the service cannot answer
	err := r.object(func(id fieldID) error {
		switch id {
		case fieldMarginLevels:
			found = true
			return r.marginPage(page)
		case fieldErrorObject:
			return r.errorObject(&said)
		}
		return r.errorField(&said, id)
	})
	if err == nil {
		err = r.end()
	}
	switch {
	case err == io.EOF:
		return nil, errors.New("the answer is empty")
	case err != nil:
		return nil, r.explain(err)
	case said.present, !found && said.words != "":
		return nil, errors.New("the service answered with an error: " + said.text())
	case !found:
		return nil, errors.New("the answer has no marginLevels")
	}
	if n := len(page.Cursors); n > 0 {
		page.Cursors[0] = cmp.Or(page.Cursors[0], page.start)
		page.Cursors[n-1] = cmp.Or(page.Cursors[n-1], page.end)
	}
	return &page.MarginPage, nil
}

// marginPage is a page and the cursors of its first and last row as pageInfo has them.
type marginPage struct {
	MarginPage
	start, end string
}

// end reads what comes after the answer, which must be nothing but white space.
func (r *Reader) end() error {
	switch _, err := r.json.ReadToken(); err {
	case io.EOF:
		return nil
	case nil:
		return errors.New("the answer goes on after its end")
	default:
		return err
	}
}

func (r *Reader) marginPage(page *marginPage) error {
	return r.object(func(id fieldID) error {
		switch id {
		case fieldEdges:
			return r.composite('[', ']', func() error { return r.edge(page) })
		case fieldPageInfo:
			return r.pageInfo(page)
		}
		return r.json.SkipValue()
	})
}

func (r *Reader) edge(page *marginPage) error {
	value, err := r.json.ReadValue()
	if err != nil {
		return err
	}
	var row model.MarginLevels
	var cursor string
	err = r.members(value, func(id fieldID, value jsontext.Value) error {
		switch id {
		case fieldNode:
			return r.marginLevels(value, &row)
		case fieldCursor:
			return r.text(value, &cursor)
		}
		return nil
	})
	page.Rows, page.Cursors = append(page.Rows, row), append(page.Cursors, cursor)
	return err
}

func (r *Reader) pageInfo(page *marginPage) error {
	value, err := r.json.ReadValue()
	if err != nil {
		return err
	}
	return r.members(value, func(id fieldID, value jsontext.Value) error {
		switch id {
		case fieldHasNextPage:
			return r.boolean(value, &page.HasNext)
		case fieldHasPreviousPage:
			return r.boolean(value, &page.HasPrevious)
		case fieldStartCursor:
			return r.text(value, &page.start)
		case fieldEndCursor:
			return r.text(value, &page.end)
		}
		return nil
	})
}

func (r *Reader) marginLevels(value jsontext.Value, row *model.MarginLevels) error {
	return r.members(value, func(id fieldID, value jsontext.Value) error {
		switch id {
		case fieldPartyID:
			return r.id(value, &row.Party)
		case fieldMarketID:
			return r.id(value, &row.Market)
		case fieldAsset:
			return r.id(value, &row.Asset)
		case fieldMaintenanceMargin:
			return r.amount(value, &row.Maintenance)
		case fieldSearchLevel:
			return r.amount(value, &row.Search)
		case fieldInitialMargin:
			return r.amount(value, &row.Initial)
		case fieldCollateralReleaseLevel:
			return r.amount(value, &row.Release)
		case fieldTimestamp:
			return r.amount(value, &row.Timestamp)
		}
		return nil
	})
}
