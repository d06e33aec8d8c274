// Package metrics serves the state of the subscriptions as Prometheus metrics. It stores nothing: each scrape reads the
// state of that moment.
package metrics

import (
	"cmp"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"blotter/model"
)

// Source is where the metrics are read from. Its functions may be called by any goroutine.
type Source struct {
	Links       func() []model.Link
	Instruments *model.Instruments // the names of parties and markets
	Book        *Book              // nil if there are no figures of it
	Version     string
}

// Book are figures of the book. Its owner stores them, and scrapes read them.
type Book struct {
	Rows        atomic.Int64 // positions in scope
	Corrections atomic.Int64 // rows that audits found wrong
	AlertRules  atomic.Int64 // that are evaluated
	RowsWaiting atomic.Int64 // rows whose rules on margin ratios wait for a margin record
}

// maxScrapes is how many scrapes are served at the same time. A further one gets status 503.
const maxScrapes = 8

// Handler returns a handler that writes all metrics in the text format of Prometheus.
func Handler(source Source) http.Handler {
	registry := prometheus.NewRegistry()
	registry.MustRegister(newCollector(source))
	return promhttp.HandlerFor(registry, promhttp.HandlerOpts{MaxRequestsInFlight: maxScrapes})
}

// collector makes the metrics of one scrape from a source.
type collector struct {
	Source
	build, rows, corrections *prometheus.Desc
	rules, waiting           *prometheus.Desc
	freshness, phase         *prometheus.Desc
	figures                  []figure
}

// figure is a metric that each subscription has. The value reports false if there is none.
type figure struct {
	*prometheus.Desc
	kind  prometheus.ValueType
	value func(link *model.Link, now time.Time) (float64, bool)
}

func newCollector(source Source) *collector {
	describe := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc("blotter_"+name, help, labels, nil)
	}
	c := &collector{
		Source:      source,
		build:       describe("build_info", "1, with the version of the program.", "version"),
		rows:        describe("rows", "Positions in scope."),
		corrections: describe("corrections_total", "Rows that audits found wrong."),
		rules:       describe("alert_rules", "Rules for alerts that are evaluated."),
		waiting:     describe("alert_waiting_rows", "Rows that wait for a margin record of their size: no rule on the margin ratio begins or ends for them."),
		freshness:   describe("subscription_freshness", "1 for how far the rows can be trusted, 0 for the other words.", "party", "market", "freshness"),
		phase:       describe("subscription_phase", "1 for the phase of the stream, 0 for the other phases.", "party", "market", "phase"),
	}
	add := func(kind prometheus.ValueType, name, help string, value func(*model.Link, time.Time) (float64, bool)) {
		c.figures = append(c.figures, figure{describe("subscription_"+name, help, "party", "market"), kind, value})
	}
	const gauge, counter = prometheus.GaugeValue, prometheus.CounterValue
	add(gauge, "last_word_seconds", "Time since the service last sent something or responded.", func(l *model.Link, now time.Time) (float64, bool) {
		since, known := l.SinceLastReceived(now)
		return since.Seconds(), known
	})
	add(gauge, "behind_seconds", "How far the stream is behind; 0 if it is not.", func(l *model.Link, now time.Time) (float64, bool) {
		return l.Behind(now).Seconds(), true
	})
	add(gauge, "out_of_date", "1 if the rows may be out of date: stale, connecting, or behind by a minute or more.", func(l *model.Link, now time.Time) (float64, bool) {
		return oneIf(l.MayBeOutOfDate(now)), true
	})
	add(gauge, "retry", "Which retry comes next, counted from 1; 0 if nothing has failed.", of(func(l *model.Link) int { return l.Attempt }))
	add(counter, "tries_total", "How often the stream was opened, successfully or not.", of(func(l *model.Link) int { return l.Tries }))
	add(counter, "audits_total", "Audits that have ended.", of(func(l *model.Link) int { return l.Audits }))
	add(counter, "messages_total", "Messages that the streams have sent.", of(func(l *model.Link) int64 { return l.Messages }))
	add(counter, "bytes_total", "Bytes that were read for them, after decompression.", of(func(l *model.Link) int64 { return l.Bytes }))
	add(gauge, "snapshot_rows", "Positions that have come of the last snapshot.", of(func(l *model.Link) int { return l.StagedRows }))
	add(gauge, "waiting_changes", "Changed rows that wait for the screen or the output.", of(func(l *model.Link) int { return l.Changes }))
	add(gauge, "left_out_rows", "Positions of the snapshot over the limit of rows.", of(func(l *model.Link) int { return l.LeftOut }))
	add(gauge, "unrequested_rows", "Positions that the service sent although they were not requested.", of(func(l *model.Link) int { return l.Unrequested }))
	return c
}

// of makes the value function of a figure that every link has.
func of[T int | int64](value func(*model.Link) T) func(*model.Link, time.Time) (float64, bool) {
	return func(l *model.Link, _ time.Time) (float64, bool) { return float64(value(l)), true }
}

// Describe sends the descriptions of all metrics.
func (c *collector) Describe(to chan<- *prometheus.Desc) {
	to <- c.build
	if c.Book != nil {
		to <- c.rows
		to <- c.corrections
		to <- c.rules
		to <- c.waiting
	}
	to <- c.freshness
	to <- c.phase
	for _, f := range c.figures {
		to <- f.Desc
	}
}

// Collect sends all metrics with their present values.
func (c *collector) Collect(to chan<- prometheus.Metric) {
	send := func(what *prometheus.Desc, kind prometheus.ValueType, value float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(what, kind, value, labels...)
	}
	send(c.build, prometheus.GaugeValue, 1, c.Version)
	if c.Book != nil {
		send(c.rows, prometheus.GaugeValue, float64(c.Book.Rows.Load()))
		send(c.corrections, prometheus.CounterValue, float64(c.Book.Corrections.Load()))
		send(c.rules, prometheus.GaugeValue, float64(c.Book.AlertRules.Load()))
		send(c.waiting, prometheus.GaugeValue, float64(c.Book.RowsWaiting.Load()))
	}
	now := time.Now()
	for _, link := range c.Links() {
		party, market := c.names(link.Key)
		freshness, _ := link.Freshness(now)
		for _, word := range model.Freshnesses() {
			send(c.freshness, prometheus.GaugeValue, oneIf(word == freshness), party, market, word.String())
		}
		for _, phase := range model.Phases() {
			send(c.phase, prometheus.GaugeValue, oneIf(phase == link.Phase), party, market, phase.String())
		}
		for _, f := range c.figures {
			if value, ok := f.value(&link, now); ok {
				send(f.Desc, f.kind, value, party, market)
			}
		}
	}
}

// names returns the names of a subscription's party and market, or their identifiers. They are empty for all parties
// and for all markets.
func (c *collector) names(key model.Key) (party, market string) {
	if !key.Party.IsZero() {
		party = named(c.Instruments.Party(key.Party).Name, key.Party)
	}
	if !key.Market.IsZero() {
		market = named(c.Instruments.Market(key.Market).Name, key.Market)
	}
	return party, market
}

// named returns a name, or else an identifier. A label must be UTF-8, and an
// identifier that was typed may not be.
func named(name string, id model.ID) string {
	return strings.ToValidUTF8(cmp.Or(name, id.String()), "\ufffd")
}

func oneIf(condition bool) float64 {
	if condition {
		return 1
	}
	return 0
}
