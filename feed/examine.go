package feed

import (
	"context"

	"blotter/feed/doctor"
	"blotter/model"
)

// Examine checks every address of the service, and calls report with each finding. See doctor.Doctor.Examine.
func (f *Feed) Examine(ctx context.Context, scope model.Scope, report func(doctor.Finding)) error {
	ctx, cancel := f.bounded(ctx)
	defer cancel()
	d := doctor.Doctor{Pool: f.pool, SnapshotSilence: f.config.Times.SnapshotSilence, Report: report}
	return d.Examine(ctx, scope.Subscriptions(nil, 0))
}
