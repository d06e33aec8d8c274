package feed

import (
	"bytes"
	"errors"
	"fmt"
	"io"

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
	failed    bool   // there is an error in the message
}

func (m *message) reset() {
	*m = message{page: m.page[:0], updates: m.updates[:0]}
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
	plain   []byte // an unquoted string that had escapes
}

func newDecoder(body io.Reader, limit int64) *decoder {
	bounded := &boundedReader{Reader: body, limit: limit, left: limit}
	return &decoder{json: jsontext.NewDecoder(bounded), bounded: bounded}
}

// next reads one message into m. io.EOF says that the stream ended between two messages.
func (d *decoder) next(m *message) error {
	m.reset()
	d.bounded.left = d.bounded.limit
	err := d.object(func(name []byte) error {
		switch string(name) {
		case "result":
			return d.result(m)
		case "error":
			return d.complaint(m)
		}
		return d.json.SkipValue()
	})
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
		return fmt.Errorf("the answer is not JSON; it begins with %q", oneLine(d.json.UnreadBuffer()))
	case isSyntax:
		return fmt.Errorf("the service sent what is not JSON: %w", syntax.Err)
	}
	return err
}

// object reads an object, or a null in its place, and calls member after each name.
func (d *decoder) object(member func(name []byte) error) error {
	return d.composite('{', '}', func() error {
		name, err := d.json.ReadValue()
		if err != nil {
			return err
		}
		text, err := d.unquote(name)
		if err != nil {
			return err
		}
		return member(text)
	})
}

// composite reads an object or an array, or a null in its place, and calls element while there are elements.
func (d *decoder) composite(open, end jsontext.Kind, element func() error) error {
	token, err := d.json.ReadToken()
	if err != nil {
		return err
	}
	switch token.Kind() {
	case 'n':
		return nil
	case open:
	default:
		return d.misfit(token.Kind(), kindName(open))
	}
	for d.json.PeekKind() != end {
		if err := element(); err != nil {
			return err
		}
	}
	_, err = d.json.ReadToken()
	return err
}

// misfit says that something of another shape stands where the decoder has just read.
func (d *decoder) misfit(kind jsontext.Kind, want string) error {
	where := oneLine([]byte(d.json.StackPointer()))
	return fmt.Errorf("the service sent %s at %s where %s is expected", kindName(kind), where, want)
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
	return d.object(func(name []byte) error {
		switch string(name) {
		case "snapshot":
			m.isPage = d.json.PeekKind() != 'n'
			return d.positions(&m.page, &m.lastPage)
		case "updates":
			m.isUpdate = d.json.PeekKind() != 'n'
			return d.positions(&m.updates, nil)
		}
		return d.json.SkipValue()
	})
}

// positions reads a snapshot page or updates.
func (d *decoder) positions(into *[]model.Position, last *bool) error {
	return d.object(func(name []byte) error {
		switch string(name) {
		case "positions":
			return d.composite('[', ']', func() error {
				*into = append(*into, model.Position{})
				return d.position(&(*into)[len(*into)-1])
			})
		case "lastPage":
			if last != nil {
				return d.boolean(last)
			}
		}
		return d.json.SkipValue()
	})
}

// boolean reads true or false, perhaps as a text.
func (d *decoder) boolean(into *bool) error {
	value, err := d.json.ReadValue()
	if err != nil {
		return err
	}
	switch string(bytes.Trim(value, `"`)) {
	case "true":
		*into = true
	case "false", "null":
		*into = false
	default:
		return d.misfit(value.Kind(), "true or false")
	}
	return nil
}

// position reads one position. What is absent or null keeps its zero: a service leaves zeros out.
func (d *decoder) position(p *model.Position) error {
	if kind := d.json.PeekKind(); kind != '{' {
		d.json.SkipValue()
		return d.misfit(kind, "a position")
	}
	if _, err := d.json.ReadToken(); err != nil {
		return err
	}
	for d.json.PeekKind() != '}' {
		name, err := d.json.ReadValue()
		if err != nil {
			return err
		}
		if err := d.positionField(p, name); err != nil {
			return err
		}
	}
	_, err := d.json.ReadToken()
	return err
}

// positionField reads the value of the field whose quoted name is given.
func (d *decoder) positionField(p *model.Position, name []byte) error {
	switch string(name) {
	case `"averageEntryPrice"`:
		return d.number(p, model.AverageEntryPrice)
	case `"lossSocialisationAmount"`:
		return d.number(p, model.LossSocialisationAmount)
	case `"openVolume"`:
		return d.number(p, model.OpenVolume)
	case `"realisedPnl"`:
		return d.number(p, model.RealisedPnl)
	case `"unrealisedPnl"`:
		return d.number(p, model.UnrealisedPnl)
	case `"updatedAt"`:
		return d.number(p, model.UpdatedAt)
	case `"partyId"`:
		return d.id(&p.Party)
	case `"marketId"`:
		return d.id(&p.Market)
	case `"positionStatus"`:
		text, present, err := d.scalar()
		if present {
			p.SetStatus(text)
		}
		return err
	}
	return d.json.SkipValue()
}

func (d *decoder) number(p *model.Position, field model.Field) error {
	text, present, err := d.scalar()
	if present {
		p.SetNumber(field, model.ParseAmount(text))
	}
	return err
}

func (d *decoder) amount(into *model.Amount) error {
	text, present, err := d.scalar()
	if present {
		*into = model.ParseAmount(text)
	}
	return err
}

func (d *decoder) id(into *model.ID) error {
	text, present, err := d.scalar()
	if present {
		*into = d.ids.ID(text)
	}
	return err
}

// scalar reads a string or a number as its text stands there, until the next read. It is not present where
// there is a null.
func (d *decoder) scalar() (text []byte, present bool, err error) {
	value, err := d.json.ReadValue()
	if err != nil {
		return nil, false, err
	}
	switch kind := value.Kind(); kind {
	case '"':
		text, err = d.unquote(value)
		return text, err == nil, err
	case '0':
		return value, true, nil
	case 'n':
		return nil, false, nil
	default:
		return nil, false, d.misfit(kind, "a text or a number")
	}
}

// unquote is the text of a quoted string.
func (d *decoder) unquote(quoted []byte) ([]byte, error) {
	if len(quoted) >= 2 && bytes.IndexByte(quoted, '\\') < 0 {
		return quoted[1 : len(quoted)-1], nil
	}
	var err error
	d.plain, err = jsontext.AppendUnquote(d.plain[:0], quoted)
	return d.plain, err
}
