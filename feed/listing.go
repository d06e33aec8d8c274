package feed

import (
	"cmp"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"blotter/model"
)

// listing is one answer of the margin levels operation: a page of one list.
type listing struct {
	rows        []model.MarginLevels
	cursors     []string // one for each row
	hasNext     bool
	hasPrevious bool
	start, end  string // the cursors of the first and the last row, once more
	block       model.Block
}

// decodeListing reads the body of an answer.
func decodeListing(body io.Reader, limit int64, secrets *secrets) (*listing, error) {
	d := newDecoder(body, limit)
	d.secrets = secrets
	page := new(listing)
	found := false
	var m message // what stands there instead, where the service cannot answer
	err := d.object(func(w word) error {
		switch w {
		case wordMarginLevels:
			found = true
			return d.listing(page)
		case wordErrorObject:
			return d.complaint(&m)
		}
		return d.errorField(&m, w)
	})
	if err == nil {
		err = d.end()
	}
	switch {
	case err == io.EOF:
		return nil, errors.New("the answer is empty")
	case err != nil:
		return nil, d.explain(err)
	case m.failed, !found && m.complaint != "":
		m.complain()
		return nil, errors.New("the service answered with an error: " + m.complaint)
	case !found:
		return nil, errors.New("the answer has no marginLevels")
	}
	if n := len(page.cursors); n > 0 {
		page.cursors[0] = cmp.Or(page.cursors[0], page.start)
		page.cursors[n-1] = cmp.Or(page.cursors[n-1], page.end)
	}
	return page, nil
}

// end reads what comes after the answer, which must be nothing but white space.
func (d *decoder) end() error {
	switch _, err := d.json.ReadToken(); err {
	case io.EOF:
		return nil
	case nil:
		return errors.New("the answer goes on after its end")
	default:
		return err
	}
}

func (d *decoder) listing(page *listing) error {
	return d.object(func(w word) error {
		switch w {
		case wordEdges:
			return d.composite('[', ']', func() error { return d.edge(page) })
		case wordPageInfo:
			return d.pageInfo(page)
		}
		return d.json.SkipValue()
	})
}

func (d *decoder) edge(page *listing) error {
	value, err := d.json.ReadValue()
	if err != nil {
		return err
	}
	var row model.MarginLevels
	var cursor string
	err = d.members(value, func(w word, value jsontext.Value) error {
		switch w {
		case wordNode:
			return d.margin(value, &row)
		case wordCursor:
			return d.text(value, &cursor)
		}
		return nil
	})
	page.rows, page.cursors = append(page.rows, row), append(page.cursors, cursor)
	return err
}

// pageInfo reads what lies beyond the page.
func (d *decoder) pageInfo(page *listing) error {
	value, err := d.json.ReadValue()
	if err != nil {
		return err
	}
	return d.members(value, func(w word, value jsontext.Value) error {
		switch w {
		case wordHasNextPage:
			return d.boolean(value, &page.hasNext)
		case wordHasPreviousPage:
			return d.boolean(value, &page.hasPrevious)
		case wordStartCursor:
			return d.text(value, &page.start)
		case wordEndCursor:
			return d.text(value, &page.end)
		}
		return nil
	})
}

func (d *decoder) margin(value jsontext.Value, row *model.MarginLevels) error {
	return d.members(value, func(w word, value jsontext.Value) error {
		switch w {
		case wordPartyID:
			return d.id(value, &row.Party)
		case wordMarketID:
			return d.id(value, &row.Market)
		case wordAsset:
			return d.id(value, &row.Asset)
		case wordMaintenanceMargin:
			return d.amount(value, &row.Maintenance)
		case wordSearchLevel:
			return d.amount(value, &row.Search)
		case wordInitialMargin:
			return d.amount(value, &row.Initial)
		case wordCollateralReleaseLevel:
			return d.amount(value, &row.Release)
		case wordTimestamp:
			return d.amount(value, &row.Timestamp)
		}
		return nil
	})
}

// blockOf is what the node says of its own progress.
func blockOf(header http.Header) model.Block {
	height, err := strconv.ParseInt(header.Get("X-Block-Height"), 10, 64)
	nanoseconds, err2 := strconv.ParseInt(header.Get("X-Block-Timestamp"), 10, 64)
	if err != nil || err2 != nil {
		return model.Block{}
	}
	return model.Block{Height: height, Time: time.Unix(0, nanoseconds)}
}

// window is a stretch of one list: rows after a cursor or before one, or at one of its ends.
type window struct {
	key         model.Key
	cursor      string // empty: at the end of the list
	backward    bool   // rows before the cursor, at its end nearest to the cursor
	size        int
	newestFirst bool
}

// query says the window in the parameters of the operation. The order is said on every page, because the same
// cursor with the other order walks the other way; an empty cursor is left out, because it is an error.
func (w window) query() url.Values {
	query := keyQuery(w.key)
	count, cursor := "pagination.first", "pagination.after"
	if w.backward {
		count, cursor = "pagination.last", "pagination.before"
	}
	query.Set(count, strconv.Itoa(w.size))
	if w.cursor != "" {
		query.Set(cursor, w.cursor)
	}
	query.Set("pagination.newestFirst", strconv.FormatBool(w.newestFirst))
	return query
}
