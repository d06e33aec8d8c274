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

// grace is how long open requests have to end once the service is to stop.
const grace = time.Second

// Serve answers on the listener and runs the market and the chaos, until the
// context ends. Then every stream gets the error of a shutdown, and Serve
// returns once all has ended. It closes the listener. The end of the context
// is not an error.
func (n *Node) Serve(ctx context.Context, listener net.Listener) error {
	running, stop := context.WithCancel(ctx)
	defer stop()
	server := &http.Server{Handler: n, ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)}

	var work sync.WaitGroup
	defer work.Wait()
	if n.exchange != nil {
		work.Go(func() { n.exchange.run(running, n) })
	}
	if n.config.Chaos != 0 {
		work.Go(func() { newChaos(n).run(running) })
	}
	work.Go(func() {
		<-running.Done()
		n.Shutdown()
		limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
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

// ListenAndServe is Serve on a TCP address. Once it listens it says where:
// the address may leave the port to the system.
func (n *Node) ListenAndServe(ctx context.Context, address string, listening func(net.Addr)) error {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return fmt.Errorf("listening on %s: %w", address, err)
	}
	listening(listener.Addr())
	return n.Serve(ctx, listener)
}
