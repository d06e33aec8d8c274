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
	Desk        func() Desk        // the figures of blotter serve; nil in other commands
	Programs    func() []Program   // the programs of alerts; nil if none can run
	Version     string
}

// Book are figures of the book. Its owner stores them, and scrapes read them.
type Book struct {
	Rows        atomic.Int64 // positions in scope
	Corrections atomic.Int64 // rows that audits found wrong
	AlertRules  atomic.Int64 // that are evaluated
	UnsentRows  atomic.Int64 // rows that streams without a last page have not sent again
	RowsWaiting atomic.Int64 // rows whose rules on margin ratios wait for a margin record
}

// Program are the figures of the program of a rule.
type Program struct {
	Rule         string
	NotDelivered int // events that wait for it
	Failures     int // calls that have failed since the start
}

// maxScrapes is how many scrapes are served at the same time. A further one gets status 503.
const maxScrapes = 8

// Handler returns a handler that writes all metrics in the text format of Prometheus.
func Handler(source Source) http.Handler {
	registry := prometheus.NewRegistry()
	registry.MustRegister(newCollector(source), prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "blotter_build_info", Help: "1, with the version of the program.", ConstLabels: prometheus.Labels{"version": source.Version},
	}, func() float64 { return 1 }))
	if b := source.Book; b != nil {
		gauge := func(name, help string, of *atomic.Int64) prometheus.Collector {
			return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "blotter_" + name, Help: help},
				func() float64 { return float64(of.Load()) })
		}
		registry.MustRegister(
			gauge("rows", "Positions in scope.", &b.Rows),
			gauge("unsent_rows", "Rows that may be out of date though their stream is not: after an outage it has not sent them again, nor its last page.", &b.UnsentRows),
			gauge("alert_rules", "Rules for alerts that are evaluated.", &b.AlertRules),
			gauge("alert_waiting_rows", "Rows that wait for a margin record of their size: no rule on the margin ratio begins or ends for them.", &b.RowsWaiting),
			prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "blotter_corrections_total", Help: "Rows that audits found wrong."},
				func() float64 { return float64(b.Corrections.Load()) }),
		)
	}
	if source.Desk != nil {
		registerDesk(registry, source.Desk)
	}
	return promhttp.HandlerFor(registry, promhttp.HandlerOpts{MaxRequestsInFlight: maxScrapes})
}

// collector makes the metrics of the subscriptions of one scrape from a source.
type collector struct {
	Source
	figures                []figure
	notDelivered, failures *prometheus.Desc // by rule
}

// figure is a metric that each subscription has.
type figure struct {
	*prometheus.Desc
	kind  prometheus.ValueType
	value valueOf
}

// valueOf returns the value of a figure at a time, and false if there is none.
type valueOf func(link *model.Link, now time.Time) (float64, bool)

func newCollector(source Source) *collector {
	rule := []string{"rule"}
	c := &collector{
		Source:       source,
		notDelivered: prometheus.NewDesc("blotter_alert_events_not_delivered", "Events of alerts that wait for the program of their rule.", rule, nil),
		failures:     prometheus.NewDesc("blotter_alert_command_failures_total", "Calls of the program of a rule that have failed.", rule, nil),
	}
	addLabelled := func(labels prometheus.Labels, kind prometheus.ValueType, name, help string, value valueOf) {
		c.figures = append(c.figures, figure{prometheus.NewDesc("blotter_subscription_"+name, help,
			[]string{"party", "market"}, labels), kind, value})
	}
	add := func(kind prometheus.ValueType, name, help string, value valueOf) {
		addLabelled(nil, kind, name, help, value)
	}
	const gauge, counter = prometheus.GaugeValue, prometheus.CounterValue
	for _, word := range model.Freshnesses() {
		labels := prometheus.Labels{"freshness": word.String()}
		addLabelled(labels, gauge, "freshness", "1 for how far the rows can be trusted, 0 for the other words.",
			func(l *model.Link, now time.Time) (float64, bool) {
				freshness, _ := l.Freshness(now)
				return oneIf(freshness == word), true
			})
	}
	for _, phase := range model.Phases() {
		labels := prometheus.Labels{"phase": phase.String()}
		addLabelled(labels, gauge, "phase", "1 for the phase of the stream, 0 for the other phases.",
			func(l *model.Link, _ time.Time) (float64, bool) {
				return oneIf(l.Phase == phase), true
			})
	}
	add(gauge, "last_received_seconds", "Time since the service last sent something or responded.",
		func(l *model.Link, now time.Time) (float64, bool) {
			since, known := l.SinceLastReceived(now)
			return since.Seconds(), known
		})
	add(gauge, "behind_seconds", "How far the stream is behind; 0 if it is not.", func(l *model.Link, now time.Time) (float64, bool) {
		return l.Behind(now).Seconds(), true
	})
	add(gauge, "late_seconds", "How late the updates come, by the clock of the service; 0 if less than 5 seconds.",
		func(l *model.Link, _ time.Time) (float64, bool) {
			return l.LateBy.Seconds(), true
		})
	add(gauge, "out_of_date", "1 if the rows may be out of date: stale, connecting, behind by a minute or more, or kept after an empty snapshot.", func(l *model.Link, now time.Time) (float64, bool) {
		return oneIf(l.MayBeOutOfDate(now)), true
	})
	add(gauge, "retry", "Which retry comes next, counted from 1; 0 if nothing has failed.",
		of(func(l *model.Link) int { return l.Attempt }))
	add(counter, "tries_total", "How often the stream was opened, successfully or not.", of(func(l *model.Link) int { return l.Tries }))
	add(counter, "audits_total", "Audits that have compared all rows.", of(func(l *model.Link) int { return l.Audits }))
	add(counter, "messages_total", "Messages that the streams have sent.", of(func(l *model.Link) int64 { return l.Messages }))
	add(counter, "bytes_total", "Bytes that were read for them, after decompression.", of(func(l *model.Link) int64 { return l.Bytes }))
	add(gauge, "snapshot_rows", "Positions that have come of the last snapshot.", of(func(l *model.Link) int { return l.StagedRows }))
	add(gauge, "unaudited_rows", "Positions of the last snapshot that no audit has compared so far.",
		of(func(l *model.Link) int { return l.UnauditedRows }))
	add(gauge, "unaudited_empty", "1 if the snapshot had no positions, and no two audits have had none either.",
		func(l *model.Link, _ time.Time) (float64, bool) { return oneIf(l.IsEmptyUnaudited()), true })
	add(gauge, "waiting_changes", "Changed rows that wait for the screen or the output.", of(func(l *model.Link) int { return l.Changes }))
	add(gauge, "left_out_rows", "Positions of the snapshot over the limit of rows.", of(func(l *model.Link) int { return l.LeftOut }))
	add(gauge, "unrequested_rows", "Positions that the service sent although they were not requested.",
		of(func(l *model.Link) int { return l.Unrequested }))
	return c
}

// of makes the value function of a figure that every link has.
func of[T int | int64](value func(*model.Link) T) valueOf {
	return func(l *model.Link, _ time.Time) (float64, bool) { return float64(value(l)), true }
}

// Describe sends the descriptions of all metrics.
func (c *collector) Describe(to chan<- *prometheus.Desc) {
	for _, f := range c.figures {
		to <- f.Desc
	}
	to <- c.notDelivered
	to <- c.failures
}

// Collect sends all metrics with their present values.
func (c *collector) Collect(to chan<- prometheus.Metric) {
	now := time.Now()
	for _, link := range c.Links() {
		party, market := c.names(link.Key)
		for _, f := range c.figures {
			if value, ok := f.value(&link, now); ok {
				to <- prometheus.MustNewConstMetric(f.Desc, f.kind, value, party, market)
			}
		}
	}
	if c.Programs == nil {
		return
	}
	for _, of := range c.Programs() {
		rule := strings.ToValidUTF8(of.Rule, "\ufffd")
		to <- prometheus.MustNewConstMetric(c.notDelivered, prometheus.GaugeValue, float64(of.NotDelivered), rule)
		to <- prometheus.MustNewConstMetric(c.failures, prometheus.CounterValue, float64(of.Failures), rule)
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

// named returns a name, or else an identifier. A label must be UTF-8, and an identifier that was typed may not be.
func named(name string, id model.ID) string {
	return strings.ToValidUTF8(cmp.Or(name, id.String()), "\ufffd")
}

func oneIf(condition bool) float64 {
	if condition {
		return 1
	}
	return 0
}
