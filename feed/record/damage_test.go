package record_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"blotter/feed"
	"blotter/feed/record"
	"blotter/feed/sim"
	"blotter/model"
	"blotter/model/modeltest"
)

// recorded records some seconds of a busy service, and returns what was shown at their end.
func recorded(t *testing.T, path string, seconds int) (last map[string]string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		play(t, sim.Config{Seed: 1, Parties: 2, Markets: 2, Rate: 10}, feed.Config{}, record.Options{Path: path}, func(s *session) {
			s.follow(t, s.tap, time.Duration(seconds)*time.Second)
			last = s.rows()
		})
	})
	return last
}

// TestDamageIsNamedAndWhatIsBeforeItIsPlayed: a file that is cut or has wrong bytes anywhere shows at each time before
// the damage what the whole file shows, and one line says where the damage is.
func TestDamageIsNamedAndWhatIsBeforeItIsPlayed(t *testing.T) {
	for _, name := range []string{"plain", "x.zst", "x.gz"} {
		folder := t.TempDir()
		whole, broken := filepath.Join(folder, name), filepath.Join(folder, "broken"+filepath.Ext(name))
		recorded(t, whole, 20)
		good := open(t, whole, model.Scope{})
		oldest, newest := good.Range()
		text, err := os.ReadFile(whole)
		if err != nil {
			t.Fatal(err)
		}
		first := bytes.IndexByte(text, '\n') + 1 // of the blocks, in the file without compression
		if name != "plain" {
			first = 200
		}
		// Damage of a flag of a compressed block, such as the one for its checksum, may be noticed only when the next
		// block begins.
		noticedWithin := int64(0)
		if name != "plain" {
			noticedWithin = 4 << 10
		}
		random := rand.New(rand.NewPCG(3, 4))
		for i := range modeltest.Times(150) {
			at := first + random.IntN(len(text)-first)
			damaged := bytes.Clone(text[:at])
			switch i % 3 {
			case 1: // one bit
				damaged = bytes.Clone(text)
				damaged[at] ^= 1 << random.IntN(8)
			case 2: // many bytes
				damaged = bytes.Clone(text)
				for j := at; j < min(at+100, len(damaged)); j++ {
					damaged[j] = byte(random.Uint32())
				}
			}
			if err := os.WriteFile(broken, damaged, 0o600); err != nil {
				t.Fatal(err)
			}
			player, err := record.Open(broken, 0)
			if err != nil {
				if at >= 2*first {
					t.Fatalf("%s, byte %d: %v", name, at, err)
				}
				continue // the header is damaged
			}
			player.Watch(model.Scope{}.Subscriptions(nil, 1))
			damage, isDamaged := errors.AsType[*record.DamagedError](player.Damage())
			if isDamaged && (damage.Offset > int64(at)+noticedWithin || strings.Contains(damage.Error(), "\n") || !strings.Contains(damage.Error(), "broken")) {
				t.Errorf("%s, byte %d: the damage is %v", name, at, damage)
			}
			_, end := player.Range()
			if !isDamaged && !end.Equal(newest) {
				t.Errorf("%s, byte %d: it ends at %s without damage", name, at, end)
			}
			for range 3 {
				when := oldest.Add(time.Duration(random.Int64N(int64(newest.Sub(oldest)))))
				if when.Before(end) {
					hasRows(t, shown(t, player, when), shown(t, good, when))
				}
			}
			player.Close()
			if t.Failed() {
				t.Fatalf("%s, way %d, byte %d of %d", name, i%3, at, len(text))
			}
		}
	}
}

func shown(t *testing.T, player *record.Player, when time.Time) map[string]string {
	t.Helper()
	return at(t, player, when).rows()
}

// TestAKilledProgramLosesLittle: the file has everything up to two seconds before.
func TestAKilledProgramLosesLittle(t *testing.T) {
	for _, name := range []string{"plain", "x.zst", "x.gz"} {
		path := filepath.Join(t.TempDir(), name)
		left := path + ".left" + filepath.Ext(name)
		var killed time.Time
		synctest.Test(t, func(t *testing.T) {
			play(t, sim.Config{Seed: 1, Parties: 2, Markets: 2, Rate: 10}, feed.Config{}, record.Options{Path: path}, func(s *session) {
				s.follow(t, s.tap, 30*time.Second+300*time.Millisecond)
				synctest.Wait()
				text, err := os.ReadFile(path)
				if err == nil {
					err = os.WriteFile(left, text, 0o600)
				}
				if err != nil {
					t.Fatal(err)
				}
				killed = time.Now()
			})
		})
		player := open(t, left, model.Scope{})
		if _, newest := player.Range(); killed.Sub(newest) > 2*time.Second {
			t.Errorf("%s: the last %s are missing", name, killed.Sub(newest))
		}
		if player.Damage() == nil || !strings.Contains(player.Damage().Error(), "the recording was not ended in order") {
			t.Errorf("%s: the damage is %v", name, player.Damage())
		}
	}
}

// fullDisk is a file on a disk that has room for a number of bytes.
type fullDisk struct {
	*os.File
	room int
}

func (d *fullDisk) Write(p []byte) (int, error) {
	n := min(d.room, len(p))
	d.room -= n
	written, err := d.File.Write(p[:n])
	if err == nil && n < len(p) {
		err = syscall.ENOSPC
	}
	return written, err
}

// TestAFullDiskStopsOnlyTheRecording, with one warning. What was written before is played.
func TestAFullDiskStopsOnlyTheRecording(t *testing.T) {
	path := filepath.Join(t.TempDir(), "full")
	var warnings []error
	synctest.Test(t, func(t *testing.T) {
		options := record.Options{Path: path, Stopped: func(err error) { warnings = append(warnings, err) }}
		record.SetCreate(&options, func(path string) (io.WriteCloser, error) {
			file, err := os.Create(path)
			return &fullDisk{file, 20_000}, err
		})
		play(t, sim.Config{Seed: 1, Parties: 2, Markets: 2, Rate: 10}, feed.Config{}, options, func(s *session) {
			s.follow(t, s.tap, time.Minute)
			if err := s.recorder.Err(); !errors.Is(err, syscall.ENOSPC) {
				t.Errorf("the recording: %v", err)
			}
			if err := s.recorder.Close(); !errors.Is(err, syscall.ENOSPC) {
				t.Errorf("closing: %v", err)
			}
			if len(s.rows()) == 0 {
				t.Error("the screen has no rows")
			}
		})
	})
	if len(warnings) != 1 || !strings.Contains(warnings[0].Error(), "the recording has stopped: no space left") {
		t.Errorf("warnings: %v", warnings)
	}
	player := open(t, path, model.Scope{})
	_, newest := player.Range()
	if len(shown(t, player, newest)) == 0 || player.Damage() == nil {
		t.Errorf("the file ends at %s with %v", newest, player.Damage())
	}
}

// TestDamageOfALaterFileNamesThatFile: its header cannot be read, or it is of another recording.
func TestDamageOfALaterFileNamesThatFile(t *testing.T) {
	for _, text := range []string{"", `{"recording":2,"part":1,"version":"v1","start":"2026-03-02T14:02:07Z"}` + "\n"} {
		path := filepath.Join(t.TempDir(), "parts")
		synctest.Test(t, func(t *testing.T) {
			options := record.Options{Path: path, Size: 10_000}
			play(t, sim.Config{Seed: 1, Parties: 2, Markets: 2, Rate: 10}, feed.Config{}, options, func(s *session) {
				s.follow(t, s.tap, 30*time.Second)
			})
		})
		if err := os.WriteFile(path+".1", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if damage := open(t, path, model.Scope{}).Damage(); damage == nil || !strings.Contains(damage.Error(), "parts.1: byte 0: ") {
			t.Errorf("the damage is %v", damage)
		}
	}
}

// TestABlockThatIsMissingIsNamed: each is whole, but they do not follow each other.
func TestABlockThatIsMissingIsNamed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "plain")
	recorded(t, path, 20)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	blocks := bytes.SplitAfter(text, []byte("\n{\"block\":"))
	if err := os.WriteFile(path, bytes.Join(slices.Delete(blocks, 2, 3), nil), 0o600); err != nil {
		t.Fatal(err)
	}
	player := open(t, path, model.Scope{})
	if _, newest := player.Range(); player.Damage() == nil || !strings.HasPrefix(player.Damage().Error(), path+": byte ") ||
		!strings.Contains(player.Damage().Error(), "it is not the next block") {
		t.Errorf("it ends at %s with %v", newest, player.Damage())
	}
}

// TestAWholeStateThatIsCutOffIsNotUsed: a file begins with the whole state, in several blocks. If only the first of
// them was written, the rows at the end are those of the file before.
func TestAWholeStateThatIsCutOffIsNotUsed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "parts")
	synctest.Test(t, func(t *testing.T) {
		options := record.Options{Path: path, Size: 1 << 20}
		play(t, sim.Config{Seed: 1, Parties: 100, Markets: 60, Rate: 300}, feed.Config{}, options, func(s *session) {
			s.follow(t, s.tap, 15*time.Second)
		})
	})
	good := open(t, path, model.Scope{})
	second := path + ".1"
	text, err := os.ReadFile(second)
	blocks := bytes.Split(text, []byte(`{"block":`))
	if err != nil || len(blocks) < 4 || !bytes.Contains(blocks[1], []byte(`"state":"begins"`)) || !bytes.Contains(blocks[2], []byte(`"state":"goesOn"`)) {
		t.Fatalf("the second file has %d blocks, %v", len(blocks), err)
	}
	if err := os.Truncate(second, int64(bytes.Index(text, blocks[2]))); err != nil {
		t.Fatal(err)
	}
	player := open(t, path, model.Scope{})
	_, newest := player.Range()
	got := shown(t, player, newest)
	if player.Damage() == nil {
		t.Error("the damage is not named")
	}
	if err := os.WriteFile(second, text, 0o600); err != nil { // the good player opens it again
		t.Fatal(err)
	}
	hasRows(t, got, shown(t, good, newest))
}
