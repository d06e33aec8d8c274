package config

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"blotter/feed"
	"blotter/model"
	"blotter/model/view"
	"blotter/ui/theme"
)

const hexID = "ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789"

func TestErrors(t *testing.T) {
	for _, test := range []struct{ name, file, want string }{
		{"unknown key", "[service]\nbase_url = 'http://a'", ":2: service.base_url: is not a setting; did you mean base_urls?"},
		{"unknown key, nothing near", "[service]\n\ncolour = 'red'", ":3: service.colour: is not a setting"},
		{"no quotes", "[screen]\ntheme = dark", ":2: this is not a value; a text needs quotes: \"text\""},
		{"no quotes around what begins like true", "[screen]\norder = trouble", ":2: this is not a value; a text needs quotes: \"text\""},
		{"unknown key after a byte order mark", "\ufeff[service]\r\nbase_url = 'http://a'", ":2: service.base_url: is not a setting; did you mean base_urls?"},
		{"UTF-16", "\xff\xfe[\x00s\x00", ": is a text in UTF-16: save it as UTF-8"},
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
		{"secret header", "[service]\nheaders = { X-A = 'b' }\nsecret_headers = ['x-a', 'X-B']", ":3: service.secret_headers: \"X-B\" is none of headers"},
		{"header for a token", "[service]\nheaders.authorization = 'Bearer x'", ":2: service.headers.authorization: must not be set here: use token_file, token_command or $BLOTTER_TOKEN, which keep the token from other hosts"},
		{"header for the host", "[service.headers]\nX-A = 'x'\nhost = 'a'", ":3: service.headers.host: must not be set here: requests and responses depend on it"},
		{"header for an encoding", "[service.headers]\nAccept-encoding = 'br'", ":2: service.headers.Accept-encoding: must not be set here: requests and responses depend on it"},
		{"header for a range", "[service.headers]\nRange = 'bytes=1-'", ":2: service.headers.Range: must not be set here: requests and responses depend on it"},
		{"two tokens", "[service]\ntoken_file = 'a'\ntoken_command = ['b']", ":3: service.token_command: must not be given together with token_file"},
		{"empty token file", "[service]\ntoken_file = ''", ":2: service.token_file: must be the path of a file"},
		{"certificate without key", "[service]\nclient_certificate = 'a'", ":2: service.client_certificate: must be given together with client_key"},
		{"key without certificate", "[service]\nclient_key = 'a'", ":2: service.client_key: must be given together with client_certificate"},
		{"decimals beyond", "[[market]]\nid = 'm'\nprice_decimals = 39", ":3: market.price_decimals: must be a whole number from -18 to 38"},
		{"decimals below", "[[market]]\nid = 'm'\n\n[[market]]\nid = 'n'\nsize_decimals = -19", ":6: market.size_decimals: must be a whole number from -18 to 38"},
		{"decimals broken", "[[asset]]\nid = 'a'\ndecimals = 1.5", ":3: asset.decimals: must be a whole number from -18 to 38"},
		{"decimals as text", "[[asset]]\nid = 'a'\ndecimals = '6'", ":3: asset.decimals: must be a whole number from -18 to 38"},
		{"decimals huge", "[[asset]]\nid = 'a'\ndecimals = 99999999999999999999", ":3: decimal number is too large to fit in a 64-bit signed integer"},
		{"decimals inline", "market = [ { id = 'm' },\n  { id = 'n', price_decimals = 40 } ]", ":2: market.price_decimals: must be a whole number from -18 to 38"},
		{"one section for a list", "[market]\nid = 'm'\nprice_decimals = 40", ":1: market: must be sections: [[market]]"},
		{"no id", "[[party]]\nname = 'a'", ":1: party: must have an id"},
		{"empty id", "[[party]]\nid = ' '", ":2: party.id: must be the identifier of the party"},
		{"same id", "[[party]]\nid = '" + hexID + "'\n[[party]]\nid = '" + strings.ToLower(hexID) + "'", ":4: party.id: is the same as on line 2"},
		{"empty name", "[[market]]\nid = 'm'\nname = ''", ":3: market.name: must be a text that is not empty"},
		{"name with space", "[[market]]\nid = 'm'\nname = ' BTC'", ":3: market.name: must be a text without space around it"},
		{"same name", "[[party]]\nid = 'a'\nname = 'x'\n[[party]]\nid = 'b'\nname = 'x'", ":6: party.name: is the same as on line 3: a name must mean one thing"},
		{"name of another's id", "[[party]]\nid = 'a'\n[[party]]\nid = 'b'\nname = 'a'", ":5: party.name: is the same as on line 2: a name must mean one thing"},
		{"name like an id", "[[party]]\nid = 'a'\nname = '" + hexID + "'", ":3: party.name: looks like the identifier of another party: choose another name"},
		{"name like an id on the screen", "[[market]]\nid = 'm'\nname = 'a3f9…81c2'", ":3: market.name: looks like the identifier of another market: choose another name"},
		{"name like an id in ASCII", "[[market]]\nid = 'm'\nname = 'a3f9~81c2'", ":3: market.name: looks like the identifier of another market: choose another name"},
		{"name of the network", "[[party]]\nid = 'network'\nname = 'network'\n[[party]]\nid = 'a'\nname = 'BTC~USD…'\n[[party]]\nid = 'b'\nname = 'cafe'\nage = 1", ":10: party.age: is not a setting; did you mean name?"},
		{"id of another's name", "[[party]]\nid = 'a'\nname = 'b'\n[[party]]\nid = 'b'", ":5: party.id: is the same as on line 3"},
		{"asset by a shared symbol", "[[asset]]\nid = 'a'\nsymbol = 'U'\n[[asset]]\nid = 'b'\nsymbol = 'U'\n[[market]]\nid = 'm'\nasset = 'U'", ":9: market.asset: means several assets, which share the symbol: give the identifier"},
		{"empty symbol", "[[asset]]\nid = 'a'\nsymbol = ''", ":3: asset.symbol: must be a text that is not empty"},
		{"empty market to watch", "[watch]\nparties = ['a', 'b']\nmarkets = ['a',\n ' ']", ":4: watch.markets: must be a name or an identifier, not an empty text"},
		{"empty party before an empty market", "[watch]\nmarkets = ['']\nparties = ['']", ":3: watch.parties: must be a name or an identifier, not an empty text"},
		{"empty party to watch", "[watch]\nparties = ['a',\n '']", ":3: watch.parties: must be a name or an identifier, not an empty text"},
		{"column", "[screen]\norder = 'colour'", ":2: screen.order: must be one of " + strings.Join(view.SortKeys(), ", ")},
		{"display decimals", "[screen]\ndisplay_decimals = 39", ":2: screen.display_decimals: must be a whole number from 0 to 38"},
		{"group", "[screen]\ngroup = 'desk'", ":2: screen.group: must be one of party, market, asset, own, or \"\""},
		{"a theme of a profile", "[service]\nbase_urls = ['http://h']\n[profile.x.screen]\ntheme = 'pink'", ":4: profile.x.screen.theme: must be one of " + strings.Join(theme.Names(), ", ")},
		{"a theme without a name", "[[theme]]\ngain = '#00ff00'", ":1: theme: must have a name"},
		{"the name of a theme of the program", "[[theme]]\nname = 'dark'", ":2: theme.name: is the name of a theme of the program"},
		{"two themes", "[[theme]]\nname = 'a'\n[[theme]]\nname = 'a'", ":4: theme.name: is the same as on line 2"},
		{"the name of a theme", "[[theme]]\nname = 'a b'", ":2: theme.name: must be of letters, digits, - and _, at most 40"},
		{"no colour", "[[theme]]\nname = 'a'\ngain = 'green'", ":3: theme.gain: must be a colour \"#rrggbb\", or \"0\" to \"255\""},
		{"theme", "[screen]\ntheme = 'pink'", ":2: screen.theme: must be one of " + strings.Join(theme.Names(), ", ")},
		{"display decimals of an asset", "[[asset]]\nid = 'a'\ndisplay_decimals = -1", ":3: asset.display_decimals: must be a whole number from 0 to 38"},
		{"page size", "[screen]\npage_size = 0", ":2: screen.page_size: must be a whole number from 1 to 5000"},
		{"time zone", "[screen]\ntime_zone = 'Europe/Nowhere'", ":2: screen.time_zone: must be \"local\", \"UTC\" or the name of a zone, such as \"Europe/Zurich\""},
		{"time without a unit", "[feed]\nanswer = 15", ":2: feed.answer: must be a time from \"1ms\" to \"1h\""},
		{"time as text without a unit", "[feed]\nanswer = '15'", ":2: feed.answer: must be a time from \"1ms\" to \"1h\""},
		{"negative time", "[feed]\nmax_backoff = '-1s'", ":2: feed.max_backoff: must be a time from \"1ms\" to \"24h\""},
		{"audits", "[feed]\naudit_every = 'always'", ":2: feed.audit_every: must be a time from \"1s\" to \"24h\", or \"never\""},
		{"limit", "[feed]\nmessage_bytes = 12", ":2: feed.message_bytes: must be a whole number from 1024 to 4294967296"},
		{"first backoff", "[feed]\nmax_backoff = '2s'\nfirst_backoff = '1m'", ":3: feed.first_backoff: is \"1m\", and must not be longer than max_backoff, \"2s\""},
		{"first backoff by default", "[feed]\nmax_backoff = '100ms'", ":1: feed.first_backoff: is \"500ms\", and must not be longer than max_backoff, \"100ms\""},
		{"host with a space", "[feed]\nmetrics_hosts = ['::1', 'desk.internal',\n'desk 2']", ":3: feed.metrics_hosts: \"desk 2\" is not the name of a host without a port, such as desk.internal"},
		{"host with a port", "[feed]\nmetrics_hosts = ['desk:9090']", ":2: feed.metrics_hosts: \"desk:9090\" is not the name of a host without a port, such as desk.internal"},
		{"host of IPv6 with a port", "[feed]\nmetrics_hosts = ['[::1]:9090']", ":2: feed.metrics_hosts: \"[::1]:9090\" is not the name of a host without a port, such as desk.internal"},
		{"host with a path", "[feed]\nmetrics_hosts = ['desk/metrics']", ":2: feed.metrics_hosts: \"desk/metrics\" is not the name of a host without a port, such as desk.internal"},
		{"address for a host", "[feed]\nmetrics_hosts = ['http://desk']", ":2: feed.metrics_hosts: \"http://desk\" is not the name of a host without a port, such as desk.internal"},
		{"empty host", "[feed]\nmetrics_hosts = ['']", ":2: feed.metrics_hosts: \"\" is not the name of a host without a port, such as desk.internal"},
		{"section for a value", "service = 3", ":1: service: must be a section: [service]"},
		{"dotted key", "[screen]\n\nzone.name = 'UTC'", ":3: screen.zone: is not a setting; did you mean time_zone?"},
		{"dotted section", "\n[servce.headers]\nx = 'y'", ":2: servce: is not a setting; did you mean service?"},
		{"not TOML", "[service\n", ":1: expected ']' to close table name"},
		{"key twice", "[service]\nname = 'a'\nname = 'b'", ":3: name: key name is already defined"},
		{"the first of two", "[screen]\nb = 1\na = 1\npage_size = 0", ":2: screen.b: is not a setting"},
		{"pair_silence of older versions", "[feed]\npair_silence = '3s'", ":2: feed.pair_silence: is not a setting"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := Parse("a.toml", []byte(test.file))
			if err == nil {
				t.Fatal("no error")
			}
			if got, want := err.Error(), "a.toml"+test.want; got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

func TestKeys(t *testing.T) {
	f, err := Parse("a.toml", []byte("[screen]\norder = 'unrealised'\ndescending = true\ngroup = 'market'\nshow_closed = true\nfilter = 'btc'\npage_size = 9\n"+
		"oldest_first = true\ndisplay_decimals = 4\ntime_zone = 'UTC'\nday_begins = '17:30'\ntheme = 'red-up'\nmouse = true\nascii = true\nmark_changes = false\nrewind = '1h'\nrewind_memory = 64\n[feed]\naudit_every = 'never'\nanswer = '1m30s'\nmessage_bytes = 2048\nbuffer_bytes = 1048576\nrows = 7\nmetrics_hosts = ['desk.internal']\nwatch_all_if_held_back = true"))
	if err != nil {
		t.Fatal(err)
	}
	shown := view.Settings{Order: view.Order{Column: view.UnrealisedColumn, Descending: true}, Group: view.GroupByMarket, ShowClosed: true, Filter: "btc"}
	want := Screen{shown, 9, true, 4, time.UTC, "red-up", true, true, false, 17*time.Hour + 30*time.Minute, time.Hour, 64}
	if !reflect.DeepEqual(f.Screen, want) {
		t.Errorf("%+v", f.Screen)
	}
	times := Default().Feed.Times
	times.AuditEvery, times.Page = -1, 90*time.Second
	if !reflect.DeepEqual(f.Feed, Feed{times, feed.Limits{MessageBytes: 2048, BufferBytes: 1 << 20, Rows: 7}, []string{"desk.internal"}, true}) {
		t.Errorf("%+v", f.Feed)
	}
}

// TestDisplayDecimals: those of the asset come before those of the screen; without either there are two.
func TestDisplayDecimals(t *testing.T) {
	for text, want := range map[string][2]int{
		"":                               {2, 2},
		"[screen]\ndisplay_decimals = 3": {3, 3},
		"[screen]\ndisplay_decimals = 3\n[[asset]]\nid = 'A'\ndisplay_decimals = 0": {0, 3},
		"[[asset]]\nid = 'A'\ndecimals = 18":                                        {2, 2},
	} {
		f, err := Parse("a.toml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		decimals := f.DisplayDecimals()
		if got := [2]int{decimals(model.CanonicalID("A")), decimals(model.MakeID("other"))}; got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// BenchmarkSections prints how much longer ten times as many sections take: 10 if the time is linear.
func BenchmarkSections(b *testing.B) {
	texts := make(map[int][]byte)
	for _, n := range []int{1000, 10_000} {
		var text strings.Builder
		for i := range n {
			fmt.Fprintf(&text, "[[party]]\nid = 'p%d'\nname = 'desk-%[1]d'\n", i)
			fmt.Fprintf(&text, "[[market]]\nid = 'm%d'\nname = 'M-%[1]d'\nasset = 'A-%[1]d'\nprice_decimals = 2\n", i)
			fmt.Fprintf(&text, "[[asset]]\nid = 'a%d'\nsymbol = 'A-%[1]d'\ndecimals = 2\n", i)
		}
		texts[n] = []byte(text.String())
	}
	parse := func(text []byte) time.Duration {
		began := time.Now()
		if _, err := Parse("a.toml", text); err != nil {
			b.Fatal(err)
		}
		return time.Since(began)
	}
	var few, many time.Duration
	for b.Loop() {
		few += parse(texts[1000])
		many += parse(texts[10_000])
	}
	b.ReportMetric(float64(many)/float64(few), "times-as-long")
}
