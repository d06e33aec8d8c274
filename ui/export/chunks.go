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
	text  []byte
	ready chan struct{} // closed when it is formatted
}

// writeChunks formats all records, on all cores, and writes them in order: the next chunks are formatted while one is
// written. The function format formats record i into its chunk.
func (r *records[R]) writeChunks(w io.Writer, format func(c *chunk[R], i int)) error {
	chunks := make([]chunk[R], min(runtime.GOMAXPROCS(0), r.count/chunkRecords)+1)
	var formatting sync.WaitGroup
	defer formatting.Wait()
	begin := func(c *chunk[R], from int) {
		c.text, c.ready = c.text[:0], make(chan struct{})
		formatting.Go(func() {
			defer close(c.ready)
			for i := from; i < min(from+chunkRecords, r.count); i++ {
				format(c, i)
			}
		})
	}
	for i := range chunks {
		chunks[i].records = *r
		chunks[i].buffer, chunks[i].written, chunks[i].result = nil, nil, Result{}
		begin(&chunks[i], i*chunkRecords)
	}
	for i, from := 0, 0; from < r.count; i, from = i+1, from+chunkRecords {
		c := &chunks[i%len(chunks)]
		<-c.ready
		if _, err := w.Write(c.text); err != nil {
			return err
		}
		begin(c, from+len(chunks)*chunkRecords)
	}
	formatting.Wait()
	for i := range chunks {
		r.result.Unscaled += chunks[i].result.Unscaled
	}
	return nil
}
