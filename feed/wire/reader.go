package wire

import (
	"io"

	"blotter/model"
)

// Reader reads the messages of a positions stream, however the bytes are cut.
type Reader struct {
	scanner
	budget *Budget
	ids    model.Interner

	places    []place // of the values of positions
	different int     // how many positions were written in another way
	values    []span  // of the last position that was read member by member
}

// NewReader returns a reader of the messages in body.
func NewReader(body io.Reader, limits Limits) *Reader {
	return &Reader{scanner: scanner{input: input{body: body, limit: limits.MessageBytes}}, budget: limits.Budget}
}

// Next reads one message into m, whose memory it uses again. It returns io.EOF if the stream ended between two
// messages. The text of any other error is one line; nothing can be read after it.
func (r *Reader) Next(m *Message) error {
	m.reset(r.budget)
	r.beginValue(&m.held)
	var e errorObject
	for o := r.object(); r.member(o); {
		switch o.name {
		case "result":
			r.result(m)
		default:
			r.errorMember(o.name, &e)
		}
	}
	if e.present || !m.IsPage && !m.IsUpdate {
		m.Error = e.text()
	}
	return r.end()
}

// Size returns how many bytes the last message has, with the white space before it.
func (r *Reader) Size() int { return r.at }

// Buffered reports whether bytes of a further message, other than white space, have been read already.
func (r *Reader) Buffered() bool { return !isBlank(r.text[r.at:]) }

func (r *Reader) result(m *Message) {
	for o := r.object(); r.member(o); {
		switch o.name {
		case "snapshot":
			m.IsPage = r.peek() != 'n'
			m.LastPage = r.positions(&m.Page)
		case "updates":
			m.IsUpdate = r.peek() != 'n'
			r.positions(&m.Updates)
		default:
			r.skip()
		}
	}
}

// positions reads a page of the snapshot or updates, and reports whether it is the last page.
func (r *Reader) positions(into *[]model.Position) (last bool) {
	for o := r.object(); r.member(o); {
		switch o.name {
		case "positions":
			for a := r.array(); r.element(a); {
				*into = append(*into, model.Position{})
				r.position(&(*into)[len(*into)-1])
			}
		case "lastPage":
			last = r.boolean()
		default:
			r.skip()
		}
	}
	return last
}

// longestKept is how long the identifiers may be that a reader remembers, so that no service can fill the memory with
// them.
const longestKept = 256

func (r *Reader) id() model.ID {
	text, _ := r.scalar()
	return r.intern(text)
}

func (r *Reader) intern(text []byte) model.ID {
	if len(text) > longestKept {
		return model.MakeID(string(text))
	}
	return r.ids.ID(text)
}
