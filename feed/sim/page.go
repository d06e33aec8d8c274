package sim

// pageSize is how many positions one message of the stream holds at most.
const pageSize = 50

// page is one message of the stream, written once and shared by all streams
// that get it.
type page struct {
	text      []byte // with the newline that ends it
	positions int
}

// snapshotPage writes one page of a snapshot.
func snapshotPage(b []byte, rows []*row, last bool) []byte {
	b = append(b, `{"result":{"snapshot":{`...)
	if len(rows) > 0 {
		b = appendRows(b, rows)
	}
	if last {
		if len(rows) > 0 {
			b = append(b, ',')
		}
		b = append(b, `"lastPage":true`...)
	}
	return append(b, "}}}\n"...)
}

// updatePages writes a block of updates. Nothing on the wire marks its end.
func updatePages(rows []*row) []page {
	pages := make([]page, 0, (len(rows)+pageSize-1)/pageSize)
	for len(rows) > 0 {
		n := min(pageSize, len(rows))
		text := make([]byte, 0, n*rowRoom)
		text = append(text, `{"result":{"updates":{`...)
		text = appendRows(text, rows[:n])
		text = append(text, "}}}\n"...)
		pages = append(pages, page{text, n})
		rows = rows[n:]
	}
	return pages
}

// rowRoom is a little more than a row takes on the wire.
const rowRoom = 640

func appendRows(b []byte, rows []*row) []byte {
	b = append(b, `"positions":[`...)
	for i, r := range rows {
		if i > 0 {
			b = append(b, ',')
		}
		b = r.append(b)
	}
	return append(b, ']')
}
