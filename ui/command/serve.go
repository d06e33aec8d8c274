package command

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"blotter/model"
	"blotter/ui/command/exit"
	"blotter/ui/command/version"
	"blotter/ui/metrics"
)

// listenAt opens a listener at the address of a flag, by default only for this machine. It warns where other machines
// can reach what is served there.
func (p *program) listenAt(ctx context.Context, flag, address, served string) (net.Listener, error) {
	listen := p.Listen
	if listen == nil {
		listen = new(net.ListenConfig).Listen
	}
	listener, err := listen(ctx, "tcp", loopbackByDefault(address))
	if err != nil {
		return nil, exit.Usage("%s: %w", flag, listenError(err))
	}
	if tcp, ok := listener.Addr().(*net.TCPAddr); ok && !tcp.IP.IsLoopback() {
		p.warn(fmt.Errorf("%s: other machines can reach %s", flag, served))
	}
	return listener, nil
}

// loopbackByDefault makes an address without a host one of this machine only.
func loopbackByDefault(address string) string {
	if host, port, err := net.SplitHostPort(address); err == nil && host == "" {
		return net.JoinHostPort("127.0.0.1", port)
	}
	return address
}

// listenError returns in one line why the address cannot be used.
func listenError(err error) error {
	if opErr, ok := err.(*net.OpError); ok {
		err = opErr.Err
		if inner, ok := err.(*os.SyscallError); ok {
			err = inner.Err
		}
		if opErr.Addr != nil {
			return fmt.Errorf("%s: %w", opErr.Addr, err)
		}
	}
	return err
}

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
		Links: links, Instruments: c.instruments, Book: book, Version: version.Get().Number,
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
