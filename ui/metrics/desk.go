package metrics

import "github.com/prometheus/client_golang/prometheus"

// Desk are the figures of blotter serve.
type Desk struct {
	Sessions           int   // screens that are shown
	Bytes              int64 // written to the clients since the start
	RefusedConnections int64 // that were not authenticated
	Streams            int   // to the service, with those that linger
	LingeringStreams   int   // that no session watches any more
	BacklogRows        int   // changed rows that wait for sessions
	BacklogBytes       int   // the memory that they take, about
	ReplacedBacklogs   int   // how often what waited for a session was replaced by a copy of all rows
	Restarts           int   // after internal errors
}

// registerDesk registers the metrics of a desk. The function may be called by any goroutine.
func registerDesk(registry *prometheus.Registry, of func() Desk) {
	gauge := func(name, help string, value func(Desk) float64) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "blotter_desk_" + name, Help: help},
			func() float64 { return value(of()) })
	}
	counter := func(name, help string, value func(Desk) float64) prometheus.Collector {
		return prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "blotter_desk_" + name, Help: help},
			func() float64 { return value(of()) })
	}
	registry.MustRegister(
		gauge("sessions", "Screens that are shown.", func(d Desk) float64 { return float64(d.Sessions) }),
		counter("bytes_total", "Bytes that were written to screens, before encryption.", func(d Desk) float64 { return float64(d.Bytes) }),
		counter("refused_connections_total", "Connections that were not authenticated.",
			func(d Desk) float64 { return float64(d.RefusedConnections) }),
		gauge("streams", "Streams to the service, with those that linger.", func(d Desk) float64 { return float64(d.Streams) }),
		gauge("lingering_streams", "Streams that no screen watches any more.", func(d Desk) float64 { return float64(d.LingeringStreams) }),
		gauge("backlog_rows", "Changed rows that wait for screens.", func(d Desk) float64 { return float64(d.BacklogRows) }),
		gauge("backlog_bytes", "The memory that they take, about.", func(d Desk) float64 { return float64(d.BacklogBytes) }),
		counter("replaced_backlogs_total", "How often what waited for a screen was replaced by a copy of all rows.",
			func(d Desk) float64 { return float64(d.ReplacedBacklogs) }),
		counter("restarts_total", "How often a part of the desk has started again after an internal error.",
			func(d Desk) float64 { return float64(d.Restarts) }),
	)
}
