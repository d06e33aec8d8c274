package store

import (
	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/ui/format"
)

// watchAll watches the whole service in place of the streams of the scope, from when a proxy holds back all of them, if
// the options say so: a stream that is busy gets through. The view shows the scope alone, as before.
func watchAll(s *Store) tea.Cmd {
	d := &s.data
	if !s.options.WatchAllIfHeldBack || s.watchesAll || d.scope.IsEverything() || !model.AreHeldBack(s.flow.links, s.Now()) {
		return nil
	}
	s.watchesAll = true
	s.notices.addNotice("Now " + format.WatchesAll)
	return follow(s, d.scope)
}
