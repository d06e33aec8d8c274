package record

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"blotter/feed/secrets"
	"blotter/model"
)

// linkChange is what has changed of the state of a stream: the fields of a model.Link with another value than before.
type linkChange struct {
	stream
	Fields map[string]json.RawMessage `json:"fields"`
}

// apply returns the link after the change.
func (c *linkChange) apply(link model.Link) (model.Link, error) {
	text, err := json.Marshal(c.Fields)
	if err != nil {
		return link, err
	}
	if _, replaced := c.Fields["problem"]; replaced {
		link.Problem = nil // the one before is shared with others
	}
	err = json.Unmarshal(text, &link) // upper and lower case are the same here
	link.Subscription = c.subscription()
	return link, err
}

// linkChanges finds what has changed of links since they were written last.
type linkChanges struct {
	known  map[model.Subscription]model.Link
	fields map[model.Subscription]map[string]json.RawMessage
}

// of returns what has changed of a link; nil if nothing has.
func (c *linkChanges) of(link *model.Link) *linkChange {
	before, isKnown := c.known[link.Subscription]
	if isKnown && sameLink(&before, link) {
		return nil
	}
	if c.known == nil {
		c.known, c.fields = make(map[model.Subscription]model.Link), make(map[model.Subscription]map[string]json.RawMessage)
	}
	old := c.fields[link.Subscription]
	if !isKnown {
		old = fieldsOf(&model.Link{})
	}
	fields := fieldsOf(link)
	c.known[link.Subscription], c.fields[link.Subscription] = *link, fields
	changed := maps.Clone(fields)
	maps.DeleteFunc(changed, func(name string, value json.RawMessage) bool { return bytes.Equal(value, old[name]) })
	if len(changed) == 0 {
		return nil
	}
	return &linkChange{streamOf(link.Subscription), changed}
}

// emit emits what has changed of links.
func (c *linkChanges) emit(links []model.Link, at time.Duration, emit func(*entry)) {
	for i := range links {
		if change := c.of(&links[i]); change != nil {
			emit(&entry{At: at, Link: change})
		}
	}
}

// linkLog emits what has changed of links each time that they are told.
type linkLog struct {
	service string         // replaces addresses
	secrets *secrets.Hider // are hidden in the words
	links   []model.Link   // as they are recorded
	written linkChanges
}

// take takes the links of now, none if they are as before. It returns the subscriptions if they have changed.
func (l *linkLog) take(links []model.Link, at time.Duration, emit func(*entry)) (watched []model.Subscription) {
	if len(links) == 0 {
		return nil
	}
	if !slices.EqualFunc(links, l.links, func(a, b model.Link) bool { return a.Subscription == b.Subscription }) {
		streams := make([]stream, len(links))
		for i := range links {
			watched = append(watched, links[i].Subscription)
			streams[i] = streamOf(links[i].Subscription)
		}
		emit(&entry{At: at, Watched: &streams})
	}
	l.links = nil
	for i := range links {
		l.links = append(l.links, recordedLink(links[i], l.service, l.secrets))
	}
	l.written.emit(l.links, at, emit)
	return watched
}

// sameLink reports whether two states of a stream are the same.
func sameLink(a, b *model.Link) bool {
	x, y := *a, *b
	if (x.Problem == nil) != (y.Problem == nil) || x.Problem != nil && *x.Problem != *y.Problem {
		return false
	}
	x.Problem, y.Problem = nil, nil
	return x == y
}

// fieldsOf returns the fields of a link by name; none if one of its times has no year of four digits.
func fieldsOf(link *model.Link) map[string]json.RawMessage {
	fields := make(map[string]json.RawMessage)
	text, err := json.Marshal(link)
	if err != nil {
		return fields
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(text, &all); err != nil {
		return fields
	}
	for name, value := range all {
		switch name {
		case "Party", "Market", "Epoch", "Changes":
		default:
			fields[strings.ToLower(name[:1])+name[1:]] = value
		}
	}
	return fields
}

// recordedLink returns a link as it is recorded: with the name of the service in place of addresses, and without
// secrets in the words of the service.
func recordedLink(link model.Link, service string, hider *secrets.Hider) model.Link {
	if link.Address != "" {
		link.Address = service
	}
	link.Changes = 0
	if link.Problem != nil {
		problem := *link.Problem
		problem.Words, problem.Advice = hider.Hide(problem.Words), hider.Hide(problem.Advice)
		if problem.Address != "" {
			problem.Address = service
		}
		link.Problem = &problem
	}
	return link
}
