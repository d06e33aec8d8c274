package sim

// pageSize is how many positions one message of the stream holds at most.
const pageSize = 50

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

// updatePage writes one message of a block of updates. Nothing on the wire
// marks the end of the block.
func updatePage(b []byte, rows []*row) []byte {
	b = append(b, `{"result":{"updates":{`...)
	b = appendRows(b, rows)
	return append(b, "}}}\n"...)
}

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
