package record_test

import (
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"blotter/feed/record"
	"blotter/model"
)

// FuzzPlay plays files with any bytes, and blocks with any lines and a correct checksum. Whatever they are, it ends:
// with an error of one line, or at its last time.
func FuzzPlay(f *testing.F) {
	const header = `{"recording":2,"version":"v1","start":"2026-03-02T14:02:07Z"}` + "\n"
	for _, lines := range []string{
		`{"at":1,"watched":[{"epoch":1}]}` + "\n" + `{"at":2,"updates":{"epoch":1},"positions":[{"partyId":"a","marketId":"b","openVolume":"-7"}]}` + "\n",
		`{"at":1,"snapshot":{"partyId":"a","epoch":1,"removed":[{"partyId":"a"}],"lastPage":true}}` + "\n" + `{"at":9,"ends":"continued"}` + "\n",
		`{"at":3,"link":{"epoch":1,"fields":{"phase":2,"problem":{"words":"x"}}}}` + "\n" + `{"at":3,"audit":{"epoch":1,"lastPage":true}}` + "\n",
		`{"at":4,"margins":{"whole":true},"edges":[{"node":{"partyId":"a","marketId":"b","asset":"c","timestamp":"5"}}]}` + "\n",
		`{"at":5,"event":{"source":"update","seenAt":5},"positions":[{"partyId":"a","marketId":"b"},{"partyId":"a","marketId":"b","openVolume":"1"}]}` + "\n",
		`{"at":5,"event":{"source":"update","seenAt":5},"positions":[{"partyId":"a","marketId":"b"}]}` + "\n",
		"{\"at\":5,\"event\":{\"source\"<\"update\"},\"positions\":[{\"\x80\":\"a\"}]}\n", // two errors in a line
		`{"at":6,"sizes":[{"partyId":"a","marketId":"b","at":7,"last":[{"asset":"c","unrealisedPnl":"1","maintenanceMargin":"0"}]}],"missed":-1}` + "\n",
		`{"at":7,"Links":null,"Snapshots":[{}],"Updates":[{}]}` + "\n", // a line of a memory
	} {
		f.Add(lines, true)
		f.Add(header+block(lines), false)
	}
	whole, err := os.ReadFile("testdata/cut.zst")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(whole[:4000]), false)
	f.Fuzz(func(t *testing.T, text string, asLines bool) {
		name := "any.zst"
		if asLines {
			text, name = header+block(text), "any"
		} else if strings.HasPrefix(text, "{") {
			name = "any"
		}
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		player, err := record.Open(path, 1000)
		if err != nil {
			return
		}
		defer player.Close()
		player.Watch(model.Scope{}.Subscriptions(nil, 1))
		if damage := player.Damage(); damage != nil && strings.ContainsAny(damage.Error(), "\n\x1b") {
			t.Errorf("the damage is %q", damage)
		}
		_, newest := player.Range()
		for _, to := range []time.Time{newest, newest.Add(-1)} {
			if _, err := player.At(to); err != nil {
				if strings.ContainsAny(err.Error(), "\n\x1b") {
					t.Errorf("the error is %q", err)
				}
				return
			}
		}
	})
}

// block returns lines as a block with a correct checksum.
func block(lines string) string {
	sum := crc32.Checksum([]byte(lines), crc32.MakeTable(crc32.Castagnoli))
	return fmt.Sprintf("{\"block\":0,\"at\":0,\"bytes\":%d,\"crc32c\":\"%08x\"}\n%s", len(lines), sum, lines)
}
