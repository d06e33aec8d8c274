package record

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"blotter/model"
)

// linkChange is what has changed of the state of a stream: the fields of a model.Link with another value than before.
type linkChange struct {
	model.Subscription
	Fields json.RawMessage `json:"fields"` // an object
}

func (c *linkChange) apply(link *model.Link) error {
	if link.Problem != nil { // it is shared with others
		problem := *link.Problem
		link.Problem = &problem
	}
	err := json.Unmarshal(c.Fields, link) // upper and lower case are the same here
	link.Subscription = c.Subscription
	if err == nil {
		err = checkLink(link)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", errBadLine, err)
	}
	return nil
}

// changeOf returns what has changed of a link; nil if nothing has.
func changeOf(before, now *model.Link) *linkChange {
	fields := make(map[string]json.RawMessage)
	old, link := reflect.ValueOf(before).Elem(), reflect.ValueOf(now).Elem()
	for i := range link.NumField() {
		name, a, b := link.Type().Field(i).Name, old.Field(i).Interface(), link.Field(i).Interface()
		if name == "Subscription" || a == b {
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
	text, _ := json.Marshal(fields)
	return &linkChange{now.Subscription, text}
}

// differOnlyInCounts reports whether two states of a stream differ only in times and counts that change all the time.
func differOnlyInCounts(a, b model.Link) bool {
	for _, l := range []*model.Link{&a, &b} {
		l.Messages, l.Bytes, l.Changes, l.StagedRows, l.StagedPages = 0, 0, 0, 0, 0
		l.Audits, l.Auditing = 0, false
		l.MessageAt, l.RespondedAt, l.VerifiedAt = time.Time{}, time.Time{}, time.Time{}
		l.NewestBlock, l.NewestBlockAt = model.Block{}, time.Time{}
	}
	return a.Subscription == b.Subscription && changeOf(&a, &b) == nil
}

// emitLinks emits what has changed of the links that are recorded.
func emitLinks(before, now []model.Link, at time.Duration, emit func(*entry)) {
	if !slices.EqualFunc(before, now, func(a, b model.Link) bool { return a.Subscription == b.Subscription }) {
		watched := make([]model.Subscription, len(now))
		for i := range now {
			watched[i] = now[i].Subscription
		}
		emit(&entry{At: at, Watched: &watched})
	}
	for i := range now {
		was := cmp.Or(model.LinkOfSubscription(before, now[i].Subscription), new(model.Link))
		if change := changeOf(was, &now[i]); change != nil {
			emit(&entry{At: at, Link: change})
		}
	}
}

// recordedLinks returns links as they are recorded: with the name of the service in place of addresses, and without
// secrets in the words of the service.
func (s *state) recordedLinks(links []model.Link) []model.Link {
	links = slices.Clone(links)
	for i := range links {
		link := &links[i]
		link.Changes = 0
		if link.Address != "" {
			link.Address = s.service
		}
		if link.Problem == nil {
			continue
		}
		problem := *link.Problem
		problem.Words, problem.Advice = s.secrets.Hide(problem.Words), s.secrets.Hide(problem.Advice)
		if problem.Address != "" {
			problem.Address = s.service
		}
		link.Problem = &problem
	}
	return links
}
