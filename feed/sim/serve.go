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
	n.reopen()
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
		n.closeDown()
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

// reopen makes the service take streams.
func (n *Node) reopen() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.closing = false
}

// closeDown ends all streams, whatever the script has them wait for, and takes
// no more.
func (n *Node) closeDown() {
	n.mu.Lock()
	n.closing = true
	n.mu.Unlock()
	n.Speak()
	n.Release()
	n.Trickle(0, 0)
	n.Shutdown()
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
