package endpoint

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// TestPause: a pause ends with the first of what it waits for. A time that has passed since it was computed is over.
func TestPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		errEnd := errors.New("end")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Hour, func() { cancel(errEnd) })
		changed := make(chan struct{})
		time.AfterFunc(time.Minute, func() { close(changed) })
		for _, c := range []struct {
			until   time.Time
			changed chan struct{}
			want    time.Duration
			err     error
		}{
			{time.Now().Add(-time.Second), changed, 0, nil},
			{time.Now().Add(time.Second), changed, time.Second, nil},
			{time.Now().Add(time.Hour), changed, time.Minute - time.Second, nil},
			{time.Time{}, nil, 59 * time.Minute, errEnd},
		} {
			began := time.Now()
			if err := Pause(ctx, c.until, c.changed); err != c.err || time.Since(began) != c.want {
				t.Errorf("%+v: %v after %s", c, err, time.Since(began))
			}
		}
	})
}
