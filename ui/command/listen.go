package command

import (
	"context"
	"fmt"
	"net"
	"os"

	"blotter/ui/command/exit"
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
