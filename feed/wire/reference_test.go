package wire

import (
	"bytes"
	"cmp"
	"io"
	"iter"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/go-json-experiment/json/jsontext"

	"blotter/model"
)

// The reference reads the same as the scanner, in the simplest way: jsontext reads each JSON value into a tree, and the
// reference looks up names in the tree.

// tree is a JSON value.
type tree struct {
	kind     jsontext.Kind
	text     string // of a text or a number
	elements []tree
	names    []string // of elements
}

// refused is the panic of the reference if a value has to be refused.
type refused struct{}

func readTree(d *jsontext.Decoder) (t tree) {
	token, err := d.ReadToken()
	if err != nil {
		panic(refused{})
	}
	t.kind = token.Kind()
	switch t.kind {
	case '"', '0':
		t.text = token.String()
	case '{', '[':
		for k := d.PeekKind(); k != '}' && k != ']'; k = d.PeekKind() {
			if t.kind == '{' {
				t.names = append(t.names, readTree(d).text)
			}
			t.elements = append(t.elements, readTree(d))
		}
		if _, err := d.ReadToken(); err != nil {
			panic(refused{})
		}
	}
	return t
}

// members returns the members of an object or of a null.
func (t tree) members() iter.Seq2[string, tree] {
	if t.kind != '{' && t.kind != 'n' {
		panic(refused{})
	}
	for i, name := range t.names {
		if slices.Contains(knownNames[:], name) && slices.Contains(t.names[:i], name) {
			panic(refused{})
		}
	}
	return func(yield func(string, tree) bool) {
		for i, name := range t.names {
			if !yield(name, t.elements[i]) {
				return
			}
		}
	}
}

// array returns the elements of an array or of a null.
func (t tree) array() []tree {
	if t.kind != '[' && t.kind != 'n' {
		panic(refused{})
	}
	return t.elements
}

func (t tree) scalar() (string, bool) {
	if t.kind != '"' && t.kind != '0' && t.kind != 'n' {
		panic(refused{})
	}
	return t.text, t.kind != 'n'
}

func (t tree) boolean() bool {
	switch word := cmp.Or(t.text, t.kind.String()); word {
	case "true":
		return true
	case "false", "null":
		return false
	}
	panic(refused{})
}

func (t tree) rows() (rows []model.Position, last bool) {
	for name, value := range t.members() {
		switch name {
		case "positions":
			for _, row := range value.array() {
				rows = append(rows, row.position())
			}
		case "lastPage":
			last = value.boolean()
		}
	}
	return rows, last
}

func (t tree) position() (p model.Position) {
	if t.kind != '{' {
		panic(refused{})
	}
	numbers := map[string]model.Field{
		"averageEntryPrice": model.AverageEntryPrice, "lossSocialisationAmount": model.LossSocialisationAmount, "openVolume": model.OpenVolume,
		"realisedPnl": model.RealisedPnl, "unrealisedPnl": model.UnrealisedPnl, "updatedAt": model.UpdatedAt,
	}
	for name, value := range t.members() {
		if field, ok := numbers[name]; ok {
			if text, ok := value.scalar(); ok {
				p.SetNumber(field, model.ParseAmount(text))
			}
			continue
		}
		switch name {
		case "partyId":
			text, _ := value.scalar()
			p.Party = model.MakeID(text)
		case "marketId":
			text, _ := value.scalar()
			p.Market = model.MakeID(text)
		case "positionStatus":
			if text, ok := value.scalar(); ok {
				p.SetStatus([]byte(text))
			}
		}
	}
	return p
}

func (t tree) errorWords(e *errorObject) {
	switch t.kind {
	case '"':
		e.addText([]byte(t.text))
	case '[':
		for _, element := range t.elements {
			element.errorWords(e)
		}
	case '{':
		for name, value := range t.members() {
			value.errorMember(name, e)
		}
	}
}

func (t tree) errorMember(name string, e *errorObject) {
	switch name {
	case "error":
		e.present = t.kind != 'n'
		t.errorWords(e)
	case "message", "inner", "details":
		t.errorWords(e)
	case "code":
		if e.code == "" && t.kind != '{' && t.kind != '[' && t.kind != 'n' {
			e.code = OneLine([]byte(cmp.Or(t.text, t.kind.String())))
		}
	}
}

func (t tree) message() (m Message) {
	var e errorObject
	for name, value := range t.members() {
		if name != "result" {
			value.errorMember(name, &e)
			continue
		}
		for name, value := range value.members() {
			switch name {
			case "snapshot":
				m.IsPage = value.kind != 'n'
				m.Page, m.LastPage = value.rows()
			case "updates":
				m.IsUpdate = value.kind != 'n'
				m.Updates, _ = value.rows()
			}
		}
	}
	if e.present || !m.IsPage && !m.IsUpdate {
		m.Error = e.text()
	}
	return m
}

// referenceMessages returns the lines of the messages in text, and whether the text ends between two messages.
func referenceMessages(text []byte) (lines []string, whole bool) {
	defer func() {
		if r := recover(); r != nil && r != any(refused{}) {
			panic(r)
		}
	}()
	d := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowDuplicateNames(true))
	for d.PeekKind() != 0 {
		m := readTree(d).message()
		lines = append(lines, m.line())
	}
	_, err := d.ReadToken()
	return lines, err == io.EOF
}

// oddMember matches a member that the reference refuses, and the reader may read: its value is neither a text, a number
// nor null. See TestABadValueTakesOneField.
var oddMember = regexp.MustCompile(`"\s*:\s*([A-Za-z+.\-]|0\d|[0-9][0-9A-Za-z+.\-]*[A-Za-z+.\-_]|\d+_|\{|\[)`)

// checkAgainstReference reads text with the reader, whole and cut, and with the reference. The results must be equal.
// If the text has an odd member, those of the reader must be.
func checkAgainstReference(t *testing.T, text []byte, cut int) {
	want, wholeValues := referenceMessages(text)
	if got, err := messages(bytes.NewReader(text)); !wholeValues && len(got) >= len(want) && oddMember.Match(text) {
		want, wholeValues = got, err == io.EOF
	}
	for how, body := range map[string]io.Reader{
		"whole":        bytes.NewReader(text),
		"cut":          io.MultiReader(bytes.NewReader(text[:cut]), bytes.NewReader(text[cut:])),
		"byte by byte": iotest.OneByteReader(bytes.NewReader(text)),
	} {
		got, err := messages(body)
		if !slices.Equal(got, want) || (err == io.EOF) != wholeValues {
			t.Fatalf("%q, %s, cut at %d: %q, %v; the reference has %q, to the end %t", text, how, cut, got, err, want, wholeValues)
		}
		if strings.ContainsAny(err.Error(), "\x1b\n\x00") {
			t.Errorf("%q: the text is %q", text, err)
		}
	}
}

// seeds returns texts of every form.
func seeds() map[string]bool {
	texts := map[string]bool{onePage + "\n" + oneUpdate: true, `{"result":{"snapshot":{"lastPage":true}}}{}`: true, onePage + " null \n": true}
	for _, c := range forms {
		texts[c.text] = true
	}
	for _, c := range refusedForms {
		texts[c.text[:min(len(c.text), 300)]] = true
	}
	return texts
}

// TestReference changes single bytes of texts of every form. The reader refuses and reads the same as the reference.
func TestReference(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	const bytesOfInterest = "\"\\{}[]:,0123456789-+.eEtfnu \n\t\x00\x1f\x7f\x80\xc3\xff"
	for _, seed := range slices.Sorted(maps.Keys(seeds())) {
		checkAgainstReference(t, []byte(seed), random.IntN(len(seed)+1))
		for at := range seed {
			changed := []byte(seed)
			switch c := bytesOfInterest[random.IntN(len(bytesOfInterest))]; random.IntN(3) {
			case 0:
				changed[at] = c
			case 1:
				changed = slices.Insert(changed, at, c)
			default:
				changed = slices.Delete(changed, at, min(len(changed), at+1+random.IntN(3)))
			}
			checkAgainstReference(t, changed, random.IntN(len(changed)+1))
		}
	}
}

// TestDepth is as deep as the reference goes, and one deeper.
func TestDepth(t *testing.T) {
	for _, depth := range []int{maxDepth - 1, maxDepth} {
		arrays := []byte(`{"x":` + strings.Repeat("[", depth) + strings.Repeat("]", depth) + "}")
		objects := []byte(strings.Repeat(`{"x":`, depth+1) + "1" + strings.Repeat("}", depth+1))
		_, wholeArrays := referenceMessages(arrays)
		_, err := messages(bytes.NewReader(arrays))
		_, wholeObjects := referenceMessages(objects)
		_, err2 := messages(bytes.NewReader(objects))
		if whole := depth < maxDepth; wholeArrays != whole || wholeObjects != whole || (err == io.EOF) != whole || (err2 == io.EOF) != whole {
			t.Errorf("depth %d: %v, %v; the reference reads %t, %t", depth+1, err, err2, wholeArrays, wholeObjects)
		}
	}
}

// FuzzReader compares the reader with the reference.
func FuzzReader(f *testing.F) {
	for seed := range seeds() {
		f.Add([]byte(seed), uint(len(seed)/2))
	}
	f.Fuzz(func(t *testing.T, text []byte, cut uint) {
		checkAgainstReference(t, text, int(cut%uint(len(text)+1)))
		if message := ErrorText(text); strings.ContainsAny(message, "\x1b\n\x00") {
			t.Errorf("%q: the text is %q", text, message)
		}
		_, err := ReadMarginPage(bytes.NewReader(text), 1<<20)
		if err == nil && !jsontext.Value(text).IsValid(jsontext.AllowDuplicateNames(true)) && !oddMember.Match(text) {
			t.Errorf("%q is read as a page of margin levels", text)
		}
	})
}
