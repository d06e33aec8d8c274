package feed

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptrace"
	"slices"
	"time"
)

// visit is the permission to ask an address for a page. It is given back by over.
type visit struct {
	*address
	owner  *addresses
	at     time.Time
	sent   bool   // it came to a request
	spoken bool   // the service has begun to answer
	giveUp func() // ends the request; nil while somebody waits for the answer
}

func (a *address) call(owner *addresses, now time.Time) *visit {
	a.pages.underWay++
	a.pages.unheard++
	return &visit{address: a, owner: owner, at: now}
}

// visitKey is where the context of a request has its visit.
type visitKey struct{}

// trace has the visit learn what becomes of the request.
func (v *visit) trace(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(context.WithValue(ctx, visitKey{}, v), &httptrace.ClientTrace{
		GetConn:              func(string) { v.update(func() { v.sent = true }) },
		GotFirstResponseByte: v.isAnswered,
	})
}

type dialer func(ctx context.Context, network, address string) (net.Conn, error)

// sparingly dials for a visit only where the address may be dialled.
func sparingly(dial dialer) dialer {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		if v, ok := ctx.Value(visitKey{}).(*visit); ok {
			if err := v.connects(); err != nil {
				return nil, err
			}
		}
		return dial(ctx, network, address)
	}
}

// connects says that no connection stands, and the address has to be dialled. The error says that it must not be.
func (v *visit) connects() (err error) {
	v.update(func() { err = v.countDial(time.Now()) })
	return err
}

// isAnswered says that the service begins to speak.
func (v *visit) isAnswered() {
	v.update(func() {
		v.spoken = true
		v.pages.answered(v.failing() != nil)
		if v.giveUp != nil {
			v.giveUp()
		}
	})
}

// leave says that nobody waits for the answer any longer.
func (v *visit) leave(giveUp func()) {
	v.update(func() {
		v.giveUp = giveUp
		if v.spoken {
			giveUp()
		}
	})
}

// over gives the visit back, with what came of it, and returns that without what is around it where the address was
// not dialled.
func (v *visit) over(err error) error {
	status, isStatus := asStatus(err)
	rest, rests := errors.AsType[*restingError](err)
	if rests {
		err = rest
	}
	v.update(func() {
		v.pages.underWay--
		switch {
		case v.spoken:
		case err == nil, isStatus && status.Status > 0:
			v.pages.answered(v.failing() != nil)
		case v.sent && !rests && !errors.Is(err, context.Canceled):
			v.pages.failed(v.at, err, v.owner.times)
			v.turn()
		default:
			v.pages.unheard = max(0, v.pages.unheard-1)
		}
		if isStatus && status.Status >= http.StatusInternalServerError {
			v.turn()
		}
	})
	return err
}

// turn has the next address asked for pages. Where there are streams, they decide that.
func (v *visit) turn() {
	if !slices.ContainsFunc(v.owner.list, func(a *address) bool { return a.followed }) {
		v.owner.turnFrom(v.address)
	}
}

func (v *visit) update(do func()) {
	v.owner.mu.Lock()
	defer v.owner.mu.Unlock()
	do()
	v.owner.wake()
}

// restingError is why an address is not asked for a page: it fails, and is left alone for a while.
type restingError struct {
	known error // what went wrong the last time
	until time.Time
	at    time.Time // when that was so
}

func (e *restingError) Error() string {
	wait := e.until.Sub(e.at)
	if wait <= 0 {
		return e.Known() + "; the next try is under way"
	}
	return fmt.Sprintf("%s; next try in %s", e.Known(), (wait + time.Second - 1).Truncate(time.Second))
}

// Known says what went wrong the last time.
func (e *restingError) Known() string { return words(e.known) }

// NextTry is until when the address is left alone.
func (e *restingError) NextTry() time.Time { return e.until }
