package command

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"blotter/model"
	"blotter/model/event"
	"blotter/model/filter"
	"blotter/ui/command/cli"
	"blotter/ui/command/watch"
	"blotter/ui/export"
)

// eventsCommand prints what happens to positions.
type eventsCommand struct {
	*settings
	outputFlags
	formFlags
	recordFlags
	follow bool
}

func newEvents(s *settings) *cobra.Command {
	c := &eventsCommand{settings: s}
	command := &cobra.Command{
		Use:   "events",
		Short: "Print what happens to positions, once each",
		Long: "blotter events prints a line for each change of a position in size, status or loss socialisation, once, in the order in which they come. " +
			"The service keeps no past events: --follow prints those from now on, and --replay those of a recording.\n\n" +
			"After a lost connection the positions are compared with those before. Changes that are found in this way happened at the shown time " +
			"or before: the table marks the time with <=, and source is snapshot or audit, not update.",
		Example: `  blotter events --follow --demo
  blotter events --follow -o ndjson --filter "event:flipped|closed"
  blotter events --replay monday.zst -o csv`,
		RunE: func(command *cobra.Command, _ []string) error { return c.run(command.Context()) },
	}
	c.outputFlags.register(command)
	c.formFlags.register(command)
	command.Flags().BoolVar(&c.follow, "follow", false, "print events as they happen")
	c.replayed.register(command, "the events")
	c.recordFlags.register(command)
	s.registerFilter(command, "print only the events that match, such as \"event:closed|flipped market:btc\"")
	s.flags.register(command)
	return command
}

func (c *eventsCommand) run(ctx context.Context) error {
	format, err := c.outputFlags.check()
	switch {
	case err != nil:
		return err
	case !c.follow && c.replayed.file == "":
		return cli.UsageError("events: needs --follow, or --replay with a recording: the service keeps no past events")
	case c.follow && format == export.JSON:
		return cli.UsageError("--follow: needs -o table, csv or ndjson")
	}
	c.parseFilter = filter.ParseEvents
	if c.replayed.file != "" {
		return c.printReplayed(ctx, format)
	}
	timed, config, err := c.configureWithin(ctx, c.timeout)
	if err != nil {
		return err
	}
	defer config.close()
	source, err := c.newRecordedFeed(c.recordFlags, config)
	if err != nil {
		return err
	}
	w := c.newWatch(source, config, nil)
	printed := c.newPrintedEvents(config, format, w.Now)
	w.ObserveEvents(printed.addEvent)
	if err := w.Begin(timed, c.timeout); err != nil {
		return err
	}
	w.WarnOfUncompared()
	if err := printed.flush(w); err != nil {
		return err
	}
	return w.Follow(ctx, source, func() error { return printed.flush(w) })
}

func (c *eventsCommand) printReplayed(ctx context.Context, format export.Format) error {
	r, err := c.replayedAt(ctx, &c.replayed)
	if err != nil {
		return err
	}
	defer r.close()
	printed := c.newPrintedEvents(r.configuration, format, r.watch.Now)
	for _, e := range r.player.Events(r.at) {
		if r.scope.Covers(e.Key) {
			printed.addEvent(e)
		}
	}
	return errors.Join(printed.flush(r.watch), r.checkComplete())
}

// printedEvents are the events that match and are not printed yet.
type printedEvents struct {
	*export.EventWriter
	matches func(*event.Event) bool
	events  []event.Event
	// unscaled is called with how many numbers were written empty.
	unscaled func(int)
}

func (c *eventsCommand) newPrintedEvents(config *configuration, format export.Format, now func() time.Time) *printedEvents {
	return &printedEvents{
		EventWriter: export.NewEventWriter(c.stdout, format, c.options(config)), unscaled: c.warnOfUnscaled,
		matches: func(e *event.Event) bool {
			return config.query.MatchesEvent(e, filter.Context{Instruments: config.instruments, Now: now()})
		},
	}
}

// addEvent adds an event if it matches.
func (p *printedEvents) addEvent(e event.Event) {
	if p.matches(&e) {
		p.events = append(p.events, e)
	}
}

// flush prints the events in the order of time, and warns of changes without an event.
func (p *printedEvents) flush(w *watch.Watch) error {
	w.WarnOfMissed()
	sortByTime(p.events)
	err := p.Write(p.events)
	p.events = p.events[:0]
	p.unscaled(p.Unscaled())
	return cli.OutputError(err)
}

// sortByTime sorts events by time. Those of one position stay in their order: what a snapshot shows has the time at
// which it was seen, and the time of an update that came after the snapshot may be earlier.
func sortByTime(events []event.Event) {
	type timed struct {
		event.Event
		at time.Time
	}
	sorted, latest := make([]timed, len(events)), make(map[model.Key]time.Time)
	for i := range events {
		key := events[i].Key
		if at, _ := events[i].At(); at.After(latest[key]) {
			latest[key] = at
		}
		sorted[i] = timed{events[i], latest[key]}
	}
	slices.SortStableFunc(sorted, func(a, b timed) int { return a.at.Compare(b.at) })
	for i := range sorted {
		events[i] = sorted[i].Event
	}
}
