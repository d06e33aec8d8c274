package record

import "maps"

// maxHeld is how many bytes of a body are held back at most.
const maxHeld = 8 << 10

// hider hides tokens in events. A token may begin in one event and end in the next, so the end of the bytes that came
// is held back while it could be the beginning of a token, until more comes.
type hider struct {
	text func(string) string
	held map[int64][]byte // by request
}

func newHider(text func(string) string) *hider { return &hider{text, make(map[int64][]byte)} }

// hide returns the events that are to be written now in place of e.
func (h *hider) hide(e event) []event {
	switch e.Kind {
	case body:
		data := append(h.held[e.Request], e.data()...)
		whole := len(data) - trailing(data)
		if len(data)-whole > maxHeld {
			whole = len(data)
		}
		if h.held[e.Request] = append([]byte(nil), data[whole:]...); whole == 0 {
			return nil
		}
		e.setData([]byte(h.text(string(data[:whole]))))
	case ended:
		rest := h.held[e.Request]
		delete(h.held, e.Request)
		e.Error = h.text(e.Error)
		if len(rest) > 0 {
			last := event{At: e.At, Kind: body, Request: e.Request}
			last.setData([]byte(h.text(string(rest))))
			return []event{last, e}
		}
	case closed:
		var events []event
		for request := range maps.Clone(h.held) {
			events = append(events, h.hide(event{At: e.At, Kind: ended, Request: request, Left: true})...)
		}
		return append(events, e)
	default:
		e.Target = h.text(e.Target)
	}
	return []event{e}
}

// trailing returns how many bytes at the end could be part of a token, or of its base64 forms and escapes.
func trailing(data []byte) int {
	n := 0
	for n < len(data) && isTokenByte(data[len(data)-1-n]) {
		n++
	}
	return n
}

func isTokenByte(c byte) bool {
	return c > ' ' && c != '"' && c != '{' && c != '}' && c != ',' && c != 0x7f
}
