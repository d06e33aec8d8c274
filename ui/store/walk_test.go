package store

import (
	"blotter/model"
	"blotter/model/book"
	"context"
	"testing"
)

// respond sends a request, and returns the response with a page of one record.
func respond(request *Request) Response {
	return request.Send(func(context.Context, model.PageRequest) (*model.Page, error) {
		key := model.MarginKey{Key: model.Key{Party: model.MakeID("p"), Market: model.MakeID("m")}, Asset: model.MakeID("a")}
		return &model.Page{Rows: []model.MarginLevels{{MarginKey: key}}, ReadAt: now}, nil
	})
}

// TestAResponseOfAnEndedWalkIsIgnored: its request was cancelled.
func TestAResponseOfAnEndedWalkIsIgnored(t *testing.T) {
	margins := book.New(0).Margins()
	walk := NewWalk(t.Context(), model.Scope{})
	late := respond(walk.Due(now))
	walk.Watch(model.Scope{Parties: []model.ID{model.MakeID("p")}})
	if walk.Handle(late, margins, now, now) != nil {
		t.Error("a walk takes the response to a request that was cancelled")
	}
	if walk.Handle(respond(walk.Due(now)), margins, now, now) == nil {
		t.Error("a walk does not take the response to its last request")
	}
}
