// Package doctor finds what is wrong with the addresses of a service, and what to do about it. It requests one margin
// record from each address (doctor.go), and a snapshot of each subscription, with all streams side by side (trial.go,
// positions.go). It sends the requests with package endpoint, and reads the snapshots with package follow.
package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"blotter/feed/endpoint"
	"blotter/model"
)

// Finding is one thing that was found about a service.
type Finding struct {
	About  string    // what was checked, in a word or two
	Of     model.Key // the subscription that it is about, if several were tried
	Detail string    // what was found
	Advice string    // what to do about it; empty if nothing needs to be done, or nothing can be done
	Err    error     // what is wrong; nil if blotter can work
}

// DegradedError is the error if a service works in part.
type DegradedError struct {
	Words string // what works and what does not
	Err   error  // the worst failure
}

func (e *DegradedError) Error() string { return e.Words + ": " + endpoint.Describe(e.Err) }
func (e *DegradedError) Unwrap() error { return e.Err }

// Doctor examines the addresses of a Pool.
type Doctor struct {
	Pool            *endpoint.Pool
	SnapshotSilence time.Duration // without progress of a snapshot: its stream is closed
	Report          func(Finding) // called with each finding, by the goroutine of Examine
}

// Examine checks every address in turn and reports what it finds: the name, the connection, TLS, credentials, margin
// levels, the node, the positions of the subscriptions, and the clocks. The streams of all subscriptions are open side
// by side, as many as the service allows. The addresses share the time that ctx leaves. The error is nil if an address
// works; else a *DegradedError if one works in part; else what failed at the first address.
func (d *Doctor) Examine(ctx context.Context, subscriptions []model.Subscription) error {
	var degraded, failed error
	works := false
	addresses := d.Pool.Inspections()
	for i, address := range addresses {
		ctx, cancel := part(ctx, len(addresses)-i)
		err := d.examineAddress(ctx, address, subscriptions)
		cancel()
		_, inPart := errors.AsType[*DegradedError](err)
		switch {
		case err == nil:
			works = true
		case errors.Is(err, context.Canceled): // the caller has cancelled it
			return err
		case inPart:
			degraded = cmp.Or(degraded, err)
		default:
			failed = cmp.Or(failed, err)
		}
	}
	if works {
		return nil
	}
	return cmp.Or(degraded, failed)
}

// part returns a context that ends after one of the given number of equal parts of the time that is left.
func part(ctx context.Context, parts int) (context.Context, context.CancelFunc) {
	if deadline, ok := ctx.Deadline(); ok && parts > 1 {
		return context.WithTimeout(ctx, time.Until(deadline)/time.Duration(parts))
	}
	return context.WithCancel(ctx)
}

// examineAddress tries both operations of an address. One may work if the other does not, unless the credentials are
// the problem: streams can be opened while a service allows no pages.
func (d *Doctor) examineAddress(ctx context.Context, address endpoint.Inspection, subscriptions []model.Subscription) error {
	d.Report(Finding{About: "address", Detail: address.Address()})
	var updatedAt, timestamp model.TimeUnits
	defer func() { d.reportTimes(&updatedAt, &timestamp) }()
	marginsErr, reached := d.examineMargins(ctx, address, &timestamp)
	if marginsErr != nil && !reached {
		return marginsErr
	}
	positionsErr := d.examinePositions(ctx, address, subscriptions, marginsErr == nil, &updatedAt)
	degraded, inPart := errors.AsType[*DegradedError](positionsErr)
	switch {
	case marginsErr == nil:
		return positionsErr
	case positionsErr == nil:
		return &DegradedError{"positions work, margin levels do not", marginsErr}
	case inPart:
		return &DegradedError{degraded.Words + ", and margin levels do not work", worse(marginsErr, degraded.Err)}
	}
	return worse(marginsErr, positionsErr)
}

// worse returns the worse of two failures: a refusal, because trying again does not help, or else the first.
func worse(one, other error) error {
	if one == nil || endpoint.OutcomeOf(other).IsRefusal() {
		return other
	}
	return one
}

// examineMargins requests one margin record, and reports each step of the request. It returns whether the service
// was reached and accepted the credentials. It adds how the time of the record is written.
func (d *Doctor) examineMargins(ctx context.Context, address endpoint.Inspection, timestamp *model.TimeUnits) (err error, reached bool) {
	ctx, cancel := part(ctx, 2) // the other half is for positions
	defer cancel()
	recorder := &stepRecorder{start: time.Now()}
	page, err := address.Page(recorder.trace(ctx))
	steps := recorder.done()
	switch {
	case address.IsEncrypted():
	case address.IsLocal():
		steps.tls = "not encrypted, and need not be: the service is on this machine"
	default:
		steps.tls = "not encrypted"
	}
	for _, step := range []Finding{{About: "name", Detail: steps.name}, {About: "connection", Detail: steps.connection},
		{About: "TLS", Detail: steps.tls}} {
		if step.Detail != "" {
			d.Report(step)
		}
	}
	if errors.Is(err, context.Canceled) {
		return err, false
	}
	if err != nil {
		f := failure("margin levels", err)
		if steps.connection == "" && errors.Is(err, context.DeadlineExceeded) {
			f.About, f.Detail, f.Advice = "connection", "no connection in time", "check the host and port, and the network"
		}
		d.Report(f)
		return err, f.About == "margin levels"
	}
	d.Report(Finding{About: "credentials", Detail: credentials(address)})
	for i := range page.Rows {
		timestamp.Add(page.Rows[i].Timestamp)
	}
	record := "a record"
	if len(page.Rows) == 0 {
		record = "no record: the service has none"
	}
	d.Report(Finding{About: "margin levels", Detail: fmt.Sprintf("response after %s, with %s", steps.response, record)})
	if !page.Block.Time.IsZero() {
		d.Report(nodeFinding(page.Node))
	}
	return nil, true
}

// reportTimes reports how the service writes times, and one of each field that is not understood.
func (d *Doctor) reportTimes(updatedAt, timestamp *model.TimeUnits) {
	f := Finding{About: "times"}
	var words []string
	for field, times := range map[string]*model.TimeUnits{model.UpdatedAt.Name(): updatedAt, "timestamp": timestamp} {
		if units := times.String(); units != "" {
			words = append(words, field+" in "+units)
		}
		if odd, found := times.Odd(); found {
			words = append(words, fmt.Sprintf("%s %.40q is not understood", field, odd.String()))
			f.Advice = "rows with such a time have no age; seconds, milliseconds, microseconds, nanoseconds and RFC 3339 are understood, from 1990 to 2099"
		}
	}
	if len(words) == 0 {
		return
	}
	slices.Sort(words)
	slices.Reverse(words) // updatedAt comes first
	f.Detail = strings.Join(words, "; ")
	d.Report(f)
}

// failure returns the finding of a request that failed: about a step before the operation, or about the operation
// itself.
func failure(operation string, err error) Finding {
	about := cmp.Or(endpoint.StepOf(err), endpoint.Step(operation))
	return Finding{About: string(about), Detail: endpoint.Describe(err), Advice: endpoint.Advice(err), Err: err}
}

// credentials describes the credentials that the service has accepted.
func credentials(address endpoint.Inspection) string {
	switch {
	case address.SendsToken():
		return "the token was sent and accepted"
	case address.HasCertificate():
		return "no token; a certificate is shown to a service that requires one"
	}
	return "none were sent, and none were required"
}

// nodeFinding describes the node that sent a response.
func nodeFinding(node endpoint.Node) Finding {
	f := Finding{About: "node", Detail: fmt.Sprintf("its block %d is %s", node.Block.Height, age(node.Block.Time))}
	if node.Lag > 0 {
		f.Advice = "the node is behind, and so is all that it sends: ask its operator"
	}
	return f
}

// age returns how long ago a time was by this machine's clock.
func age(at time.Time) string {
	since := time.Since(at).Round(time.Millisecond)
	if since < 0 {
		return (-since).String() + " ahead of this machine's clock"
	}
	return since.String() + " old by this machine's clock"
}
