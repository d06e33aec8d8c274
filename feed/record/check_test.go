package record

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book/pairs"
)

// TestValuesThatNoRecordingHas: the error names the field, its value, the file and the line, and nothing after that
// line is shown.
func TestValuesThatNoRecordingHas(t *testing.T) {
	const link, sizes, event = `{"at":5,"link":{"epoch":1,"fields":{*}}}`, `{"at":5,"sizes":[{"partyId":"a","marketId":"b",*}]}`,
		`{"at":5,"event":{*},"positions":[{"partyId":"a","marketId":"b"},{"partyId":"a","marketId":"b","openVolume":"1"}]}`
	for _, c := range []struct{ line, field, want string }{
		{link, `"phase":5`, "link.phase cannot be 5"},
		{link, `"phase":9`, "link.phase cannot be 9"},
		{link, `"phase":255`, "link.phase cannot be 255"},
		{link, `"phase":3`, `link: phase is "waiting", and problem is absent`},
		{link, `"lag":{"Shown":7}`, "link.lag.shown cannot be 7"},
		{link, `"lag":{"By":-1}`, "link.lag.by cannot be -1"},
		{link, `"lag":{"Since":"1600-01-01T00:00:00Z"}`, "link.lag.since cannot be 1600-01-01"},
		{link, `"problem":{"Status":-1}`, "link.problem.status cannot be -1"},
		{link, `"staleSince":"9999-12-31T23:59:59Z"`, "link.staleSince cannot be 9999-12-31"},
		{link, `"trustedFor":-9223372036854775808`, "link.trustedFor cannot be -9223372036854775808"},
		{link, `"clockOffset":-9223372036854775808`, "link.clockOffset cannot be -9223372036854775808"},
		{link, `"clockOffset":9223372036854775807`, "link.clockOffset cannot be 9223372036854775807"},
		{link, `"messages":-1`, "link.messages cannot be -1"},
		{link, `"stagedRows":-1`, "link.stagedRows cannot be -1"},
		{link, `"block":{"Time":"2300-01-01T00:00:00Z"}`, "link.block.time cannot be 2300-01-01"},
		{link, `"attempt":1e999`, "Link.Attempt"},
		{sizes, `"at":-1`, "sizes: at cannot be -1"},
		{sizes, `"side":4`, "sizes: side cannot be 4"},
		{sizes, `"last":[{"asset":"c","endedAt":-9223372036854775808}]`, "sizes: endedAt cannot be -9223372036854775808"},
		{`{"at":5,"margins":{*}}`, `"readAt":"1600-01-01T00:00:00Z"`, "margins.readAt cannot be 1600-01-01"},
		{`{"at":5,*}`, `"missed":-1`, "missed cannot be -1"},
		{`{"at":5,*}`, `"at":7,"missed":1`, "at cannot be 7"},
		{event, `"source":"","seenAt":1`, `event: source cannot be ""`},
		{event, `"source":"update","seenAt":-1`, "event: seenAt cannot be -1"},
		{`{"at":5,*}`, `"ends":"later"`, `ends cannot be "later"`},
		{`{"at":5,*}`, `"dropped":-9223372036854775808`, "dropped cannot be -9223372036854775808"},
	} {
		of := model.Subscription{Epoch: 1}
		watched := []model.Subscription{of}
		path := hostileFile(t, Header{}, func(w *writer) {
			w.writeEntry(&entry{At: 1, Watched: &watched})
			w.lines = append(append(w.lines, strings.Replace(c.line, "*", c.field, 1)...), '\n')
		})
		player, err := Open(path, 0)
		if err != nil {
			t.Fatal(err)
		}
		err = player.Damage() // of events, and ends
		if err == nil {
			_, newest := player.Range()
			_, err = player.At(newest)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), path) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %s", c.field, err, c.want)
		}
		player.Close()
	}
}

// TestEachSideOfARecording is read and shown, also that of a size that is no number: it was not watched when the
// recording began, and waits again when it is.
func TestEachSideOfARecording(t *testing.T) {
	of := model.Subscription{Epoch: 1}
	key := model.Key{Party: model.MakeID("a"), Market: model.MakeID("b")}
	for side, size := range []string{model.Flat: "0", model.Long: "2.5", model.Short: "-2", model.UnknownSide: "NaN"} {
		row := model.Position{Key: key}
		row.SetNumber(model.OpenVolume, model.ParseAmount(size))
		if got := model.SideOf(row.Number(model.OpenVolume)); got != model.Side(side) {
			t.Fatalf("the side of %s is %d", size, got)
		}
		path := hostileFile(t, Header{}, func(w *writer) {
			w.writeEntry(&entry{At: 1, Watched: &[]model.Subscription{of}, Sizes: []pairs.SizeChange{{Key: key, At: 1, Side: model.Side(side)}}})
			w.writeEntry(&entry{At: 2, Snapshot: &rowsOf{Subscription: of, Last: true}, positions: []model.Position{row}})
		})
		player, err := Open(path, 0)
		if err != nil {
			t.Fatal(err)
		}
		player.Watch([]model.Subscription{of})
		_, newest := player.Range()
		delta, err := player.At(newest)
		if err != nil || player.Damage() != nil || len(delta.Snapshots) != 1 || delta.Snapshots[0].Rows.Len() != 1 {
			t.Fatalf("side %d: %v, %v, %d snapshots", side, err, player.Damage(), len(delta.Snapshots))
		}
		for p := range delta.Snapshots[0].Rows.All {
			if p.Number(model.OpenVolume).String() != size {
				t.Errorf("side %d: the size is %s, want %s", side, p.Number(model.OpenVolume), size)
			}
		}
		player.Close()
	}
}

// TestHeadersThatNoRecordingHas have no time, or one that no clock has.
func TestHeadersThatNoRecordingHas(t *testing.T) {
	for _, start := range []time.Time{{}, time.Date(1969, 12, 31, 0, 0, 0, 0, time.UTC), time.Date(2101, 1, 1, 0, 0, 0, 0, time.UTC)} {
		if err := (&Header{Start: start}).check(); err == nil || !strings.Contains(err.Error(), "its header is wrong: start is of the year") {
			t.Errorf("%s: %v", start, err)
		}
	}
	for _, head := range []blockLine{{At: -1}, {At: longest + 1}, {State: "x"}} {
		if head.check() == nil {
			t.Errorf("%+v is not refused", head)
		}
	}
}

// TestEachFieldOfALinkIsChecked: a field of a type that is not known would be left out.
func TestEachFieldOfALinkIsChecked(t *testing.T) {
	link := model.Link{Problem: new(model.Problem)}
	if err := checkLink(&link); err != nil {
		t.Error(err)
	}
	for i := range reflect.ValueOf(link).NumField() {
		switch of := reflect.ValueOf(link).Field(i); of.Kind() {
		case reflect.Struct, reflect.Pointer, reflect.Bool, reflect.String, reflect.Int, reflect.Int64, reflect.Uint8:
		default:
			t.Errorf("%s is not checked", reflect.TypeFor[model.Link]().Field(i).Name)
		}
	}
}
