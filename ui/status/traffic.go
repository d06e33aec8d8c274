package status

import (
	"fmt"
	"time"

	"blotter/model"
)

// Traffic is what the streams had sent at two times, some seconds apart. The rates on the page come from it.
type Traffic struct{ before, last reading }

// reading is what the streams had sent at a time.
type reading struct {
	at   time.Time
	sent map[model.Subscription]sent
}

type sent struct{ messages, bytes int64 }

// readEvery is how far the two times are apart.
const readEvery = 5 * time.Second

// read reads the counts, if the last reading is old enough.
func (t *Traffic) read(links []model.Link, now time.Time) {
	since := now.Sub(t.last.at)
	if since < 0 { // the time of a recording was set back
		*t = Traffic{}
	} else if since < readEvery {
		return
	}
	t.before, t.last = t.last, reading{now, make(map[model.Subscription]sent, len(links))}
	for i := range links {
		t.last.sent[links[i].Subscription] = sent{links[i].Messages, links[i].Bytes}
	}
}

// rate returns how many messages and bytes a stream sends in a second, and false if that is not known yet.
func (t *Traffic) rate(link *model.Link, now time.Time) (messages, bytes float64, ok bool) {
	for _, r := range []reading{t.before, t.last} {
		seconds := now.Sub(r.at).Seconds()
		if from, known := r.sent[link.Subscription]; known && seconds >= 1 && link.Messages >= from.messages {
			return float64(link.Messages-from.messages) / seconds, float64(link.Bytes-from.bytes) / seconds, true
		}
	}
	return 0, 0, false
}

func byteCount(n float64) string {
	for _, unit := range []struct {
		name string
		size float64
	}{{"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}} {
		if n >= unit.size {
			return fmt.Sprintf("%.1f %s", n/unit.size, unit.name)
		}
	}
	return fmt.Sprintf("%.0f B", n)
}
