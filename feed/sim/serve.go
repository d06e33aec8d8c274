package sim

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"
)

// shutdownTimeout is how long open requests have to end once the service is to stop.
const shutdownTimeout = time.Second

// Serve responds to requests on the listener and runs the market and the faults, until the context ends. Then every
// stream gets the error of a shutdown, and Serve returns once all has ended. It closes the listener. The end of the
// context is not an error. HTTP/2 is served too.
func (n *Node) Serve(ctx context.Context, listener net.Listener) error {
	running, stop := context.WithCancel(ctx)
	defer stop()
	server := n.server()

	var work sync.WaitGroup
	defer work.Wait()
	if n.exchange != nil {
		work.Go(func() { n.exchange.Run(running, n.applyBlock) })
	}
	if n.config.Faults != nil {
		work.Go(func() { n.config.Faults.Run(running, n) })
	}
	work.Go(func() {
		<-running.Done()
		n.Shutdown()
		limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
		defer cancel()
		if server.Shutdown(limited) != nil {
			_ = server.Close() // what does not end by itself in time is cut
		}
	})
	err := server.Serve(listener)
	stop()
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return fmt.Errorf("serving: %w", err)
}

func (n *Node) server() *http.Server {
	var protocols http.Protocols
	protocols.SetHTTP1(true)
	protocols.SetHTTP2(true)
	protocols.SetUnencryptedHTTP2(true)
	return &http.Server{
		Handler:     n,
		ConnContext: withConnection,
		Protocols:   &protocols,
		ErrorLog:    slog.NewLogLogger(slog.DiscardHandler, slog.LevelError),
	}
}
