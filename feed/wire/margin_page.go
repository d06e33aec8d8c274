package wire

import (
	"cmp"
	"errors"
	"io"
	"unsafe"

	"blotter/model"
)

// MarginPage is one page of margin levels.
type MarginPage struct {
	Rows        []model.MarginLevels
	Cursors     []string // one for each row; empty if the service sent none
	End         string   // the cursor to read on from, also of a page without rows; empty if the service sent none
	HasNext     bool
	HasPrevious bool
}

// ReadMarginPage reads a page from the body of a response, of limit bytes at most. The text of its errors is one line.
func ReadMarginPage(body io.Reader, limit int64) (MarginPage, error) {
	r := NewReader(body, Limits{MessageBytes: limit})
	var (
		page  marginPage
		found bool
		e     errorObject // what the body may have in place of a page
	)
	for o := r.object(); r.member(o); {
		switch o.name {
		case "marginLevels":
			found = true
			r.marginPage(&page)
		default:
			r.errorMember(o.name, &e)
		}
	}
	switch err := r.end(); {
	case err == io.EOF:
		return MarginPage{}, errors.New("the response is empty")
	case err != nil:
		return MarginPage{}, err
	case e.present, !found && e.words != "":
		return MarginPage{}, errors.New("the response is an error: " + e.text())
	case !found:
		return MarginPage{}, errors.New("the response has no marginLevels")
	}
	r.beginValue(nil)
	if r.peek(); r.err != io.EOF {
		return MarginPage{}, cmp.Or(r.err, errors.New("the response has more data after its end"))
	}
	page.End = page.end
	if n := len(page.Cursors); n > 0 {
		page.Cursors[0] = cmp.Or(page.Cursors[0], page.start)
		page.Cursors[n-1] = cmp.Or(page.Cursors[n-1], page.end)
	}
	return page.MarginPage, nil
}

// marginPage is a page, and the cursors of its first and last row as pageInfo has them.
type marginPage struct {
	MarginPage
	start, end string
}

func (r *Reader) marginPage(page *marginPage) {
	for o := r.object(); r.member(o); {
		switch o.name {
		case "edges":
			for a := r.array(); r.element(a); {
				start := r.at
				row, cursor := r.edge(page.Rows)
				page.Rows, page.Cursors = append(page.Rows, row), append(page.Cursors, cursor)
				r.countRow(start, unsafe.Sizeof(row)+unsafe.Sizeof(cursor))
			}
		case "pageInfo":
			r.pageInfo(page)
		default:
			r.skip()
		}
	}
}

// edge reads one row and its cursor. The rows are those before it.
func (r *Reader) edge(before []model.MarginLevels) (row model.MarginLevels, cursor string) {
	for o := r.object(); r.member(o); {
		switch o.name {
		case "node":
			r.marginLevels(&row, before)
		case "cursor":
			cursor = r.copiedText()
		default:
			r.skip()
		}
	}
	return row, cursor
}

// pageInfo reads whether there are pages before and after this one, and the cursors of its ends.
func (r *Reader) pageInfo(page *marginPage) {
	for o := r.object(); r.member(o); {
		switch o.name {
		case "hasNextPage":
			page.HasNext = r.boolean()
		case "hasPreviousPage":
			page.HasPrevious = r.boolean()
		case "startCursor":
			page.start = r.copiedText()
		case "endCursor":
			page.end = r.copiedText()
		default:
			r.skip()
		}
	}
}

func (r *Reader) marginLevels(row *model.MarginLevels, before []model.MarginLevels) {
	for o := r.object(); r.member(o); {
		switch o.name {
		case "partyId":
			row.Party = r.id()
		case "marketId":
			row.Market = r.id()
		case "asset":
			row.Asset = r.id()
		default:
			if number, ok := model.MarginNumberNamed(o.name); ok {
				row.SetNumber(number, r.amount())
			} else if text, ok := model.MarginTextNamed(o.name); ok {
				row.MarginTexts[text] = r.repeatedText(text, before)
			} else {
				r.value()
			}
		}
	}
}

// repeatedText reads a text of a row. It is often the same as that of the row before, which then is not copied.
func (r *Reader) repeatedText(of model.MarginText, before []model.MarginLevels) string {
	text, _ := r.scalar()
	if n := len(before); n > 0 && before[n-1].MarginTexts[of] == string(text) {
		return before[n-1].MarginTexts[of]
	}
	return string(text)
}

// copiedText reads a text, and returns a copy of it.
func (r *Reader) copiedText() string {
	text, _ := r.scalar()
	return string(text)
}

func (r *Reader) amount() model.Amount {
	if text, ok := r.value(); ok {
		return model.ParseAmount(text)
	}
	return model.Amount{}
}
