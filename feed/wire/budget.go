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
// counts with its size as Limits.MessageBytes counts it; one of up to 1 MiB does not count. While a message is read,
// its text is in memory beside its positions. A Budget is safe for use by many goroutines.
type Budget struct {
	limit int64
	used  atomic.Int64
}

// NewBudget returns a budget of the given number of bytes.
func NewBudget(bytes int64) *Budget { return &Budget{limit: bytes} }

// The errors of messages that are too large for the limits.
var (
	ErrTooLong    = errors.New("a message is longer than the limit")
	ErrOverBudget = errors.New("the large messages that are held take more memory than the limit")
)

// reservation is what one message takes of a budget. Nil takes nothing.
type reservation struct {
	budget *Budget
	bytes  int64
}

// grow takes what a message of the given number of bytes needs, or returns an error if the budget does not have it.
func (r *reservation) grow(bytes int64) error {
	if r == nil || r.budget == nil || bytes <= max(r.bytes, smallMessage) {
		return nil
	}
	more := bytes - r.bytes
	if r.budget.used.Add(more) > r.budget.limit {
		r.budget.used.Add(-more)
		return fmt.Errorf("%w of %d bytes", ErrOverBudget, r.budget.limit)
	}
	r.bytes = bytes
	return nil
}

func (r *reservation) release() {
	if r.budget != nil {
		r.budget.used.Add(-r.bytes)
	}
	*r = reservation{}
}
