package feed

import (
	"cmp"
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
	About  string    // what was looked at, in a word or two
	Of     model.Key // the subscription that it is about, where several were tried
	Detail string    // what there is
	Advice string    // what to do about it, where something is not as it should be
	Err    error     // what is wrong; nil where blotter can do with what there is
}

// examination asks one address everything once.
type examination struct {
	feed *Feed
	base *url.URL
	tell func(Finding)

	marginsFailure error // what was wrong with the margin levels
}

// PartlyWellError says of a service that it does some of what it should, and what the worst of its failures is.
type PartlyWellError struct {
	Words string // what is well and what is not
	Err   error
}

func (e *PartlyWellError) Error() string { return e.Words + ": " + words(e.Err) }
func (e *PartlyWellError) Unwrap() error { return e.Err }

// Examine looks at every address of the service in turn, as a person would who wants to know why there is nothing
// on the screen, and tells what it finds. Of a large scope it tries the first subscriptions. Where no address is well
// the error is a *PartlyWellError of the first that tells some positions at least, or else what failed first.
func (f *Feed) Examine(ctx context.Context, scope model.Scope, tell func(Finding)) error {
	ctx, cancel := f.bounded(ctx)
	defer cancel()
	var partly, failure error
	well := false
	for _, address := range f.addresses.list {
		e := &examination{feed: f, base: address.base, tell: tell}
		err := e.run(ctx, scope.Subscriptions(nil, 0))
		_, tellsPositions := errors.AsType[*PartlyWellError](err)
		switch {
		case err == nil:
			well = true
		case tellsPositions:
			partly = cmp.Or(partly, err)
		default:
			failure = cmp.Or(failure, err)
		}
	}
	if well {
		return nil
	}
	return cmp.Or(partly, failure)
}

// run tries both operations: an answer to the one, whatever it is, says nothing of the other, but for one to who
// asks or how often.
func (e *examination) run(ctx context.Context, subscriptions []model.Subscription) error {
	failure := e.margins(ctx)
	if failure != nil && (place(failure) != answerPlace || askedToWait(failure) > 0 || ctx.Err() != nil) {
		return failure
	}
	e.marginsFailure = failure
	err := e.streams(ctx, subscriptions)
	if failure != nil && err == nil {
		return &PartlyWellError{"positions are well, margin levels are not", failure}
	}
	if partly, ok := errors.AsType[*PartlyWellError](err); ok && failure != nil {
		return &PartlyWellError{partly.Words + ", and margin levels are not well", worse(failure, partly.Err)}
	}
	return worse(failure, err)
}

// worse is the failure that trying again helps less with; the first of equals.
func worse(one, other error) error {
	if one == nil || isRefusal(other) && !isRefusal(one) {
		return other
	}
	return one
}

// isRefusal tells whether the service said no, for good.
func isRefusal(err error) bool {
	status, ok := asStatus(err)
	return ok && !status.Retryable()
}

// way is what there was on the way to an answer.
type way struct {
	start                               time.Time
	resolved, connected, secured, first string
}

func (w *way) since() string { return time.Since(w.start).Round(100 * time.Microsecond).String() }

// trace has the way noted.
func (w *way) trace(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		DNSDone: func(info httptrace.DNSDoneInfo) {
			var hosts []string
			for _, address := range info.Addrs {
				hosts = append(hosts, address.String())
			}
			w.resolved = strings.Join(hosts, ", ")
		},
		ConnectDone: func(_, address string, err error) {
			if err == nil {
				w.connected = fmt.Sprintf("to %s, after %s", address, w.since())
			}
		},
		TLSHandshakeDone: func(state tls.ConnectionState, err error) {
			if err == nil && len(state.PeerCertificates) > 0 {
				certificate := state.PeerCertificates[0]
				w.secured = fmt.Sprintf("%s, with the certificate of %q, good until %s", tls.VersionName(state.Version),
					oneLine([]byte(certificate.Subject.CommonName)), certificate.NotAfter.Format(time.DateOnly))
			}
		},
		GotFirstResponseByte: func() { w.first = w.since() },
	})
}

// margins asks for one margin record, and tells all that there is on the way to it.
func (e *examination) margins(ctx context.Context) error {
	e.tell(Finding{About: "address", Detail: e.base.String()})
	w := &way{start: time.Now()}
	page, err := e.feed.client.page(w.trace(ctx), e.base, url.Values{"pagination.first": {"1"}})
	for _, step := range []struct{ about, detail string }{
		{"name", w.resolved}, {"connection", w.connected}, {"TLS", w.secured},
	} {
		if step.detail != "" {
			e.tell(Finding{About: step.about, Detail: step.detail})
		}
	}
	if e.base.Scheme == "http" {
		e.tell(Finding{About: "TLS", Detail: e.inClear()})
	}
	if err != nil {
		e.tell(e.failure("margin levels", err))
		return err
	}
	e.tell(Finding{About: "credentials", Detail: e.credentials()})
	records := "a record"
	if len(page.rows) == 0 {
		records = "no record: there is none"
	}
	e.tell(Finding{About: "margin levels", Detail: fmt.Sprintf("answered after %s, with %s", w.first, records)})
	if !page.block.Time.IsZero() {
		e.tell(nodeFinding(page.block))
	}
	return nil
}

// failure is where on the way to an operation it failed, or else that the operation did.
func (e *examination) failure(operation string, err error) Finding {
	f := Finding{About: place(err), Detail: words(err), Err: err, Advice: advice(err)}
	if status, ok := asStatus(err); ok {
		f.Detail = status.Error()
	}
	if f.About == answerPlace {
		f.About = operation
	}
	if isMissing(err) && isMissing(e.marginsFailure) {
		f.Advice = "check the path of the address: the operations are looked for below it"
	}
	return f
}

// inClear is what it means that there is no TLS.
func (e *examination) inClear() string {
	if isLoopback(e.base.Hostname()) {
		return "none, and none is needed: the service is on this machine"
	}
	return "none: whoever is on the way can read along"
}

// credentials are what the service knows who asks by. It took them.
func (e *examination) credentials() string {
	switch config := &e.feed.config; {
	case config.Token != nil:
		return "the token was sent and not refused"
	case config.TLS != nil && len(config.TLS.Certificates) > 0:
		return "no token; a certificate is shown to a service that asks"
	}
	return "none are sent, and none were asked for"
}

// aheadFor is how far a service's clock may be ahead of this machine's before that is said.
const aheadFor = 2 * time.Second

func nodeFinding(block model.Block) Finding {
	f := Finding{About: "node", Detail: fmt.Sprintf("its block %d is %s", block.Height, age(block.Time))}
	if block.Lag(time.Now()) > 0 {
		f.Advice = "the node lags: what it tells is as old; ask whoever runs it"
	}
	return f
}

// age is how long ago something was by this machine's clock.
func age(at time.Time) string {
	since := time.Since(at).Round(time.Millisecond)
	if since < 0 {
		return (-since).String() + " ahead of this machine's clock"
	}
	return since.String() + " old by this machine's clock"
}
