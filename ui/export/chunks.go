package export

import (
	"io"
	"runtime"
	"sync"
)

// chunkRecords is how many records a core formats at a time.
const chunkRecords = 4 << 10

// chunk is a part of the records while it is formatted.
type chunk[R any] struct {
	records[R]
	text []byte
}

// writeChunks formats all records, on all cores, and writes them in order. The function format formats the records of
// a chunk from one place up to another.
func (r *records[R]) writeChunks(w io.Writer, format func(c *chunk[R], from, to int)) error {
	chunks := make([]chunk[R], min(runtime.GOMAXPROCS(0), r.count/chunkRecords+1))
	for i := range chunks {
		chunks[i].records = *r
		chunks[i].buffer, chunks[i].written, chunks[i].result = nil, nil, Result{}
	}
	for from := 0; from < r.count; {
		var formatting sync.WaitGroup
		for i := range chunks {
			begin, end := from, min(from+chunkRecords, r.count)
			from = end
			formatting.Go(func() {
				chunks[i].text = chunks[i].text[:0]
				format(&chunks[i], begin, end)
			})
		}
		formatting.Wait()
		for i := range chunks {
			if _, err := w.Write(chunks[i].text); err != nil {
				return err
			}
		}
	}
	for i := range chunks {
		r.result.Unscaled += chunks[i].result.Unscaled
	}
	return nil
}
