package command

import (
	"crypto/rand"
	"crypto/rsa"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/crypto/ssh"
)

// TestAKeysFileThatHangsStopsNoOther: its keys stay, those of other files count, and it is read again when the system
// has returned.
func TestAKeysFileThatHangsStopsNoOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var texts sync.Map // by path
		texts.Store("a", authorized(t, 1))
		texts.Store("b", authorized(t, 2))
		hangs := make(chan struct{})
		var reads atomic.Int32
		var isHung atomic.Bool
		k := newKeysFiles()
		k.open = func(path string) (string, error) {
			if path == "a" {
				reads.Add(1)
				if isHung.Load() {
					<-hangs
				}
			}
			text, _ := texts.Load(path)
			return text.(string), nil
		}
		// reads reads both files, and checks how many keys they have.
		read := func(why string, took time.Duration, a, b int, problem string) {
			t.Helper()
			begin := time.Now()
			got := k.readAll(t.Context(), []string{"a", "b"})
			if len(got["a"].keys) != a || len(got["b"].keys) != b || got["b"].err != nil {
				t.Errorf("%s: %d and %d keys, %v", why, len(got["a"].keys), len(got["b"].keys), got["b"].err)
			}
			if err := got["a"].err; (err == nil) != (problem == "") || err != nil && !strings.Contains(err.Error(), problem) {
				t.Errorf("%s: %v", why, err)
			}
			if time.Since(begin) != took {
				t.Errorf("%s it took %s", why, time.Since(begin))
			}
		}
		read("at first", 0, 1, 1, "")
		isHung.Store(true)
		texts.Store("b", "")
		read("if one hangs", readTime, 1, 0, "a was not read: the timeout is over")
		texts.Store("b", authorized(t, 2)+"\n"+authorized(t, 3))
		read("if it still hangs", 0, 1, 2, "a is still being read")
		if got := reads.Load(); got != 2 {
			t.Errorf("%d readers of one file", got)
		}
		isHung.Store(false)
		close(hangs)
		synctest.Wait()
		texts.Store("a", "")
		read("afterwards", 0, 0, 2, "")
		texts.Store("a", "nonsense")
		read("if it is wrong", 0, 0, 2, "a: line 1: not a public key")
	})
}

// withKeysFiles has the keys of both traders in files.
func (d *servedTest) withKeysFiles() (one, two, config string) {
	folder := filepath.Dir(d.config)
	one, two = filepath.Join(folder, "one.keys"), filepath.Join(folder, "two.keys")
	d.write(one, authorized(d.t, 1))
	d.write(two, authorized(d.t, 2))
	config = strings.Replace(tradersFile(d.t), fmt.Sprintf("keys = [%q]", authorized(d.t, 1)), "keys_file = 'one.keys'", 1)
	return one, two, strings.Replace(config, fmt.Sprintf("keys = [%q]", authorized(d.t, 2)), "keys_file = 'two.keys'", 1)
}

func (d *servedTest) write(path, text string) {
	d.t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		d.t.Fatal(err)
	}
}

// TestATraderIsRemovedWhileAnotherKeysFileCannotBeRead.
func TestATraderIsRemovedWhileAnotherKeysFileCannotBeRead(t *testing.T) {
	withServe(t, func(d *servedTest) {
		one, two, config := d.withKeysFiles()
		d.serveAgain(config)
		first, second := d.connect(1), d.connect(2)
		if err := os.Remove(one); err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(one, 0o700); err != nil { // which cannot be read
			t.Fatal(err)
		}
		d.write(two, "# nobody\n")
		d.hangUp()
		if err := second.session.Wait(); err == nil {
			t.Error("the trader whose key was removed has a screen")
		}
		if _, err := d.dial(2); err == nil {
			t.Error("the trader whose key was removed can connect")
		}
		if got := d.running.errors.take(); !strings.Contains(got, "the old keys of this file stay: ") || !strings.Contains(got, "one.keys is not a regular file") {
			t.Errorf("printed %q", got)
		}
		first.shows("2 open").close()
		d.connect(1).shows("2 open").close()
		if err := os.Remove(one); err != nil {
			t.Fatal(err)
		}
		d.write(one, "")
		d.write(two, authorized(t, 2))
		d.hangUp()
		if _, err := d.dial(1); err == nil {
			t.Error("the next hang-up does not read the file")
		}
		second.close()
		d.connect(2).shows("3 open").close()
	})
}

// TestConfigCheckRefusesWhatServeRefuses, opens no port and makes no host key.
func TestConfigCheckRefusesWhatServeRefuses(t *testing.T) {
	short, err := rsa.GenerateKey(rand.Reader, 1024)
	if err != nil {
		t.Fatal(err)
	}
	public, err := ssh.NewPublicKey(&short.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	withServe(t, func(d *servedTest) {
		right := tradersFile(t)
		folder := filepath.Dir(d.config)
		d.write(filepath.Join(folder, "no.key"), "no key")
		withServeSection := func(line string) string { return "[serve]\n" + line + "\n" + right }
		quoted := func(key string) string { return fmt.Sprintf("%q", key) }
		for want, config := range map[string]string{
			"not a public key":                      strings.Replace(right, quoted(authorized(t, 1)), "'garbage'", 1),
			"missing.keys cannot be read":           strings.Replace(right, "keys = ["+quoted(authorized(t, 1))+"]", "keys_file = 'missing.keys'", 1),
			"have the same key":                     strings.Replace(right, quoted(authorized(t, 2)), quoted(authorized(t, 1)), 1),
			"no.key is not a private key":           withServeSection("host_key = 'no.key'"),
			"2222":                                  withServeSection("listen = '2222'"),
			"trader one: the RSA key SHA256:":       strings.Replace(right, quoted(authorized(t, 1)), quoted(strings.TrimSpace(string(ssh.MarshalAuthorizedKey(public)))), 1),
			"has 1024 bits, and at least 2048 are ": strings.Replace(right, quoted(authorized(t, 1)), quoted(strings.TrimSpace(string(ssh.MarshalAuthorizedKey(public)))), 1),
		} {
			d.writeConfig(config)
			check := d.run("config", "check", d.config)
			if check.exits(2); !strings.Contains(check.errors, want) {
				t.Errorf("config check: %q, not %q", check.errors, want)
			}
			if want == "2222" {
				continue // the network of the test listens at any address
			}
			if serve := d.run("serve", "--config", d.config, "--state-folder", t.TempDir()); serve.code != 2 || !strings.Contains(serve.errors, want) {
				t.Errorf("serve: %d, %q, not %q", serve.code, serve.errors, want)
			}
		}
		host := filepath.Join(folder, "new", "host_key")
		d.writeConfig(withServeSection("listen = '0.0.0.0:2222'\nhost_key = 'new/host_key'"))
		d.run("config", "check", d.config).exits(0)
		if _, err := os.Stat(host); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("config check has made %s", host)
		}
	})
}
