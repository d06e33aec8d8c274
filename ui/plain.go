package ui

import (
	"context"
	"slices"

	"blotter/model/view"
	"blotter/ui/plain"
	"blotter/ui/replay"
	"blotter/ui/status"
	"blotter/ui/store"
	"blotter/ui/views"
)

// NewPlain returns the program of --plain: it writes lines about the data of source until ctx is done. Each call of
// write gets some lines; it may block.
func NewPlain(ctx context.Context, source store.Source, options Options, write func(lines string) error) *plain.Program {
	options = options.withDefaults()
	options.Order, options.Group = view.Order{Column: view.TroubleColumn}, view.Ungrouped
	options.Views, options.SavedViews = views.WorstFirst(options.Views), views.WorstFirst(options.SavedViews)
	set := newViews(&options)
	beginWithView(&set, &options)
	notices := append(options.Notices, wrongFilter(&options), options.Remembered.Alerts.LeftOutWords(options.Alerts))
	notices = slices.DeleteFunc(notices, func(text string) bool { return text == "" })
	controls := replay.Controls{Clock: options.Replay}
	return plain.New(store.New(ctx, source, options.store()), plain.Options{
		Service: options.Service, Notices: notices, Text: options.Appearance.Text, Write: write,
		Connection: status.NewConnection(options.Extent.Rows(), controls.Words, replay.Rewind{}.Reach),
		Problem:    options.recordingError, Ended: controls.HasEnded, OnStats: options.OnStats,
	})
}
