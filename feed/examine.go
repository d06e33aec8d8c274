package feed

import (
	"context"

	"blotter/feed/doctor"
	"blotter/model"
)

// Examine looks at every address of the service, as a person would who wants to know why nothing is shown, and tells
// what it finds. See doctor.Doctor.Examine.
func (f *Feed) Examine(ctx context.Context, scope model.Scope, tell func(doctor.Finding)) error {
	ctx, cancel := f.bounded(ctx)
	defer cancel()
	d := doctor.Doctor{Pool: f.pool, SnapshotSilence: f.config.Times.SnapshotSilence, Tell: tell}
	return d.Examine(ctx, scope.Subscriptions(nil, 0))
}
