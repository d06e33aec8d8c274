package sim

import (
	"context"
	"net/http"
	"time"
)

// Response is a response that a script sets in place of the response of the service.
type Response struct {
	// Status is the HTTP status; 0 sends nothing at all, not even headers, until the client cancels the request or the
	// stream is ended.
	Status int

	// Header is added to the headers of the response. A Content-Type in it replaces application/json.
	Header http.Header

	// Body is sent as it is.
	Body string

	// Trailer is sent after Body, unless Open, Cut or Every keep the body from ending.
	Trailer http.Header

	// Delay is the time before the response.
	Delay time.Duration

	// Open leaves the body open after Body: on a stream for Raw, Cut and the like, but without updates; elsewhere until
	// the client cancels the request.
	Open bool

	// Every is Open, and sends Body again at this interval.
	Every time.Duration

	// Cut closes the connection after Body, in the middle of the response.
	Cut bool
}

// Always, as the number of times, keeps a response until it is taken back.
const Always = -1

type scriptedResponse struct {
	Response
	times int // how often it is still to be sent
}

// SetStreamResponse sets the response to the given number of the next stream requests, after those of earlier calls.
// With 0 times, all that are still to come are taken back.
func (of *scripted) SetStreamResponse(times int, response Response) {
	of.schedule(&of.script.streamResponses, times, response)
}

// SetMarginResponse sets the response to the given number of the next requests for margin levels, as SetStreamResponse
// does for streams.
func (of *scripted) SetMarginResponse(times int, response Response) {
	of.schedule(&of.script.marginResponses, times, response)
}

func (of *scripted) schedule(responses *[]scriptedResponse, times int, response Response) {
	of.open.lock.Lock()
	defer of.open.lock.Unlock()
	if times == 0 {
		*responses = nil
		return
	}
	*responses = append(*responses, scriptedResponse{response, times})
}

// nextResponse returns the scripted response for the current request, if there is one.
func (of *scripted) nextResponse(responses *[]scriptedResponse) (Response, bool) {
	of.open.lock.Lock()
	defer of.open.lock.Unlock()
	if len(*responses) == 0 {
		return Response{}, false
	}
	first := &(*responses)[0]
	response := first.Response
	if first.times > 0 {
		first.times--
	}
	if first.times == 0 {
		*responses = (*responses)[1:]
	}
	return response, true
}

// writeScripted writes the scripted response. The caller leaves it open, repeats it or cuts it, if it is to be.
func (o *responseWriter) writeScripted(ctx context.Context, a Response) error {
	if err := sleep(ctx, a.Delay); err != nil {
		return err
	}
	if a.Status == 0 {
		return nil
	}
	for name, values := range a.Header {
		o.w.Header()[http.CanonicalHeaderKey(name)] = values
	}
	o.start(a.Status)
	if _, err := o.Write([]byte(a.Body)); err != nil {
		return err
	}
	if a.staysOpen() || a.Cut || len(a.Trailer) > 0 {
		if err := o.flush(); err != nil {
			return err
		}
	}
	for name, values := range a.Trailer {
		o.w.Header()[http.TrailerPrefix+name] = values
	}
	return nil
}

func (a Response) staysOpen() bool { return a.Open || a.Every > 0 || a.Status == 0 }

// sleep waits, and returns the error of the context if that ends first.
func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return nil
	}
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
