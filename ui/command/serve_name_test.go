package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestTheAddressOfTheServiceIsOnNoScreen of a trader: neither in line 1, nor on a page, nor in a problem.
func TestTheAddressOfTheServiceIsOnNoScreen(t *testing.T) {
	withServe(t, func(d *servedTest) {
		d.serveAgain(strings.Replace(tradersFile(t), "name = 'prod'", "", 1))
		one := d.connect(1)
		one.shows("desk · one", "2 open")
		one.press("i", "\x1b", "h", "\x1b", "?", "\x1b", ":", "sim", "\x1b", "w")
		one.shows("REWIND").press("W", "D", "\x1b", "w")
		d.service.listener.Kill()
		d.after(2 * time.Minute)
		one.press("r", "i").press("\x1b")
		if all := one.all.String(); strings.Contains(all, "sim.test") || strings.Contains(all, "http://") {
			t.Error("the address was sent to a trader")
		}
		one.close()
	})
}

// TestTheStateOfADeskIsStillReadIfItsServiceHasNoName: it is kept by the address, as before.
func TestTheStateOfADeskIsStillReadIfItsServiceHasNoName(t *testing.T) {
	const state = `{
  "written_by": "blotter",
  "version": 2,
  "services": [
    {
      "service": "sim.test",
      "screen": {
        "order": "size",
        "page_size": 0
      }
    }
  ]
}
`
	withServe(t, func(d *servedTest) {
		folder := t.TempDir()
		path := filepath.Join(folder, "traders", "one", "state.json")
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		d.write(path, state)
		d.serveAgain(strings.Replace(tradersFile(t), "name = 'prod'", "", 1), "--state-folder", folder)
		one := d.connect(1)
		one.shows("SIZE raw ▲")
		one.close()
	})
}
