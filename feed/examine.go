package feed

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http/httptrace"
	"net/url"
	"strings"
	"time"

	"blotter/model"
)

// Finding is one thing that Examine found out about a service.
type Finding struct {
	About  string // what was looked at, in a word or two
	Detail string // what there is
	Advice string // what to do about it, where something is wrong
	Err    error  // what is wrong; nil where nothing is
}

// examination asks one address everything once.
type examination struct {
	feed *Feed
	base *url.URL
	tell func(Finding)
}

// Examine looks at every address of the service in turn, as a person would who wants to know why there is nothing
// on the screen, and tells what it finds. The error is of the last address that failed where none is well.
func (f *Feed) Examine(ctx context.Context, scope model.Scope, tell func(Finding)) error {
	ctx, cancel := f.bounded(ctx)
	defer cancel()
	var failure error
	well := false
	for _, address := range f.addresses.list {
		e := &examination{feed: f, base: address.base, tell: tell}
		tell(Finding{About: "address", Detail: address.base.String()})
		err := e.margins(ctx)
		if err == nil {
			err = e.positions(ctx, scope.Subscriptions(nil, 0)[0].Key)
		}
		if err != nil {
			failure = err
			continue
		}
		well = true
	}
	if well {
		return nil
	}
	return failure
}

// margins asks for one margin record, and tells all that there is on the way to it.
func (e *examination) margins(ctx context.Context) error {
	var resolved, connected, secured, first string
	start := time.Now()
	since := func() string { return time.Since(start).Round(time.Millisecond).String() }
	traced := httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		DNSDone: func(info httptrace.DNSDoneInfo) {
			var hosts []string
			for _, address := range info.Addrs {
				hosts = append(hosts, address.String())
			}
			resolved = strings.Join(hosts, ", ")
		},
		ConnectDone: func(_, address string, err error) {
			if err == nil {
				connected = fmt.Sprintf("to %s after %s", address, since())
			}
		},
		TLSHandshakeDone: func(state tls.ConnectionState, err error) {
			if err == nil && len(state.PeerCertificates) > 0 {
				secured = fmt.Sprintf("%s, certificate of %s until %s", tls.VersionName(state.Version),
					oneLine([]byte(state.PeerCertificates[0].Subject.CommonName)), state.PeerCertificates[0].NotAfter.Format(time.DateOnly))
			}
		},
		GotFirstResponseByte: func() { first = since() },
	})
	page, err := e.feed.client.page(traced, e.base, url.Values{"pagination.first": {"1"}})
	for _, step := range []struct{ about, detail string }{
		{"resolved", resolved}, {"connected", connected}, {"TLS", secured}, {"first byte", first},
	} {
		if step.detail != "" {
			e.tell(Finding{About: step.about, Detail: step.detail})
		}
	}
	if e.base.Scheme == "http" {
		e.tell(Finding{About: "TLS", Detail: "none: the address begins with http://"})
	}
	if err != nil {
		e.tell(Finding{About: "margin levels", Detail: words(err), Err: err, Advice: advice(err)})
		return err
	}
	e.tell(Finding{About: "margin levels", Detail: fmt.Sprintf("answered, %d of the first 1 record", len(page.rows))})
	if !page.block.Time.IsZero() {
		e.tell(Finding{About: "node", Detail: fmt.Sprintf("block %d, %s behind this machine's clock", page.block.Height, age(page.block.Time))})
	}
	return nil
}

func age(at time.Time) string { return time.Since(at).Round(time.Millisecond).String() }

// positions reads one snapshot.
func (e *examination) positions(ctx context.Context, key model.Key) error {
	ctx, cancel := context.WithTimeoutCause(ctx, e.feed.config.Times.SnapshotSilence, errNoSnapshot)
	defer cancel()
	start := time.Now()
	session := e.feed.open(ctx, e.base, key)
	defer session.close()
	var newest time.Time
	rows, first := 0, time.Duration(0)
	for {
		select {
		case <-ctx.Done():
			return e.snapshotFailed(context.Cause(ctx), rows)
		case r := <-session.reports:
			if r.err != nil {
				return e.snapshotFailed(causeOf(ctx, r.err), rows)
			}
			if r.connected {
				continue
			}
			if first == 0 {
				first = time.Since(start)
			}
			rows += len(r.message.page)
			newest = newestOf(r.message.page, newest)
			whole := r.message.lastPage || r.message.isUpdate
			session.done(r.message)
			if whole {
				e.tellSnapshot(rows, session.bytes.Load(), first, time.Since(start), newest)
				return nil
			}
		}
	}
}

func (e *examination) snapshotFailed(err error, rows int) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	e.tell(Finding{About: "positions", Detail: fmt.Sprintf("%s, after %d positions", words(err), rows), Err: err, Advice: advice(err)})
	return err
}

func (e *examination) tellSnapshot(rows int, bytes int64, first, whole time.Duration, newest time.Time) {
	e.tell(Finding{About: "positions", Detail: fmt.Sprintf("snapshot of %d positions, %d bytes, the first message after %s, whole after %s",
		rows, bytes, first.Round(time.Millisecond), whole.Round(time.Millisecond))})
	if !newest.IsZero() {
		e.tell(Finding{About: "clock", Detail: fmt.Sprintf("the newest position was updated %s before this machine's time", age(newest))})
	}
}

// newestOf is the latest time of an update, so far.
func newestOf(rows []model.Position, newest time.Time) time.Time {
	for i := range rows {
		if nanoseconds, ok := rows[i].Number(model.UpdatedAt).Int64(); ok && nanoseconds > 0 {
			if at := time.Unix(0, nanoseconds); at.After(newest) {
				newest = at
			}
		}
	}
	return newest
}

// advice is what to do about what went wrong.
func advice(err error) string {
	status, isStatus := asStatus(err)
	switch {
	case !isStatus && strings.Contains(words(err), "certificate"):
		return "check the address, or name the authority with service.ca_file"
	case !isStatus:
		return "check the address and port, and that the service runs"
	case status.Status == 401 || status.Status == 403 && status.RetryAfter == 0:
		return "check the token: $BLOTTER_TOKEN, service.token_file or service.token_command"
	case status.Status == 404:
		return "check the path of the address: the operations are looked for below it"
	case status.RetryAfter > 0 || status.Status == 429:
		return fmt.Sprintf("wait %s: the service limits this address", status.RetryAfter.Round(time.Second))
	case status.Status >= 500:
		return "the service has a fault of its own; try again later"
	}
	return ""
}
