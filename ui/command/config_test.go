package command

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"blotter/feed"
	"blotter/model"
)

// world is the surroundings of a program under test.
type world struct {
	folder      string
	environment map[string]string
	flags       flags
}

func newWorld(t *testing.T) *world {
	folder := t.TempDir()
	return &world{folder: folder, environment: map[string]string{"XDG_CONFIG_HOME": folder}}
}

// write puts a file into the world's folder and returns its path.
func (w *world) write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(w.folder, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func (w *world) configure(t *testing.T) (*configuration, error) {
	t.Helper()
	p := newProgram(Process{Output: new(bytes.Buffer), Errors: new(bytes.Buffer), Getenv: func(name string) string { return w.environment[name] }})
	p.flags = w.flags
	c, err := p.configure(t.Context())
	if err == nil {
		t.Cleanup(c.close)
	}
	return c, err
}

const hexID = "ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789"

func TestConfigurationErrors(t *testing.T) {
	for _, test := range []struct{ name, file, want string }{
		{"unknown key", "[service]\nbase_url = 'http://a'", ":2: service.base_url: is not a setting; did you mean base_urls?"},
		{"unknown key, nothing near", "[service]\n\ncolour = 'red'", ":3: service.colour: is not a setting"},
		{"unknown section", "[servce]\nx = 1", ":1: servce: is not a setting; did you mean service?"},
		{"key of a market", "[[market]]\nid = 'm'\nprice_decimal = 3", ":3: market.price_decimal: is not a setting; did you mean price_decimals?"},
		{"a text for a list", "[service]\nbase_urls = 'http://a'", ":2: service.base_urls: must be a list of addresses, each in quotes"},
		{"a number in a list", "[service]\nbase_urls = [1]", ":2: service.base_urls: must be a list of addresses, each in quotes"},
		{"a number for a yes", "[service]\ncompression = 1", ":2: service.compression: must be true or false"},
		{"a text for a command", "[service]\ntoken_command = 'pass show x'", ":2: service.token_command: must be a list: a program and its arguments, each in quotes"},
		{"an empty command", "[service]\ntoken_command = []", ":2: service.token_command: must be a list: a program and its arguments, each in quotes"},
		{"not an address", "[service]\nbase_urls = [\n  'http://a',\n  'ftp://b',\n]", ":4: service.base_urls: \"ftp://b\" is not an address: it must begin with http:// or https:// and name a host"},
		{"header name", "[service.headers]\n'a b' = 'x'", ":2: service.headers.a b: must be the name of a header: letters, digits and -"},
		{"header value", "[service]\nheaders = { X-A = \"1\\n2\" }", ":2: service.headers.X-A: must be a text without control characters"},
		{"header for a token", "[service]\nheaders.authorization = 'Bearer x'", ":2: service.headers.authorization: must not be set here: use token_file, token_command or $BLOTTER_TOKEN, which keep the token off other hosts"},
		{"header for the host", "[service.headers]\nX-A = 'x'\nhost = 'a'", ":3: service.headers.host: must not be set here: requests and answers depend on it"},
		{"header for an encoding", "[service.headers]\nAccept-encoding = 'br'", ":2: service.headers.Accept-encoding: must not be set here: requests and answers depend on it"},
		{"header for a range", "[service.headers]\nRange = 'bytes=1-'", ":2: service.headers.Range: must not be set here: requests and answers depend on it"},
		{"two tokens", "[service]\ntoken_file = 'a'\ntoken_command = ['b']", ":3: service.token_command: must not be given together with token_file"},
		{"empty token file", "[service]\ntoken_file = ''", ":2: service.token_file: must be the path of a file"},
		{"certificate without key", "[service]\nclient_certificate = 'a'", ":2: service.client_certificate: must be given together with client_key"},
		{"key without certificate", "[service]\nclient_key = 'a'", ":2: service.client_key: must be given together with client_certificate"},
		{"decimals beyond", "[[market]]\nid = 'm'\nprice_decimals = 39", ":3: market.price_decimals: must be a whole number from 0 to 38"},
		{"decimals below", "[[market]]\nid = 'm'\n\n[[market]]\nid = 'n'\nsize_decimals = -1", ":6: market.size_decimals: must be a whole number from 0 to 38"},
		{"decimals broken", "[[asset]]\nid = 'a'\ndecimals = 1.5", ":3: asset.decimals: must be a whole number from 0 to 38"},
		{"decimals as text", "[[asset]]\nid = 'a'\ndecimals = '6'", ":3: asset.decimals: must be a whole number from 0 to 38"},
		{"decimals huge", "[[asset]]\nid = 'a'\ndecimals = 99999999999999999999", ":3: asset.decimals: must be a whole number from 0 to 38"},
		{"decimals inline", "market = [ { id = 'm' },\n  { id = 'n', price_decimals = 40 } ]", ":2: market.price_decimals: must be a whole number from 0 to 38"},
		{"one section for a list", "[market]\nid = 'm'\nprice_decimals = 40", ":3: market.price_decimals: must be a whole number from 0 to 38"},
		{"no id", "[[party]]\nname = 'a'", ":1: party: must have an id"},
		{"empty id", "[[party]]\nid = ' '", ":2: party.id: must be the identifier of the party"},
		{"same id", "[[party]]\nid = '" + hexID + "'\n[[party]]\nid = '" + strings.ToLower(hexID) + "'", ":4: party.id: is the same as on line 2"},
		{"empty name", "[[market]]\nid = 'm'\nname = ''", ":3: market.name: must be a text without space around it"},
		{"name with space", "[[market]]\nid = 'm'\nname = ' BTC'", ":3: market.name: must be a text without space around it"},
		{"same name", "[[party]]\nid = 'a'\nname = 'x'\n[[party]]\nid = 'b'\nname = 'x'", ":6: party.name: is the same as on line 3: a name must mean one thing"},
		{"name of another's id", "[[party]]\nid = 'a'\n[[party]]\nid = 'b'\nname = 'a'", ":5: party.name: is the same as on line 2: a name must mean one thing"},
		{"id of another's name", "[[party]]\nid = 'a'\nname = 'b'\n[[party]]\nid = 'b'", ":5: party.id: is the same as on line 3"},
		{"asset by a shared symbol", "[[asset]]\nid = 'a'\nsymbol = 'U'\n[[asset]]\nid = 'b'\nsymbol = 'U'\n[[market]]\nid = 'm'\nasset = 'U'", ":9: market.asset: means several assets, which share the symbol: give the identifier"},
		{"empty symbol", "[[asset]]\nid = 'a'\nsymbol = ''", ":3: asset.symbol: must be a text"},
		{"empty party to watch", "[watch]\nparties = ['a',\n '']", ":3: watch.parties: must be a name or an identifier, not an empty text"},
		{"column", "[screen]\norder = 'colour'", ":2: screen.order: must be one of market, party, size, entry, unrealised, realised, status, age"},
		{"page size", "[screen]\npage_size = 0", ":2: screen.page_size: must be a whole number from 1 to 5000"},
		{"time zone", "[screen]\ntime_zone = 'Europe/Nowhere'", ":2: screen.time_zone: must be \"local\", \"UTC\" or the name of a zone, such as \"Europe/Zurich\""},
		{"time without a unit", "[feed]\nanswer = 15", ":2: feed.answer: must be a time from 1ms to 1h"},
		{"time as text without a unit", "[feed]\nanswer = '15'", ":2: feed.answer: must be a time from 1ms to 1h"},
		{"negative time", "[feed]\nmax_backoff = '-1s'", ":2: feed.max_backoff: must be a time from 1ms to 24h"},
		{"audits", "[feed]\naudit_every = 'always'", ":2: feed.audit_every: must be a time from 1s to 24h, or \"never\""},
		{"limit", "[feed]\nmessage_bytes = 12", ":2: feed.message_bytes: must be a whole number of bytes from 1024 to 4294967296"},
		{"section for a value", "service = 3", ":1: service: must be a section: [service]"},
		{"not TOML", "[service\n", ":1: expected ']' to close table name"},
		{"key twice", "[service]\nname = 'a'\nname = 'b'", ":3: name: key name is already defined"},
		{"line break in a key", "[service]\n\"a\\nb\" = 1", ":2: service.a\u240ab: is not a setting"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t)
			path := w.write(t, "blotter/config.toml", test.file)
			w.flags.baseURLs = nil
			if !strings.Contains(test.file, "base_urls") {
				w.environment["BLOTTER_BASE_URL"] = "http://127.0.0.1:1"
			}
			_, err := w.configure(t)
			if err == nil {
				t.Fatal("no error")
			}
			if got, want := complaint(err), "blotter: "+path+test.want; got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
			if code := codeOf(err); code != exitUsage {
				t.Errorf("exit code %d", code)
			}
		})
	}
}

func TestFlagOverEnvironmentOverFile(t *testing.T) {
	w := newWorld(t)
	w.write(t, "blotter/config.toml", "[service]\nbase_urls = ['http://file', 'http://file2']\n[watch]\nparties = ['one']\nmarkets = ['"+hexID+"']\n"+
		"[[party]]\nid = 'id-1'\nname = 'one'\n[[party]]\nid = 'id-2'\nname = 'two'")
	check := func(service string, addresses []string, scope model.Scope) {
		t.Helper()
		c, err := w.configure(t)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(c.feed.BaseURLs, addresses) || c.service != service || !c.scope.Equal(scope) {
			t.Errorf("got %q %q %v", c.service, c.feed.BaseURLs, c.scope)
		}
	}
	market := []model.ID{model.MakeID(strings.ToLower(hexID))}
	check("file", []string{"http://file", "http://file2"}, model.Scope{Parties: []model.ID{model.MakeID("id-1")}, Markets: market})
	w.environment["BLOTTER_BASE_URL"] = "http://environment"
	check("environment", []string{"http://environment"}, model.Scope{Parties: []model.ID{model.MakeID("id-1")}, Markets: market})
	w.flags.baseURLs = []string{"http://flag/path"}
	w.flags.parties = []string{"two", "id-2", "unknown"}
	check("flag", []string{"http://flag/path"}, model.Scope{Parties: []model.ID{model.MakeID("id-2"), model.MakeID("unknown")}, Markets: market})
}

func TestUnknownNames(t *testing.T) {
	play(t, func(s *service) {
		file := s.environment["XDG_CONFIG_HOME"] + "/names.toml"
		if err := os.WriteFile(file, []byte("[[party]]\nid = 'a1'\nname = 'desk-1'"), 0o600); err != nil {
			t.Fatal(err)
		}
		positions := []string{"positions", "-o", "ndjson", "--config", file}
		s.run(append(positions, "--party", "de5c")...).exits(0).
			complains("blotter: --party: \"de5c\" is no name in the configuration, and not the 64 digits of an identifier; the service is asked for it as it is\n")
		for _, known := range []string{"desk-1", "a1", "network", hexID} {
			s.run(append(positions, "--party", known)...).exits(0).complains("")
		}
		s.run(append(positions, "--market", "b1")...).exits(0).complains("") // there are no names of markets
	})
}

func TestWhereTheConfigurationIs(t *testing.T) {
	w := newWorld(t)
	name := func(want string) {
		t.Helper()
		c, err := w.configure(t)
		if err != nil {
			t.Fatal(err)
		}
		if c.service != want {
			t.Errorf("got %s, want %s", c.service, want)
		}
	}
	w.environment["BLOTTER_BASE_URL"] = "http://nobody"
	name("nobody") // no file is needed
	w.write(t, "blotter/config.toml", "[service]\nname = 'folder'")
	name("folder")
	w.environment["BLOTTER_CONFIG"] = w.write(t, "b.toml", "[service]\nname = 'environment'")
	name("environment")
	w.flags.config = w.write(t, "c.toml", "[service]\nname = 'flag'")
	name("flag")
	w.flags.config = filepath.Join(w.folder, "missing.toml")
	if _, err := w.configure(t); err == nil || complaint(err) != "blotter: the configuration: "+w.flags.config+" cannot be read: no such file or directory" {
		t.Error(err)
	}
}

func TestNoAddress(t *testing.T) {
	_, err := newWorld(t).configure(t)
	want := "blotter: no address of a service: give one with --base-url, in $BLOTTER_BASE_URL or as base_urls under [service] in the configuration file, or use --demo"
	if err == nil || complaint(err) != want || codeOf(err) != exitUsage {
		t.Error(err)
	}
}

func TestDemo(t *testing.T) {
	w := newWorld(t)
	w.write(t, "blotter/config.toml", "[watch]\nparties = ['elsewhere']")
	w.flags.demo = true
	c, err := w.configure(t)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.scope.Parties) > 0 {
		t.Errorf("the parties of the file are watched: %v", c.scope.Parties)
	}
	w.flags.parties = []string{"desk-1"}
	if c, err = w.configure(t); err != nil {
		t.Fatal(err)
	}
	if !c.demo || len(c.scope.Parties) != 1 || len(c.scope.Parties[0].String()) != 64 {
		t.Errorf("%+v", c.scope)
	}
	w.flags.baseURLs = []string{"http://a"}
	if _, err := w.configure(t); err == nil || codeOf(err) != exitUsage {
		t.Errorf("--demo with --base-url: %v", err)
	}
}

// example is config.example.toml, and the same with its commented settings in force.
func example(t *testing.T) (asItIs, complete string) {
	t.Helper()
	text, err := os.ReadFile("../../config.example.toml")
	if err != nil {
		t.Fatal(err)
	}
	setting := regexp.MustCompile(`(?m)^# ([a-z_]+ = |\[\[)`)
	return string(text), setting.ReplaceAllString(string(text), "$1")
}

func TestExampleSaysTheDefaults(t *testing.T) {
	asItIs, _ := example(t)
	w := newWorld(t)
	w.environment["BLOTTER_BASE_URL"] = "http://a"
	usual, err := w.configure(t)
	if err != nil {
		t.Fatal(err)
	}
	w.write(t, "blotter/config.toml", asItIs)
	said, err := w.configure(t)
	if err != nil {
		t.Fatal(err)
	}
	if said.feed.Times != feed.DefaultTimes() || said.feed.Limits != feed.DefaultLimits() {
		t.Errorf("[feed] has %+v %+v", said.feed.Times, said.feed.Limits)
	}
	said.feed.Times, said.feed.Limits = usual.feed.Times, usual.feed.Limits
	if said.screen.pageSize != 50 {
		t.Errorf("page_size has %d", said.screen.pageSize)
	}
	said.screen.pageSize = usual.screen.pageSize
	said.origin, said.ends, usual.ends = usual.origin, nil, nil
	said.feed.OnPanic, usual.feed.OnPanic = nil, nil // functions are not compared
	if !reflect.DeepEqual(said, usual) {
		t.Errorf("got  %+v\nwant %+v", said, usual)
	}
}

func TestExampleHasEverySetting(t *testing.T) {
	_, complete := example(t)
	document, err := parseConfig("example", []byte(complete))
	if err != nil {
		t.Fatal(err)
	}
	var walk func(section reflect.Type, prefix string)
	walk = func(section reflect.Type, prefix string) {
		for field := range fieldsOf(section) {
			key := prefix + field.Tag.Get("toml")
			if field.Type.Kind() == reflect.Slice && field.Type.Elem().Kind() == reflect.Struct {
				key += "[0]"
			}
			if !document.lines.has(key) {
				t.Errorf("%s is missing", key)
			}
			if field.Tag.Get("must") == "" {
				t.Errorf("%s does not say what is allowed", key)
			}
			walk(field.Type, key+".")
		}
	}
	walk(reflect.TypeFor[fileConfig](), "")
	instruments, err := document.instruments()
	if err != nil {
		t.Fatal(err)
	}
	market := instruments.Market(instruments.Markets()[0])
	if asset := instruments.Asset(market.Asset); market.PriceDecimals != 1 || market.SizeDecimals != 3 || asset.Symbol != "USDT" || asset.Decimals != 6 {
		t.Errorf("%+v %+v", market, asset)
	}
}

func TestScreenAndFeedSettings(t *testing.T) {
	w := newWorld(t)
	w.environment["BLOTTER_BASE_URL"] = "http://a"
	w.write(t, "blotter/config.toml", "[screen]\norder = 'unrealised'\ndescending = true\nshow_closed = true\nfilter = 'btc'\npage_size = 9\n"+
		"oldest_first = true\ntime_zone = 'UTC'\n[feed]\naudit_every = 'never'\nanswer = '1m30s'\nmessage_bytes = 2048")
	c, err := w.configure(t)
	if err != nil {
		t.Fatal(err)
	}
	options := c.uiOptions()
	if options.Order != (model.Order{Column: model.UnrealisedColumn, Descending: true}) || !options.ShowClosed || options.Filter != "btc" ||
		options.PageSize != 9 || !options.OldestFirst || options.Location != time.UTC {
		t.Errorf("%+v", options)
	}
	if want := (feed.Times{AuditEvery: -1, Answer: 90 * time.Second}); c.feed.Times != want || c.feed.Limits.MessageBytes != 2048 {
		t.Errorf("%+v %+v", c.feed.Times, c.feed.Limits)
	}
}

func TestLogFile(t *testing.T) {
	w := newWorld(t)
	w.environment["BLOTTER_BASE_URL"] = "http://a"
	w.flags.logFile = filepath.Join(w.folder, "none", "log")
	if _, err := w.configure(t); err == nil || codeOf(err) != exitUsage {
		t.Error(err)
	}
	w.flags.logFile = filepath.Join(w.folder, "log")
	c, err := w.configure(t)
	if err != nil {
		t.Fatal(err)
	}
	c.feed.Logger.Log(context.Background(), 0, "hostile \x1b[31m \u202e text")
	c.close()
	text, err := os.ReadFile(w.flags.logFile)
	if err != nil || !strings.Contains(string(text), `hostile \x1b[31m \u202e text`) {
		t.Errorf("%q %v", text, err)
	}
}
