package command

import (
	"time"
	_ "time/tzdata" // for systems without a database of time zones

	"blotter/feed"
	"blotter/model"
)

// screenOptions are how the screen begins, and how plain output says times.
type screenOptions struct {
	order       model.Order
	showClosed  bool
	filter      string
	pageSize    int // 0 for the screen's own
	oldestFirst bool
	zone        *time.Location
}

func (d *configDocument) screenOptions() (screenOptions, error) {
	section := &d.Screen
	options := screenOptions{
		order:       model.Order{Descending: section.Descending},
		showClosed:  section.ShowClosed,
		filter:      section.Filter,
		oldestFirst: section.OldestFirst,
		zone:        time.Local,
	}
	if d.lines.has("screen.order") {
		column, err := model.ParseSortColumn(section.Order)
		if err != nil {
			return options, d.problem("screen.order", "%w", err)
		}
		options.order.Column = column
	}
	if size := section.PageSize; size != nil {
		if *size < 1 || *size > feed.MaxPageSize {
			return options, d.wrong("screen.page_size")
		}
		options.pageSize = *size
	}
	if zone := section.TimeZone; d.lines.has("screen.time_zone") && zone != "local" {
		location, err := time.LoadLocation(zone)
		if err != nil || zone == "" {
			return options, d.wrong("screen.time_zone")
		}
		options.zone = location
	}
	return options, nil
}

// times are how long the feed waits. What the file leaves open stays 0, which is the feed's own default.
func (d *configDocument) times() (feed.Times, error) {
	var times feed.Times
	section := &d.Feed
	for _, field := range []struct {
		key         string
		text        string
		to          *time.Duration
		least, most time.Duration
	}{
		{"frame", section.Frame, &times.Frame, time.Millisecond, time.Minute},
		{"connect", section.Connect, &times.Connect, time.Millisecond, time.Hour},
		{"answer", section.Answer, &times.Answer, time.Millisecond, time.Hour},
		{"pair_silence", section.PairSilence, &times.PairSilence, time.Millisecond, time.Hour},
		{"snapshot_silence", section.SnapshotSilence, &times.SnapshotSilence, time.Millisecond, time.Hour},
		{"probe_after", section.ProbeAfter, &times.ProbeAfter, time.Millisecond, 24 * time.Hour},
		{"probe_every", section.ProbeEvery, &times.ProbeEvery, time.Millisecond, 24 * time.Hour},
		{"first_backoff", section.FirstBackoff, &times.FirstBackoff, time.Millisecond, time.Hour},
		{"max_backoff", section.MaxBackoff, &times.MaxBackoff, time.Millisecond, 24 * time.Hour},
		{"healthy_after", section.HealthyAfter, &times.HealthyAfter, time.Millisecond, 24 * time.Hour},
		{"refused_retry", section.RefusedRetry, &times.RefusedRetry, time.Second, 24 * time.Hour},
		{"audit_every", section.AuditEvery, &times.AuditEvery, time.Second, 24 * time.Hour},
	} {
		key := "feed." + field.key
		if !d.lines.has(key) {
			continue
		}
		if field.text == "never" && field.to == &times.AuditEvery {
			*field.to = -1
			continue
		}
		span, err := time.ParseDuration(field.text)
		if err != nil || span < field.least || span > field.most {
			return times, d.wrong(key)
		}
		*field.to = span
	}
	return times, nil
}

// The bounds of feed.message_bytes.
const (
	minMessageBytes = 1 << 10
	maxMessageBytes = 1 << 32
)

func (d *configDocument) limits() (feed.Limits, error) {
	bytes := d.Feed.MessageBytes
	switch {
	case bytes == nil:
		return feed.Limits{}, nil
	case *bytes < minMessageBytes || *bytes > maxMessageBytes:
		return feed.Limits{}, d.wrong("feed.message_bytes")
	}
	return feed.Limits{MessageBytes: *bytes}, nil
}
