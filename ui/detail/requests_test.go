package detail

import (
	"blotter/model"
	"blotter/ui/store"
	"context"
	"testing"
	"time"
)

var start = time.Unix(1_700_000_000, 0)

// respond sends a request, and returns the response with a page of one record.
func respond(request *store.Request) store.Response {
	return request.Send(func(context.Context, model.PageRequest) (*model.Page, error) {
		key := model.MarginKey{Key: model.Key{Party: model.MakeID("p"), Market: model.MakeID("m")}, Asset: model.MakeID("a")}
		return &model.Page{Rows: []model.MarginLevels{{MarginKey: key}}, ReadAt: start}, nil
	})
}

// TestLevelsOfASelectedPosition are requested when the cursor has stayed, and again when they are old; not after the
// cursor moved on.
func TestLevelsOfASelectedPosition(t *testing.T) {
	selected := newLevelRequests(t.Context())
	key := model.Key{Party: model.MakeID("p"), Market: model.MakeID("m")}
	left, _ := selected.choose(model.Key{Party: model.MakeID("p"), Market: model.MakeID("m2")})
	number, isNew := selected.choose(key)
	selected.endDelay(left)
	if !isNew || selected.due(time.Time{}, start) != nil {
		t.Error("levels are requested before the cursor has stayed")
	}
	selected.endDelay(number)
	request := selected.due(time.Time{}, start)
	if request == nil || selected.due(time.Time{}, start) != nil {
		t.Fatal("not one request is due")
	}
	if selected.handle(respond(request), start) == nil {
		t.Error("the response is ignored")
	}
	if readAt, _ := selected.of(key); !readAt.Equal(start) || selected.due(start, start.Add(model.MarginRefresh)) != nil {
		t.Errorf("levels that were read at %v are requested again at once", readAt)
	}
	late := selected.due(start, start.Add(2*model.MarginRefresh))
	selected.choose(model.Key{})
	if late == nil || selected.handle(respond(late), start) != nil {
		t.Error("the response about a position that is no longer selected is taken")
	}
}
