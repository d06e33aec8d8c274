package follow

import (
	"testing"
	"time"

	"blotter/model"
)

// TestASharedAuditOfAnotherAddressIsNotJoined: the stream was opened again, at another address, after the invitation.
func TestASharedAuditOfAnotherAddressIsNotJoined(t *testing.T) {
	f := New(Config{Times: DefaultTimes()}, model.Subscription{})
	f.link.Phase, f.link.Address = model.Live, "http://one.test"
	shared := newSharedAudit(f, time.Second)
	f.link.Address = "http://two.test"
	joinShared(t.Context(), f, shared)
	select {
	case <-shared.answered:
	default:
		t.Error("it waits for an answer")
	}
	if f.link.Auditing || len(shared.joined) > 0 {
		t.Error("it was joined")
	}
}
