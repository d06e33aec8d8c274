package wire

import (
	"errors"
	"fmt"
	"sync/atomic"
)

// Limits bound the memory that a service can make a reader use.
type Limits struct {
	// MessageBytes is the limit of one message. A position that is shorter than its size in memory counts as that size.
	MessageBytes int64
	// Budget is shared by all readers. Nil is no limit.
	Budget *Budget
}

// smallMessage is the size up to which messages do not count against the budget.
const smallMessage = 1 << 20

// Budget bounds the memory of all large messages together, from when they are read until they are released. A message
// counts with its size as Limits.MessageBytes counts it; one of up to 1 MiB does not count. While a message is read, its
// text is in memory beside its positions. A Budget is safe for use by many goroutines.
type Budget struct {
	limit int64
	used  atomic.Int64
}

// NewBudget returns a budget of so many bytes.
func NewBudget(bytes int64) *Budget { return &Budget{limit: bytes} }

var (
	errTooLong    = errors.New("a message is longer than the limit")
	errOverBudget = errors.New("the large messages that are held take more memory than the limit")
)

// take takes bytes out of the budget, or returns an error where they are not there.
func (b *Budget) take(bytes int64) error {
	if b.used.Add(bytes) > b.limit {
		b.used.Add(-bytes)
		return fmt.Errorf("%w of %d bytes", errOverBudget, b.limit)
	}
	return nil
}

func (b *Budget) release(bytes int64) { b.used.Add(-bytes) }

// reservation is what one message takes of a budget. Nil takes nothing.
type reservation struct {
	budget *Budget
	bytes  int64
}

// grow takes what a message of so many bytes needs, in steps of smallMessage.
func (r *reservation) grow(total int64) error {
	if r == nil || r.budget == nil || total <= max(r.bytes, smallMessage) {
		return nil
	}
	more := total/smallMessage*smallMessage + smallMessage - r.bytes
	if err := r.budget.take(more); err != nil {
		return err
	}
	r.bytes += more
	return nil
}

func (r *reservation) release() {
	if r.bytes > 0 {
		r.budget.release(r.bytes)
	}
	*r = reservation{}
}
