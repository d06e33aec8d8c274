package command

import (
	"bytes"
	"context"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"blotter/feed/sim"
	"blotter/ui"
	"blotter/ui/command/saved"
	"blotter/ui/persist"
	"blotter/ui/views"
)

// twoServices are the services of two profiles, with a token each, and a dashboard that begins with the first.
type twoServices struct {
	*dashboardTest
	mainnet, testnet *sim.Node
	sandbox          *sandbox
	profiles         *profileSwitch
}

const profilesFile = `
[screen]
time_zone = 'UTC'
[[party]]
id = 'a1'
name = 'desk-1'
[[party]]
id = 'a2'
name = 'desk-2'
[[market]]
id = 'b1'
name = 'BTC/USDT'
size_decimals = 3
[[market]]
id = 'b2'
name = 'ETH/USDT'
size_decimals = 3
[profile.mainnet]
service.base_urls = ['http://main.test']
service.name = 'MAINNET'
service.token_file = 'main.token'
service.send_token_without_tls = true
[profile.testnet]
service.base_urls = ['http://test.test']
service.name = 'TESTNET'
service.token_file = 'test.token'
service.send_token_without_tls = true
watch.parties = ['desk-2']
screen.order = 'size'
[profile.broken]
service.base_urls = ['http://broken.test']
service.token_file = 'no.token'
[profile.homeless]
screen.order = 'size'
`

// checkedScreen is a screen that reports rows of one service under the name of the other.
type checkedScreen struct {
	*ui.Model
	t *testing.T
}

func (w checkedScreen) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	_, cmd := w.Model.Update(msg)
	return w, cmd
}

func (w checkedScreen) View() tea.View {
	view := w.Model.View()
	first, rest, _ := strings.Cut(ansi.Strip(view.Content), "\n")
	if first != "" && strings.Contains(first, "MAINNET") == strings.Contains(first, "TESTNET") || // at first there is no screen
		strings.Contains(first, "MAINNET") && strings.Contains(rest, "ETH/USDT") || strings.Contains(first, "TESTNET") && strings.Contains(rest, "BTC/USDT") {
		w.t.Errorf("under one name are rows of the other:\n%s\n%s", first, rest)
	}
	return view
}

// runWithProfiles runs a test with the profile mainnet.
func runWithProfiles(t *testing.T, change func(*settings), test func(*twoServices)) {
	t.Helper()
	w := newSandbox(t)
	w.write(t, "main.token", "token-of-mainnet")
	w.write(t, "test.token", "token-of-testnet")
	path := w.write(t, "profiles.toml", profilesFile)
	synctest.Test(t, func(t *testing.T) {
		s := &twoServices{mainnet: sim.New(sim.Config{}), testnet: sim.New(sim.Config{}), sandbox: w}
		listeners := map[string]*sim.Listener{"main.test:80": sim.Listen(), "test.test:80": sim.Listen()}
		ctx, stop := context.WithCancel(t.Context())
		var serving sync.WaitGroup
		serving.Go(func() { _ = s.mainnet.Serve(ctx, listeners["main.test:80"]) })
		serving.Go(func() { _ = s.testnet.Serve(ctx, listeners["test.test:80"]) })
		p := newProgram(Process{
			Output: new(bytes.Buffer), Errors: new(bytes.Buffer), Getenv: func(name string) string { return w.environment[name] },
			Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
				return listeners[address].DialContext(ctx, network, address)
			},
		})
		p.config, p.profile = path, "mainnet"
		if change != nil {
			change(p.settings)
		}
		c, err := p.configure(ctx)
		if err != nil {
			t.Fatal(err)
		}
		source, err := c.newFeed()
		if err != nil {
			t.Fatal(err)
		}
		s.profiles = newProfileSwitch(ctx, p.settings, c, source, new(screenFlags))
		screen := checkedScreen{ui.New(ctx, s.profiles.current.Load(), s.profiles.optionsOf(c, saved.NewStateFile("", c.service), nil, false)), t}
		on := setup{first: func(tea.Model) tea.Model { return screen }}
		on.runWith(t, synctest.Wait, func(d *dashboardTest) {
			s.dashboardTest = d
			test(s)
		})
		s.profiles.close()
		c.close()
		stop()
		serving.Wait()
	})
}

// choose switches to the profile that is the given number of places above the last of the list.
func (s *twoServices) choose(above int) *dashboardTest {
	s.Press("v", "G")
	for range above {
		s.Press("up")
	}
	return s.Press("enter").After(time.Second)
}

const (
	toTestnet  = 0
	toMainnet  = 1
	toHomeless = 2
	toBroken   = 3
)

// TestSwitchOfProfiles: the rows, the scope, the order and the token are those of the profile, and the streams of the
// other end.
func TestSwitchOfProfiles(t *testing.T) {
	runWithProfiles(t, nil, func(s *twoServices) {
		otherEth := eth
		otherEth.Party, otherEth.OpenVolume = "a1", 5000
		s.mainnet.Put(btc)
		s.testnet.Put(eth, otherEth)
		s.After(time.Second)
		for range 3 {
			s.mainnet.Update(btc)
			s.AwaitUpdates().Shows(" MAINNET  LIVE").Rows("BTC/USDT desk-1 +1.250")
			s.mainnet.Update(btc) // on its way while the profile is switched
			s.choose(toTestnet)
			s.mainnet.Update(btc)
			s.AwaitUpdates().Shows(" TESTNET  ", "  desk-2  ", "SIZE ▲").Rows("ETH/USDT desk-2 -10.000").Lacks("MAINNET")
			if n := s.mainnet.Counters().StreamsOpen; n != 0 {
				t.Errorf("mainnet still has %d streams", n)
			}
			s.testnet.Update(eth)
			s.AwaitUpdates().Shows("LIVE")
			s.choose(toMainnet).Shows(" MAINNET  ", "  all parties  ")
			if n := s.testnet.Counters().StreamsOpen; n != 0 {
				t.Errorf("testnet still has %d streams", n)
			}
		}
		s.wantToken("mainnet", s.mainnet, "token-of-mainnet")
		s.wantToken("testnet", s.testnet, "token-of-testnet")
	})
}

// wantToken fails the test unless each request to a service had its token.
func (s *twoServices) wantToken(name string, node *sim.Node, token string) {
	s.t.Helper()
	requests := node.Requests()
	if len(requests) == 0 {
		s.t.Errorf("%s was never sent", name)
	}
	for _, request := range requests {
		if got := request.Header.Get("Authorization"); got != "Bearer "+token {
			s.t.Errorf("%s was sent %q", name, got)
		}
	}
}

func TestErrorInAProfileChangesNothing(t *testing.T) {
	runWithProfiles(t, nil, func(s *twoServices) {
		s.mainnet.Put(btc)
		s.After(time.Second)
		s.choose(toBroken).Shows(" Not profile broken: profile.broken.service.token_file: the file cannot be read: no such file or directory", " MAINNET  LIVE").Rows("BTC/USDT")
		s.choose(toHomeless).Shows(" Not profile homeless: it has no address: set service.base_urls")
		changed := btc
		changed.OpenVolume = 2500
		s.mainnet.Update(changed)
		s.AwaitUpdates().Rows("BTC/USDT desk-1 +2.500")
		if err := os.WriteFile(s.sandbox.folder+"/profiles.toml", []byte("[[view]]\nnumber = 77"), 0o600); err != nil {
			t.Fatal(err)
		}
		s.choose(toTestnet).Shows(" Not profile testnet: view.number: must be a whole number from 1 to 9").Rows("BTC/USDT desk-1 +2.500")
	})
}

func TestMetricsOfTheProfileThatIsShown(t *testing.T) {
	runWithProfiles(t, nil, func(s *twoServices) {
		s.mainnet.Put(btc)
		s.testnet.Put(eth)
		s.After(time.Second)
		if links := s.profiles.links(); len(links) != 1 || links[0].Address != "http://main.test" {
			t.Errorf("the links are %+v", links)
		}
		s.choose(toTestnet)
		if links := s.profiles.links(); len(links) != 1 || links[0].Address != "http://test.test" {
			t.Errorf("after the switch the links are %+v", links)
		}
	})
}

// TestProfilesCannotBeSwitchedWithAnotherAddressOrToken than that of the profile: another service would be shown under
// its name, or get its token.
func TestProfilesCannotBeSwitchedWithAnotherAddressOrToken(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*settings)
		want   string
	}{
		"--base-url": {func(p *settings) { p.baseURLs = []string{"http://main.test"} }, "the address is not from the configuration"},
		"address of the environment": {func(p *settings) {
			set(p, "BLOTTER_BASE_URL", "http://main.test")
		}, "the address is not from the configuration"},
		"token of the environment": {func(p *settings) { set(p, "BLOTTER_TOKEN", "token-of-mainnet") }, "$BLOTTER_TOKEN is for one service"},
	} {
		t.Run(name, func(t *testing.T) {
			runWithProfiles(t, test.change, func(s *twoServices) {
				s.choose(toTestnet).Shows("Profiles cannot be switched: "+test.want+".", "MAINNET")
				if _, _, err := s.profiles.open("testnet", persist.State{}); err == nil {
					t.Error("it is opened nevertheless")
				}
				if requests := s.testnet.Requests(); len(requests) > 0 {
					t.Errorf("testnet got requests: %+v", requests)
				}
			})
		})
	}
}

// set sets a variable of the environment.
func set(p *settings, name, value string) {
	before := p.getenv
	p.getenv = func(variable string) string {
		if variable == name {
			return value
		}
		return before(variable)
	}
}

// TestDemoIsNoProfile: no profile in the list is marked as shown, unless --profile names one, whose keys are used.
func TestDemoIsNoProfile(t *testing.T) {
	w := newSandbox(t)
	w.write(t, "blotter/config.toml", "[service]\nbase_urls = ['http://a']\n[profile.b]\n")
	for _, profile := range []string{"", "b"} {
		w.flags.demo, w.flags.profile = true, profile
		c, err := w.configure(t)
		if err != nil {
			t.Fatal(err)
		}
		if p := c.profilesWithout("the demo has none"); len(p.Names) != 1 || p.Names[0] != "b" || p.Current != profile {
			t.Errorf("%+v", p)
		}
		w.flags.demo = false
		if c, err = w.configure(t); err != nil {
			t.Fatal(err)
		}
		if p := c.profilesWithout(""); len(p.Names) != 2 || p.Names[0] != "" || p.Current != profile {
			t.Errorf("%+v", p)
		}
	}
}

// TestTheStateOfAProfileThatWasSwitchedTo: a view that is deleted there stays deleted, and one that another program
// saves meanwhile stays.
func TestTheStateOfAProfileThatWasSwitchedTo(t *testing.T) {
	viewOf := func(number int) views.Saved {
		return views.Saved{Number: number, Remembered: views.Remembered{Order: "size"}}
	}
	for name, test := range map[string]struct {
		keys  []string
		other []views.Saved // what another program saves
		want  []int
	}{
		"deleted": {[]string{"v", "g", "down", "d", "d", "esc"}, nil, nil},
		"another": {nil, []views.Saved{viewOf(1), viewOf(2)}, []int{1, 2}},
	} {
		t.Run(name, func(t *testing.T) {
			runWithProfiles(t, nil, func(s *twoServices) {
				s.profiles.statePath = filepath.Join(s.sandbox.folder, "state.json")
				of := func() *saved.StateFile { return saved.NewStateFile(s.profiles.statePath, "TESTNET") }
				if err := of().Remember(persist.State{Views: []views.Saved{viewOf(1)}}); err != nil {
					t.Fatal(err)
				}
				s.choose(toTestnet).Shows(" TESTNET  ")
				s.Press(test.keys...)
				if test.other != nil {
					if err := of().Remember(persist.State{Views: test.other}); err != nil {
						t.Fatal(err)
					}
				}
				s.After(2 * time.Minute)
				s.choose(toMainnet).Shows(" MAINNET  ")
				state, err := of().Open()
				if err != nil {
					t.Fatal(err)
				}
				var numbers []int
				for _, each := range state.Views {
					numbers = append(numbers, each.Number)
				}
				if !slices.Equal(numbers, test.want) {
					t.Errorf("the views %v are kept, want %v", numbers, test.want)
				}
			})
		})
	}
}

// TestAProfileThatIsNotShownYetGetsNoState of the screen before: the program may end before it is shown.
func TestAProfileThatIsNotShownYetGetsNoState(t *testing.T) {
	runWithProfiles(t, nil, func(s *twoServices) {
		s.profiles.statePath = filepath.Join(s.sandbox.folder, "state.json")
		testnet := saved.NewStateFile(s.profiles.statePath, "TESTNET")
		if err := testnet.Remember(persist.State{PageSize: 100}); err != nil {
			t.Fatal(err)
		}
		opened, _, err := s.profiles.open("testnet", persist.State{})
		if err != nil {
			t.Fatal(err)
		}
		defer opened.Close()
		if err := s.profiles.state.Load().Close(persist.State{PageSize: 20}); err != nil {
			t.Fatal(err)
		}
		if state, err := testnet.Open(); err != nil || state.PageSize != 100 {
			t.Errorf("its state is %+v, %v", state, err)
		}
	})
}

// TestADamagedStateOfAProfileIsSaid when it is switched to.
func TestADamagedStateOfAProfileIsSaid(t *testing.T) {
	runWithProfiles(t, nil, func(s *twoServices) {
		s.profiles.statePath = s.sandbox.write(t, "state.json", "{\n  \"written_by\": \"blotter\",\n")
		s.choose(toTestnet).Shows("the state is damaged and not used.").After(4 * time.Second).Shows(" This is profile testnet, with TESTNET.")
	})
}
