package command

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/net/netutil"

	"blotter/ui/command/cli"
	"blotter/ui/metrics"
)

// network serves other programs and machines.
type network struct {
	*outputs
	listen func(ctx context.Context, network, address string) (net.Listener, error) // see Process.Listen
}

// listenAt opens a listener at the address of a flag, by default only for this machine. It warns if other machines
// can reach what is served there.
func (n *network) listenAt(ctx context.Context, flag, address, served string) (net.Listener, error) {
	listen := n.listen
	if listen == nil {
		listen = new(net.ListenConfig).Listen
	}
	listener, err := listen(ctx, "tcp", loopbackByDefault(address))
	if err != nil {
		return nil, cli.UsageError("%s: %w", flag, listenError(err))
	}
	if isReachable(listener) {
		n.warn(fmt.Errorf("%s: other machines can reach %s", flag, served))
	}
	return listener, nil
}

// isReachable reports whether other machines can reach a listener.
func isReachable(listener net.Listener) bool {
	tcp, ok := listener.Addr().(*net.TCPAddr)
	return ok && !tcp.IP.IsLoopback()
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
	operation, ok := errors.AsType[*net.OpError](err)
	for inner := err; inner != nil; inner = errors.Unwrap(inner) {
		err = inner
	}
	if ok && operation.Addr != nil {
		return fmt.Errorf("%s: %w", operation.Addr, err)
	}
	return err
}

// metricsFlag is the flag of the commands that can serve metrics.
type metricsFlag struct{ listen string }

func (m *metricsFlag) register(command *cobra.Command) {
	command.Flags().StringVar(&m.listen, "metrics-listen", "",
		"serve metrics for Prometheus at this address, such as 127.0.0.1:9464; without a host only for this machine")
}

// The limits of the server of metrics. Programs of this machine that hold connections must not take the descriptors
// that the streams need.
const (
	metricsConnections  = 16
	metricsHeaderTime   = 5 * time.Second  // for the header of a request
	metricsRequestTime  = 10 * time.Second // for all of it
	metricsResponseTime = 10 * time.Second // for the response
	metricsIdleTime     = 30 * time.Second // between two requests on a connection
	metricsHeaderBytes  = 16 << 10
)

// serveMetrics serves the metrics of a source until the configuration is closed, if --metrics-listen is given.
func (n *network) serveMetrics(ctx context.Context, flag metricsFlag, c *configuration, source metrics.Source) error {
	if flag.listen == "" {
		return nil
	}
	listener, err := n.listenAt(ctx, "--metrics-listen", flag.listen, "the metrics")
	if err != nil {
		return err
	}
	source.Instruments, source.Version = c.instruments, cli.Version().Number
	routes := http.NewServeMux()
	routes.Handle("GET /metrics", metrics.Handler(source))
	var handler http.Handler = routes
	if !isReachable(listener) {
		host, _, _ := net.SplitHostPort(flag.listen)
		handler = metrics.OnlyHosts(routes, append([]string{host}, c.file.Feed.MetricsHosts...))
	}
	server := &http.Server{
		Handler: handler, MaxHeaderBytes: metricsHeaderBytes,
		ReadHeaderTimeout: metricsHeaderTime, ReadTimeout: metricsRequestTime, WriteTimeout: metricsResponseTime,
		IdleTimeout: metricsIdleTime,
	}
	var serving sync.WaitGroup
	serving.Go(func() {
		defer n.panics.Recover()
		_ = server.Serve(netutil.LimitListener(listener, metricsConnections)) // ends with Close
	})
	c.closers = append(c.closers, func() {
		_ = server.Close()
		serving.Wait()
	})
	return nil
}
