package command

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"blotter/model"
	"blotter/ui/metrics"
)

// metricsFlag is the flag of the commands that can serve metrics.
type metricsFlag struct{ listen string }

func (m *metricsFlag) register(command *cobra.Command) {
	command.Flags().StringVar(&m.listen, "metrics-listen", "",
		"serve metrics for Prometheus at this address, such as 127.0.0.1:9464; without a host only for this machine")
}

const (
	metricsHeaderTime   = 5 * time.Second  // for the header of a request
	metricsResponseTime = 10 * time.Second // for the response
	metricsIdleTime     = 2 * time.Minute  // between two requests on a connection
)

// serveMetrics serves the state of a feed until the configuration is closed, where --metrics-listen is given. The book
// may be nil.
func (p *program) serveMetrics(ctx context.Context, flag metricsFlag, c *configuration, links func() []model.Link, book *metrics.Book) error {
	if flag.listen == "" {
		return nil
	}
	listener, err := p.listenAt(ctx, "--metrics-listen", flag.listen, "the metrics")
	if err != nil {
		return err
	}
	routes := http.NewServeMux()
	routes.Handle("GET /metrics", metrics.Handler(metrics.Source{
		Links: links, Instruments: c.instruments, Book: book, Version: release().version,
	}))
	server := &http.Server{Handler: routes, ReadHeaderTimeout: metricsHeaderTime, WriteTimeout: metricsResponseTime, IdleTimeout: metricsIdleTime}
	var serving sync.WaitGroup
	serving.Go(func() {
		defer p.panics.Recover()
		_ = server.Serve(listener) // ends with Close
	})
	c.closers = append(c.closers, func() {
		_ = server.Close()
		serving.Wait()
	})
	return nil
}
