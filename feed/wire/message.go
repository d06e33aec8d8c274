package wire

import "blotter/model"

// Message is one message of a positions stream. Its memory is used again by the next call of Reader.Next.
type Message struct {
	IsPage   bool // there is a page of the snapshot, perhaps without positions
	LastPage bool // the page is the last one of the snapshot
	Page     []model.Position
	IsUpdate bool // there are updates, perhaps without positions
	Updates  []model.Position
	Error    string // the text of an error in the stream, in one line and neutralised; empty if there is none

	held reservation
}

// HasContent reports whether the message has a position, the end of the snapshot or an error. An empty object has no
// content. An empty page has none either, except the last one.
func (m *Message) HasContent() bool {
	return len(m.Page) > 0 || m.LastPage || len(m.Updates) > 0 || m.Error != ""
}

// Release returns to the budget what the message took of it. The message must not be used afterwards, except for the
// next call of Reader.Next, which releases it too.
func (m *Message) Release() {
	m.held.release()
	if cap(m.Page) > rowsKept || cap(m.Updates) > rowsKept {
		m.Page, m.Updates = nil, nil
	}
}

// rowsKept is for how many positions a message keeps its memory.
const rowsKept = 256

// reset empties the message for the next one.
func (m *Message) reset(budget *Budget) {
	m.Release()
	*m = Message{Page: m.Page[:0], Updates: m.Updates[:0], held: reservation{budget: budget}}
}
