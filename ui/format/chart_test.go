package format

import (
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestTimeTicks(t *testing.T) {
	zone := time.FixedZone("half", 5*60*60+30*60)
	at := func(text string) time.Time {
		parsed, err := time.ParseInLocation("15:04:05", text, zone)
		if err != nil {
			t.Fatal(err)
		}
		return parsed
	}
	for _, c := range []struct {
		from, to string
		columns  int
		want     string
	}{
		{"09:00:02", "14:02:07", 70, "13 10:00, 27 11:00, 41 12:00, 55 13:00, 69 14:00"},
		{"09:00:02", "14:02:07", 40, "7 10:00, 23 12:00, 39 14:00"},
		{"14:00:00", "14:01:00", 70, "0 14:00:00, 11 14:00:10, 23 14:00:20, 35 14:00:30, 46 14:00:40, 58 14:00:50"},
		{"14:00:30", "14:08:00", 70, "4 14:01, 14 14:02, 23 14:03, 32 14:04, 42 14:05, 51 14:06, 60 14:07"},
		{"00:00:00", "23:59:59", 12, "0 00:00, 6 12:00"},
	} {
		var got []string
		for _, tick := range timeTicks(at(c.from), at(c.to), c.columns) {
			got = append(got, strconv.Itoa(tick.At)+" "+tick.Text)
		}
		if text := strings.Join(got, ", "); text != c.want {
			t.Errorf("from %s to %s in %d columns: %s, want %s", c.from, c.to, c.columns, text, c.want)
		}
	}
}
