package record

import (
	"strings"
	"testing"
	"time"

	"blotter/model"
)

// TestTextsOfMarginRecordsAreRecorded, those that the service has sent: lines of older programs lack these texts.
func TestTextsOfMarginRecordsAreRecorded(t *testing.T) {
	key := model.MarginKey{Key: model.Key{Party: model.MakeID("p"), Market: model.MakeID("m")}, Asset: model.MakeID("a")}
	isolated := model.MarginTexts{model.MarginMode: "MARGIN_MODE_ISOLATED_MARGIN", model.MarginFactor: "0.25", model.OrderMargin: "\"\x1b"}
	for _, texts := range []model.MarginTexts{{}, isolated} {
		written := entry{Margins: &marginsOf{}, levels: []model.MarginLevels{{MarginKey: key, Maintenance: model.AmountOf(5), MarginTexts: texts}}}
		line, err := appendLine(nil, &written)
		if err != nil || strings.Contains(string(line), "marginMode") != (texts == isolated) {
			t.Errorf("the line is %s, %v", line, err)
		}
		var r lineReader
		read, err := r.read(line[:len(line)-1])
		if err != nil || len(read.levels) != 1 || read.levels[0] != written.levels[0] {
			t.Fatalf("%+v is read, want %+v; %v", read, written.levels, err)
		}
		s := newState(time.Now(), 10)
		s.putMargins(&marginsOf{}, read.levels)
		if levels, _, ok := s.Clone().Margins().Find(key.Key, key.Asset); !ok || levels != written.levels[0] {
			t.Errorf("the state has %+v", levels)
		}
	}
}
