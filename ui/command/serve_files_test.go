package command

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// serveAgain runs blotter serve with another configuration, and other flags.
func (d *servedTest) serveAgain(config string, flags ...string) {
	d.t.Helper()
	d.running.interrupt()
	d.running.result().exits(130)
	d.serveWith(config, flags...)
}

// serveWith runs blotter serve, if it has ended.
func (d *servedTest) serveWith(config string, flags ...string) {
	d.t.Helper()
	d.writeConfig(config)
	d.listener = d.listensInMemory()
	d.running = d.start(append([]string{"serve", "--config", d.config, "--state-folder", d.t.TempDir()}, flags...)...)
	d.after(time.Second)
}

// TestATraderWritesNoFileOnTheServer: D copies, and what is typed after it is no name of a file.
func TestATraderWritesNoFileOnTheServer(t *testing.T) {
	files := func(d *servedTest) (found []string) {
		for _, folder := range []string{".", filepath.Dir(d.config)} {
			_ = filepath.WalkDir(folder, func(path string, _ fs.DirEntry, _ error) error {
				if strings.HasSuffix(path, ".csv") {
					found = append(found, path)
				}
				return nil
			})
		}
		return found
	}
	withServe(t, func(d *servedTest) {
		before := files(d)
		name := filepath.Join(filepath.Dir(d.config), "mine.csv")
		one := d.connect(1).press("D").shows(" to the clipboard: 2 rows as CSV").press("\x15", name, "\r").shows("2 rows as CSV")
		d.after(2 * time.Second)
		if after := files(d); !slices.Equal(after, before) {
			t.Errorf("the files are %q, and were %q", after, before)
		}
		one.press("\x1b")
		d.after(time.Second)
		one.close()
		if _, err := os.Stat(name); err == nil {
			t.Errorf("there is %s", name)
		}
	})
}

// TestARuleOfAHiddenGroupIsHidden from a trader who may not see the group.
func TestARuleOfAHiddenGroupIsHidden(t *testing.T) {
	withServe(t, func(d *servedTest) {
		d.serveAgain(tradersFile(t) + `[[asset]]
id = 'usdt'
[[market]]
id = 'b1'
asset = 'usdt'
[[market]]
id = 'b2'
asset = 'usdt'
[[group]]
name = 'xyzzy'
parties = ['secret-fund']
[[alert]]
name = 'of the fund'
on = 'group'
group = 'xyzzy'
asset = 'usdt'
filter = 'upnl<-5r'
`)
		one, two := d.connect(1), d.connect(2)
		d.after(2 * time.Second)
		two.press("!").shows("xyzzy usdt: upnl<-5r", "1 now")
		one.press("!").shows("alerts")
		if strings.Contains(one.all.String(), "xyzzy") || strings.Contains(one.all.String(), "of the fund") {
			t.Error("the rule was sent to a trader who may not see its group")
		}
		one.close()
		two.close()
	})
}

// TestTheServedDemoHasItsTheme.
func TestTheServedDemoHasItsTheme(t *testing.T) {
	withServe(t, func(d *servedTest) {
		d.serveAgain(strings.Replace(tradersFile(t), "parties = ['desk-1']", "parties = ['*']", 1), "--demo")
		one := d.connect(1)
		one.press(":", "theme vivid").shows("the colours of now")
		one.close()
	})
}
