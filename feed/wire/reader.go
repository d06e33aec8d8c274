package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unsafe"

	"github.com/go-json-experiment/json/jsontext"

	"blotter/model"
)

// Reader reads the messages of a positions stream, wherever the bytes are cut.
type Reader struct {
	json    *jsontext.Decoder
	bounded *boundedReader
	ids     model.Interner
	fields  *fields
	plain   []byte    // an unquoted string that had escapes
	inside  []fieldID // the fields of a value that lead to what is being looked at
}

// NewReader returns a reader of the messages in body.
func NewReader(body io.Reader, limits Limits) *Reader {
	bounded := &boundedReader{Reader: body, limits: limits, left: limits.MessageBytes}
	return &Reader{json: jsontext.NewDecoder(bounded, jsontext.AllowDuplicateNames(true)), bounded: bounded, fields: newFields()}
}

// Next reads one message into m, whose memory it uses again. It returns io.EOF where the stream ended between two
// messages. Any other error says in one line what is wrong with the stream; nothing can be read after it.
func (r *Reader) Next(m *Message) error {
	m.reset()
	m.budget = r.bounded.limits.Budget
	r.bounded.message = m
	r.bounded.left = r.bounded.limits.MessageBytes
	var said errorObject
	err := r.object(func(id fieldID) error {
		switch id {
		case fieldResult:
			return r.result(m)
		case fieldErrorObject:
			return r.errorObject(&said)
		}
		return r.errorField(&said, id)
	})
	if said.present || !m.IsPage && !m.IsUpdate {
		m.Error = said.text()
	}
	return r.explain(err)
}

// Buffered reports whether bytes of a further message, other than white space, have been read already.
func (r *Reader) Buffered() bool { return len(bytes.TrimLeft(r.json.UnreadBuffer(), " \t\r\n")) > 0 }

// boundedReader fails a message that is longer than the limit or the budget.
type boundedReader struct {
	io.Reader
	limits  Limits
	left    int64
	message *Message // it takes from the budget; nil where there is none
}

func (r *boundedReader) Read(p []byte) (int, error) {
	if r.left <= 0 {
		return 0, fmt.Errorf("%w of %d bytes", errTooLong, r.limits.MessageBytes)
	}
	if err := r.take(r.limits.MessageBytes - r.left); err != nil {
		return 0, err
	}
	n, err := r.Reader.Read(p[:min(int64(len(p)), r.left)])
	r.left -= int64(n)
	return n, err
}

// take takes what the message uses so far out of the budget, in steps of smallMessage.
func (r *boundedReader) take(used int64) error {
	if r.message == nil || r.limits.Budget == nil || used <= max(r.message.taken, smallMessage) {
		return nil
	}
	more := used/smallMessage*smallMessage + smallMessage - r.message.taken
	if err := r.limits.Budget.take(more); err != nil {
		return err
	}
	r.message.taken += more
	return nil
}

// errCut is why an answer that ends too early is refused.
var errCut = errors.New("connection lost (the answer was cut short)")

// explain replaces the errors of jsontext. For bytes that are not JSON the error says what they begin with: a captive
// portal is recognised by that.
func (r *Reader) explain(err error) error {
	syntax, isSyntax := errors.AsType[*jsontext.SyntacticError](err)
	switch {
	case err == nil, err == io.EOF, errors.Is(err, errTooLong):
		return err
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errCut
	case isSyntax && syntax.ByteOffset == 0:
		return fmt.Errorf("the answer is not JSON; it begins with %q", OneLine(r.json.UnreadBuffer()))
	case isSyntax:
		return fmt.Errorf("the service sent what is not JSON: %w", syntax.Err)
	}
	return err
}

// misfit says that something of another shape stands where the Reader is.
func (r *Reader) misfit(kind jsontext.Kind, want string) error {
	where := r.where()
	return fmt.Errorf("the service sent %s at %s where %s is expected", kindName(kind), where, want)
}

// where is the place of what the Reader is looking at.
func (r *Reader) where() string {
	var place []byte
	for name := range r.json.StackPointer().Tokens() {
		place = append(append(place, '/'), name...)
	}
	for _, id := range r.inside {
		place = append(append(place, '/'), strings.Trim(r.fields.names[id], `"`)...)
	}
	return OneLine(place)
}

func kindName(kind jsontext.Kind) string {
	switch kind {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a text"
	case '0':
		return "a number"
	case 't', 'f':
		return "true or false"
	}
	return kind.String()
}

func (r *Reader) result(m *Message) error {
	return r.object(func(id fieldID) error {
		switch id {
		case fieldSnapshot:
			m.IsPage = r.json.PeekKind() != 'n'
			return r.positions(&m.Page, &m.LastPage)
		case fieldUpdates:
			m.IsUpdate = r.json.PeekKind() != 'n'
			return r.positions(&m.Updates, nil)
		}
		return r.json.SkipValue()
	})
}

// positions reads a snapshot page or updates.
func (r *Reader) positions(into *[]model.Position, last *bool) error {
	return r.object(func(id fieldID) error {
		switch id {
		case fieldPositions:
			return r.composite('[', ']', func() error {
				*into = append(*into, model.Position{})
				return r.position(&(*into)[len(*into)-1])
			})
		case fieldLastPage:
			value, err := r.json.ReadValue()
			if err != nil || last == nil {
				return err
			}
			return r.boolean(value, last)
		}
		return r.json.SkipValue()
	})
}

// positionBytes is what a position takes in memory. One that takes less on the wire counts as if it took that
// much, so that the limit of a message bounds the memory too.
const positionBytes = int64(unsafe.Sizeof(model.Position{}))

// position reads one position. What is absent or null keeps its zero: a service leaves zeros out.
func (r *Reader) position(p *model.Position) error {
	value, err := r.json.ReadValue()
	if err != nil {
		return err
	}
	if kind := value.Kind(); kind != '{' {
		return r.misfit(kind, "a position")
	}
	r.bounded.left -= max(0, positionBytes-int64(len(value)))
	return r.members(value, func(id fieldID, value jsontext.Value) error { return r.positionField(p, id, value) })
}

// positionField reads the value of the field.
func (r *Reader) positionField(p *model.Position, id fieldID, value jsontext.Value) error {
	switch id {
	case fieldAverageEntryPrice:
		return r.number(p, model.AverageEntryPrice, value)
	case fieldLossSocialisationAmount:
		return r.number(p, model.LossSocialisationAmount, value)
	case fieldOpenVolume:
		return r.number(p, model.OpenVolume, value)
	case fieldRealisedPnl:
		return r.number(p, model.RealisedPnl, value)
	case fieldUnrealisedPnl:
		return r.number(p, model.UnrealisedPnl, value)
	case fieldUpdatedAt:
		return r.number(p, model.UpdatedAt, value)
	case fieldPartyID:
		return r.id(value, &p.Party)
	case fieldMarketID:
		return r.id(value, &p.Market)
	case fieldPositionStatus:
		text, present, err := r.scalar(value)
		if present {
			p.SetStatus(text)
		}
		return err
	}
	return nil
}

func (r *Reader) number(p *model.Position, field model.Field, value jsontext.Value) error {
	text, present, err := r.scalar(value)
	if present {
		p.ReadNumber(field, text)
	}
	return err
}
