package wire

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unsafe"

	"blotter/model"
)

func TestHasContent(t *testing.T) {
	for text, want := range map[string]bool{
		`{}`:                         false,
		`{"result":{}}`:              false,
		`{"result":{"snapshot":{}}}`: false,
		`{"result":{"updates":{}}}`:  false,
		`{"result":{"snapshot":{"positions":[],"lastPage":false}}}`: false,
		`{"result":{"updates":{"positions":[]}}}`:                   false,
		`{"unknown":{"positions":[{}]}}`:                            false,
		`{"result":{"snapshot":{"lastPage":true}}}`:                 true,
		`{"result":{"snapshot":{"positions":[{}]}}}`:                true,
		`{"result":{"updates":{"positions":[{}]}}}`:                 true,
		`{"error":{}}`:     true,
		`{"message":"no"}`: true,
	} {
		var m Message
		if err := NewReader(strings.NewReader(text), testLimits).Next(&m); err != nil || m.HasContent() != want {
			t.Errorf("%s: has content %t, %v", text, m.HasContent(), err)
		}
	}
}

// largeMessage is an update of about the given number of bytes.
func largeMessage(size int) []byte {
	position := []byte(`{"unknown":"` + strings.Repeat("x", 1000) + `"},`)
	return append(append([]byte(`{"result":{"updates":{"positions":[`), bytes.Repeat(position, size/len(position))...), `{}]}}}`...)
}

// TestBudget: large messages count from when they are read until they are released. Small ones never count.
func TestBudget(t *testing.T) {
	large := largeMessage(3 << 20)
	budget := NewBudget(8 << 20)
	read := func(text []byte) (*Message, error) {
		m := new(Message)
		return m, NewReader(bytes.NewReader(text), Limits{MessageBytes: 64 << 20, Budget: budget}).Next(m)
	}
	first, err := read(large)
	second, err2 := read(large)
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	third, err := read(large)
	if err == nil || !strings.Contains(err.Error(), "limit of 8388608 bytes") {
		t.Errorf("a third large message: %v", err)
	}
	if _, err := read(largeMessage(900 << 10)); err != nil {
		t.Errorf("a small message: %v", err)
	}
	third.Release() // what it had taken until it failed
	first.Release()
	if _, err := read(large); err != nil {
		t.Errorf("after the release of a large message: %v", err)
	}
	second.Release()
	second.Release()
	if used := budget.used.Load(); used != int64(len(large))+int64(unsafe.Sizeof(model.Position{}))-2 {
		t.Errorf("%d bytes are taken while one large message of %d is held", used, len(large))
	}
}

// TestNextReleases: a message that is used again releases what it took before.
func TestNextReleases(t *testing.T) {
	budget := NewBudget(5 << 20)
	body := &repeated{text: largeMessage(3 << 20)}
	r := NewReader(body, Limits{MessageBytes: 64 << 20, Budget: budget})
	var m Message
	for range 5 {
		if err := r.Next(&m); err != nil {
			t.Fatal(err)
		}
	}
	m.Release()
	if used := budget.used.Load(); used != 0 {
		t.Errorf("%d bytes are still taken", used)
	}
}

// TestBuffered: bytes of a further message count, white space between messages does not.
func TestBuffered(t *testing.T) {
	for _, c := range []struct {
		text string
		want []bool // after each message
	}{
		{"{}", []bool{false}},
		{"{} \r\n\t", []bool{false}},
		{"{}\n{}", []bool{true, false}},
		{"{}{}\n{", []bool{true, true}},
	} {
		r := NewReader(strings.NewReader(c.text), testLimits)
		for i, want := range c.want {
			if err := r.Next(new(Message)); err != nil || r.Buffered() != want {
				t.Errorf("%q, after %d messages: %t, %v", c.text, i+1, r.Buffered(), err)
			}
		}
	}
}

// TestWholeMessagesAreNotDelayed: a message is returned when its last brace has come.
func TestWholeMessagesAreNotDelayed(t *testing.T) {
	errLater := errors.New("the reader waits for a byte after the message")
	for _, text := range []string{onePage, oneUpdate, "{}", "null", "\n{} "[:3], `{"x":"\""}`, `{"error":{"message":"m"}}`} {
		r := NewReader(io.MultiReader(iotest.OneByteReader(strings.NewReader(text)), iotest.ErrReader(errLater)), testLimits)
		if err := r.Next(new(Message)); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if err := r.Next(new(Message)); !errors.Is(err, errLater) {
			t.Errorf("%s: the next message is %v", text, err)
		}
	}
}
