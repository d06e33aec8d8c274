package record

import (
	"bytes"
	"encoding/json"
	"reflect"
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

// changeOf returns what has changed of a link; nil if nothing has.
func changeOf(before, now *model.Link) *linkChange {
	fields := make(map[string]json.RawMessage)
	old, link := reflect.ValueOf(before).Elem(), reflect.ValueOf(now).Elem()
	for i := range link.NumField() {
		name, a, b := link.Type().Field(i).Name, old.Field(i).Interface(), link.Field(i).Interface()
		if name == "Subscription" || name == "Changes" || a == b {
			continue
		}
		was, _ := json.Marshal(a)
		is, err := json.Marshal(b)
		if err == nil && !bytes.Equal(was, is) { // an error is a time whose year has not four digits
			fields[strings.ToLower(name[:1])+name[1:]] = is
		}
	}
	if len(fields) == 0 {
		return nil
	}
	return &linkChange{streamOf(now.Subscription), fields}
}

// saysTheSame reports whether two states of a stream differ only in times and counts that change all the time.
func saysTheSame(a, b model.Link) bool {
	for _, l := range []*model.Link{&a, &b} {
		l.Messages, l.Bytes, l.Changes, l.StagedRows, l.StagedPages = 0, 0, 0, 0, 0
		l.MessageAt, l.VerifiedAt, l.NewestBlock, l.NewestBlockAt = time.Time{}, time.Time{}, model.Block{}, time.Time{}
	}
	return changeOf(&a, &b) == nil
}

// linkLog emits what has changed of links each time that they are told.
type linkLog struct {
	service string         // replaces addresses
	secrets *secrets.Hider // are hidden in the words
	links   []model.Link   // as they are recorded
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
	before := l.links
	l.links = nil
	for i := range links {
		link, was := recordedLink(links[i], l.service, l.secrets), new(model.Link)
		if known := slices.IndexFunc(before, func(b model.Link) bool { return b.Subscription == link.Subscription }); known >= 0 {
			was = &before[known]
		}
		if change := changeOf(was, &link); change != nil {
			emit(&entry{At: at, Link: change})
		}
		l.links = append(l.links, link)
	}
	return watched
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
