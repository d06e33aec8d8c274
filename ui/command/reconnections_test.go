package command

import (
	"time"

	"blotter/feed/sim"
	"blotter/model"
	"blotter/model/view"
)

// reconnection is a service beside which streams are opened again.
type reconnection struct {
	name    string
	isLong  bool // it is not in the short test
	rows    int  // 0 is 20
	parties int  // that are watched; 0 is all
	lasts   int  // how many seconds rows change after each reconnect
	by      watchedBy

	isStill        bool // nothing changes after each reconnect
	isNeverAudited bool
	goesBack       bool // the times do not show which state is newer: that of the last snapshot or audit stands
	isReset        bool // a row that is closed stands open, marked, until its older times are believed

	prepare func(*reconnecting)                // before the program starts
	stamp   func(*reconnecting, *sim.Position) // sets the time of a state; nil if that is the time of the change
	happens func(r *reconnecting, round int)   // just after many rows have changed
}

// watchedBy is what is between the feed and the screen.
type watchedBy uint8

const (
	directly    watchedBy = iota
	throughDesk           // a session of a desk, which is behind, so that it gets a copy of the rows
	ofPast                // the past of the program is measured
	ofRecording           // its recording is
)

var reconnections = []reconnection{
	{name: "1 s older", isLong: true, lasts: 40, prepare: older(1), happens: cut},
	{name: "2 s older", isLong: true, lasts: 40, prepare: older(2), happens: cut},
	{name: "4 s older", lasts: 40, prepare: older(4), happens: cut},
	{name: "4 s older, 4 parties", isLong: true, parties: 4, lasts: 40, prepare: older(4), happens: cut},
	{name: "2 s older, no flat rows", lasts: 40, prepare: withoutFlat(2), happens: cut},
	{name: "4 s older, no flat rows", isLong: true, lasts: 40, prepare: withoutFlat(4), happens: cut},
	{name: "60 s behind", lasts: 60, prepare: behind(time.Minute), happens: reachLast},
	{name: "60 s behind, sticky", isLong: true, lasts: 60, prepare: behind(time.Minute), happens: stayAtLast},
	{name: "lost a change, sticky", isStill: true, lasts: 60, prepare: behind(0), happens: loseChange},
	{name: "backup, stands still", isLong: true, isStill: true, lasts: 150, happens: restore},
	{name: "backup, goes on", isLong: true, lasts: 150, happens: restore},
	{name: "reset, counts from 1", isLong: true, isReset: true, lasts: 900, stamp: counted, happens: reset},
	{name: "settled markets", isLong: true, lasts: 150, prepare: older(2), happens: settle},
	{name: "settled markets, no flat rows", isLong: true, lasts: 150, prepare: withoutFlat(2), happens: settle},
	{name: "times equal", isLong: true, goesBack: true, lasts: 40, prepare: older(2), stamp: equalTimes, happens: cut},
	{name: "times absent", isLong: true, goesBack: true, lasts: 40, prepare: older(2), stamp: noTimes, happens: cut},
	{name: "times in seconds", isLong: true, lasts: 40, prepare: older(2), stamp: inSeconds, happens: cut},
	{name: "times in RFC 3339", isLong: true, lasts: 40, prepare: older(2), stamp: asText, happens: cut},
	{name: "times 3 s ahead", isLong: true, lasts: 40, prepare: older(2), stamp: ahead(3 * time.Second), happens: cut},
	{name: "times a minute ahead", isLong: true, goesBack: true, lasts: 40, prepare: older(2), stamp: ahead(time.Minute), happens: cut},
	{name: "changes of scope", lasts: 40, prepare: older(4), happens: changeScope},
	{name: "a screen that takes nothing", lasts: 40, prepare: older(4), happens: takeNothing},
	{name: "audits never", lasts: 100, isNeverAudited: true, prepare: older(4), happens: cut},
	{name: "120,000 rows", isLong: true, rows: 120_000, lasts: 60, prepare: older(4), happens: cut},
	{name: "5,000 rows", isLong: true, rows: 5_000, lasts: 60, prepare: older(2), happens: cut},
	{name: "desk", lasts: 40, by: throughDesk, prepare: older(4), happens: takeNothing},
	{name: "rewind", lasts: 40, by: ofPast, prepare: older(4), happens: cut},
	{name: "replay", lasts: 40, by: ofRecording, prepare: older(4), happens: cut},
}

// older makes snapshots older by some seconds than the updates before them.
func older(by time.Duration) func(*reconnecting) {
	return func(r *reconnecting) { r.node.AgeSnapshots(by * time.Second) }
}

// withoutFlat does the same, and makes the service list no flat rows.
func withoutFlat(by time.Duration) func(*reconnecting) {
	return func(r *reconnecting) {
		r.node.SetSnapshots(sim.Snapshots{NoFlat: true})
		r.node.AgeSnapshots(by * time.Second)
	}
}

// behind starts three nodes. The last one is behind, and the first one is reached first.
func behind(lag time.Duration) func(*reconnecting) {
	return func(r *reconnecting) {
		r.node.StartReplicas(0, 0, lag)
		r.node.Route([]int{0, 1}, []int{0, 1})
	}
}

func cut(r *reconnecting, _ int) { r.node.Cut() }

// reachLast opens the streams at the last node. Later connections reach any node.
func reachLast(r *reconnecting, round int) {
	r.node.Route([]int{2}, []int{0})
	r.node.Cut()
	r.wait(3 * time.Second)
	r.node.RouteConnections(uint64(round) + 1)
}

// stayAtLast opens the streams at the last node, which all later requests reach.
func stayAtLast(r *reconnecting, _ int) {
	r.node.Route([]int{2}, []int{2})
	r.node.Cut()
}

// loseChange lets the last node miss a change of two rows, and opens the streams there, where they stay.
func loseChange(r *reconnecting, round int) {
	if round > 0 {
		return
	}
	r.node.SkipChanges(2, time.Second)
	r.change(2)
	r.wait(2 * time.Second)
	stayAtLast(r, round)
}

// restore restores a backup of ten seconds ago.
func restore(r *reconnecting, _ int) {
	var sent []sim.Position
	now := time.Now()
	for i := range r.table {
		row := &r.table[i]
		for n, state := range row.states {
			isOfBackup := n+1 == len(row.states) || now.Sub(row.states[n+1].since) < 10*time.Second
			if !isOfBackup {
				continue
			}
			if n+1 < len(row.states) {
				state.since = now
				row.states, row.mayComeAgain[state.number] = append(row.states, state), true
				sent = append(sent, state.sent)
			}
			break
		}
	}
	r.node.Put(sent...)
	r.node.Cut()
}

// reset removes all rows, and begins to count again.
func reset(r *reconnecting, _ int) {
	r.began = time.Now()
	r.removeRows(func(*reconnectRow) bool { return true })
	r.change(len(r.table))
	r.node.Cut()
}

// settle removes the rows of the first two markets. Nothing is sent to the streams.
func settle(r *reconnecting, round int) {
	r.removeRows(func(row *reconnectRow) bool { return row.key.Market == rowID(round) })
	r.node.Cut()
}

// removeRows removes rows of the service.
func (r *reconnecting) removeRows(isOver func(*reconnectRow) bool) {
	for i := range r.table {
		if row := &r.table[i]; isOver(row) {
			row.isGone, row.mayComeAgain[0] = true, true
			r.node.Remove(sim.Key{Party: row.key.Party.String(), Market: row.key.Market.String()})
		}
	}
}

// changeScope shows one party alone, whose rows have just changed, and all of them some seconds later.
func changeScope(r *reconnecting, round int) {
	settings := r.s.Settings()
	narrow := settings
	narrow.Scope = model.Scope{Parties: []model.ID{rowID(round)}}
	r.setScope(narrow)
	r.pass(2, 1)
	r.change(len(r.table) / 3)
	r.wait(300 * time.Millisecond)
	r.setScope(settings)
}

func (r *reconnecting) setScope(settings view.Settings) { r.s.start(r.s.Set(settings)) }

// takeNothing cuts the streams while the screen takes nothing.
func takeNothing(r *reconnecting, _ int) {
	r.takesNothing = true
	r.pass(5, 2)
	r.node.Cut()
	r.pass(5, 2)
	r.takesNothing = false
}

// counted sets the seconds since the beginning, from 1 on, as the time of a state.
func counted(r *reconnecting, p *sim.Position) {
	p.UpdatedAt = 1 + int64(time.Since(r.began)/time.Second)
}

// equalTimes sets the same time for all states.
func equalTimes(r *reconnecting, p *sim.Position) { p.UpdatedAt = r.began.UnixNano() }

func noTimes(_ *reconnecting, p *sim.Position) { p.UpdatedAt = sim.NoTime }

func inSeconds(_ *reconnecting, p *sim.Position) { p.UpdatedAt = time.Now().Unix() }

func asText(_ *reconnecting, p *sim.Position) { p.UpdatedAtText = time.Now().Format(time.RFC3339Nano) }

func ahead(by time.Duration) func(*reconnecting, *sim.Position) {
	return func(_ *reconnecting, p *sim.Position) { p.UpdatedAt = time.Now().Add(by).UnixNano() }
}
