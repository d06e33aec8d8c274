package modeltest

import (
	"fmt"
	"time"

	"blotter/model"
)

// LinkOf returns the link of a subscription that has a freshness at now. It panics if it knows no such link.
func LinkOf(freshness model.Freshness, now time.Time) model.Link {
	link := map[model.Freshness]model.Link{
		model.FreshLive:    {Committed: true, MessageAt: now, Phase: model.Live},
		model.FreshQuiet:   {Committed: true, MessageAt: now.Add(-20 * time.Second), Phase: model.Live},
		model.FreshPartial: {Partial: true, MessageAt: now, Phase: model.Live},
		model.FreshBehind: {Committed: true, MessageAt: now, Phase: model.Live,
			Lag: model.Lag{By: 90 * time.Second, Shown: model.LagOfRows}},
		model.FreshConnecting: {},
		model.FreshStale:      {Committed: true, StaleSince: now.Add(-time.Minute), Phase: model.Waiting},
	}[freshness]
	if is, _ := link.Freshness(now); is != freshness {
		panic(fmt.Sprintf("LinkOf has no link that is %s: it would be %s", freshness, is))
	}
	return link
}
