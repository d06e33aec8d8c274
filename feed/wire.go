package feed

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"unsafe"

	"github.com/go-json-experiment/json/jsontext"

	"blotter/model"
)

// message is one message of the positions stream. Its slices are used again for the next one.
type message struct {
	isPage    bool // there is a snapshot page, perhaps without positions
	lastPage  bool
	page      []model.Position
	isUpdate  bool // there are updates, perhaps without positions
	updates   []model.Position
	complaint string // what an error in the stream says
	code      string // the number that it has for itself
	failed    bool   // there is an error in the message
}

// rowsReused is how many rows of memory a message keeps for the next one.
const rowsReused = 256

func (m *message) reset() {
	*m = message{page: emptied(m.page), updates: emptied(m.updates)}
}

func emptied(rows []model.Position) []model.Position {
	if cap(rows) > rowsReused {
		return nil
	}
	return rows[:0]
}

// errTooLong is why a stream with an endless message is dropped.
var errTooLong = errors.New("a message is longer than the limit")

// boundedReader fails a message that is longer than limit, so that no service can fill the memory.
type boundedReader struct {
	io.Reader
	limit, left int64
}

func (r *boundedReader) Read(p []byte) (int, error) {
	if r.left <= 0 {
		return 0, fmt.Errorf("%w of %d bytes", errTooLong, r.limit)
	}
	n, err := r.Reader.Read(p[:min(int64(len(p)), r.left)])
	r.left -= int64(n)
	return n, err
}

// decoder reads a sequence of messages, whatever white space lies between them or none, wherever the bytes
// are cut. Bad UTF-8, lone surrogates and repeated names are errors: two identifiers must not become one.
type decoder struct {
	json    *jsontext.Decoder
	bounded *boundedReader
	ids     model.Interner
	words   *vocabulary
	plain   []byte // an unquoted string that had escapes
	inside  []word // the members of a value that lead to what is being looked at
	secrets *secrets
}

func newDecoder(body io.Reader, limit int64) *decoder {
	bounded := &boundedReader{Reader: body, limit: limit, left: limit}
	// Repeated names are found by the vocabulary, which is twice as fast.
	return &decoder{json: jsontext.NewDecoder(bounded, jsontext.AllowDuplicateNames(true)), bounded: bounded, words: newVocabulary()}
}

// next reads one message into m. io.EOF says that the stream ended between two messages.
func (d *decoder) next(m *message) error {
	m.reset()
	d.bounded.left = d.bounded.limit
	err := d.object(func(w word) error {
		switch w {
		case wordResult:
			return d.result(m)
		case wordErrorObject:
			return d.complaint(m)
		}
		return d.errorField(m, w)
	})
	if m.failed = m.failed || m.complaint != "" && !m.isPage && !m.isUpdate; m.failed {
		m.complain()
	}
	return d.explain(err)
}

// errCut is why an answer that ends too early is not taken.
var errCut = errors.New("connection lost (the answer was cut short)")

// explain says of bytes that are no JSON what they begin with, because that tells a captive portal.
func (d *decoder) explain(err error) error {
	syntax, isSyntax := errors.AsType[*jsontext.SyntacticError](err)
	switch {
	case err == nil, err == io.EOF, errors.Is(err, errTooLong):
		return err
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errCut
	case isSyntax && syntax.ByteOffset == 0:
		return fmt.Errorf("the answer is not JSON; it begins with %q", oneLine(d.secrets.hide(d.json.UnreadBuffer())))
	case isSyntax:
		return fmt.Errorf("the service sent what is not JSON: %w", syntax.Err)
	}
	return err
}

// misfit says that something of another shape stands where the decoder is.
func (d *decoder) misfit(kind jsontext.Kind, want string) error {
	where := d.where()
	return fmt.Errorf("the service sent %s at %s where %s is expected", kindName(kind), where, want)
}

// where is the place of what the decoder is looking at.
func (d *decoder) where() string {
	var place []byte
	for name := range d.json.StackPointer().Tokens() {
		place = append(append(place, '/'), name...)
	}
	for _, w := range d.inside {
		place = append(append(place, '/'), strings.Trim(d.words.names[w], `"`)...)
	}
	return oneLine(d.secrets.hide(place))
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

func (d *decoder) result(m *message) error {
	return d.object(func(w word) error {
		switch w {
		case wordSnapshot:
			m.isPage = d.json.PeekKind() != 'n'
			return d.positions(&m.page, &m.lastPage)
		case wordUpdates:
			m.isUpdate = d.json.PeekKind() != 'n'
			return d.positions(&m.updates, nil)
		}
		return d.json.SkipValue()
	})
}

// positions reads a snapshot page or updates.
func (d *decoder) positions(into *[]model.Position, last *bool) error {
	return d.object(func(w word) error {
		switch w {
		case wordPositions:
			return d.composite('[', ']', func() error {
				*into = append(*into, model.Position{})
				return d.position(&(*into)[len(*into)-1])
			})
		case wordLastPage:
			value, err := d.json.ReadValue()
			if err != nil || last == nil {
				return err
			}
			return d.boolean(value, last)
		}
		return d.json.SkipValue()
	})
}

// positionBytes is what a position takes in memory. One that takes less on the wire counts as if it took that
// much, so that the limit of a message bounds the memory too.
const positionBytes = int64(unsafe.Sizeof(model.Position{}))

// position reads one position. What is absent or null keeps its zero: a service leaves zeros out.
func (d *decoder) position(p *model.Position) error {
	value, err := d.json.ReadValue()
	if err != nil {
		return err
	}
	if kind := value.Kind(); kind != '{' {
		return d.misfit(kind, "a position")
	}
	d.bounded.left -= max(0, positionBytes-int64(len(value)))
	return d.members(value, func(w word, value jsontext.Value) error { return d.positionField(p, w, value) })
}

// positionField reads the value of the field.
func (d *decoder) positionField(p *model.Position, w word, value jsontext.Value) error {
	switch w {
	case wordAverageEntryPrice:
		return d.number(p, model.AverageEntryPrice, value)
	case wordLossSocialisationAmount:
		return d.number(p, model.LossSocialisationAmount, value)
	case wordOpenVolume:
		return d.number(p, model.OpenVolume, value)
	case wordRealisedPnl:
		return d.number(p, model.RealisedPnl, value)
	case wordUnrealisedPnl:
		return d.number(p, model.UnrealisedPnl, value)
	case wordUpdatedAt:
		return d.number(p, model.UpdatedAt, value)
	case wordPartyID:
		return d.id(value, &p.Party)
	case wordMarketID:
		return d.id(value, &p.Market)
	case wordPositionStatus:
		text, present, err := d.scalar(value)
		if present {
			p.SetStatus(text)
		}
		return err
	}
	return nil
}

func (d *decoder) number(p *model.Position, field model.Field, value jsontext.Value) error {
	text, present, err := d.scalar(value)
	if present {
		p.ReadNumber(field, text)
	}
	return err
}
