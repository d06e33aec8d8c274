package record

import (
	"maps"
	"net/http"
	"slices"

	"blotter/feed/secrets"
)

// hider hides secrets in all texts of events, just before they are written.
type hider struct {
	secrets *secrets.Hider
	bodies  map[int64]*secrets.Stream // by request
}

func newHider(known *secrets.Hider) *hider { return &hider{known, make(map[int64]*secrets.Stream)} }

// hide returns the events that are to be written now in place of e.
func (h *hider) hide(e event) []event {
	e.Address, e.Target, e.Error = h.secrets.Hide(e.Address), h.secrets.Hide(e.Target), h.secrets.Hide(e.Error)
	e.Header = h.header(e.Header)
	if e.Kind != body {
		e.Text = h.secrets.Hide(e.Text)
	}
	switch e.Kind {
	case body:
		if h.bodies[e.Request] == nil {
			h.bodies[e.Request] = h.secrets.NewStream()
		}
		data := h.bodies[e.Request].Next(e.data())
		if len(data) == 0 {
			return nil
		}
		e.setData(data)
	case ended:
		if rest := h.rest(e.Request); len(rest) > 0 {
			last := event{At: e.At, Kind: body, Request: e.Request}
			last.setData(rest)
			return []event{last, e}
		}
	case closed:
		var events []event
		for _, request := range slices.Sorted(maps.Keys(h.bodies)) {
			events = append(events, h.hide(event{At: e.At, Kind: ended, Request: request, Left: true})...)
		}
		return append(events, e)
	}
	return []event{e}
}

// rest returns what was held back of a body that has ended.
func (h *hider) rest(request int64) []byte {
	stream := h.bodies[request]
	if stream == nil {
		return nil
	}
	delete(h.bodies, request)
	return stream.End()
}

// header hides secrets in the names and values of a header.
func (h *hider) header(header http.Header) http.Header {
	hidden := make(http.Header, len(header))
	for name, values := range header {
		name = h.secrets.Hide(name)
		for _, value := range values {
			hidden[name] = append(hidden[name], h.secrets.Hide(value))
		}
	}
	return hidden
}
