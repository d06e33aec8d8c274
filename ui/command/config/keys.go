package config

import (
	"errors"
	"strings"
	"time"

	"blotter/feed"
	"blotter/feed/margins"
	"blotter/model"
	"blotter/ui/theme"
)

// key is one key of a section.
type key struct {
	name   string
	kind   kind   // its type, its range, its default, and where its value goes
	sample string // a value for the example file, of a key without a default
	// remembered is true if the screen remembers the key, unless the file sets it. The example file does not set it.
	remembered bool
	help       string // what it is for
}

type keys []key

// lines returns the keys that have a value other than their default, as a file would have them.
func (k keys) lines() []string {
	var lines []string
	for _, key := range k {
		if value := key.kind.written(); value != "" && value != key.kind.usual {
			lines = append(lines, key.name+" = "+value+"\n")
		}
	}
	return lines
}

// section is a section of the file: it has keys, or it is a list of sections with keys, or it is that of the profiles.
type section struct {
	name string
	keys keys
	list func() keys            // adds an element to the list and returns its keys
	open func(name string) kind // returns the kind of a key, if keys can have any name
	// count is how many elements the list has.
	count      int
	inProfiles bool   // a profile can have the section too
	sample     string // lines for the example file, of a section that is neither keys nor a list
	help       string
}

// profileSection is the section that has a section for each profile.
const profileSection = "profile"

// sections are all sections of the file, in the order of the example.
func (f *File) sections() []section {
	return []section{
		{name: "service", keys: f.Service.keys(), inProfiles: true, help: "How the service is reached."},
		{name: "watch", keys: f.Watch.keys(), inProfiles: true,
			help: "What to watch: the positions of these parties in these markets, by name or identifier. " +
				"An empty list means all. The flags --party and --market replace one list each."},
		{name: partySection, list: func() keys { return f.instruments.addInstrument(partySection) },
			count: len(f.instruments[partySection]), help: "Names for parties, markets and assets. The service " +
				"does not have them. A name can be used wherever an identifier can. One section for each. " +
				"blotter config init writes them. Names are also given on the screen: these are in a file beside this one, and what is here comes first."},
		{name: marketSection, list: func() keys { return f.instruments.addInstrument(marketSection) },
			count: len(f.instruments[marketSection]), help: "Without decimals the numbers of a market are shown " +
				"as the service writes them, and marked."},
		{name: assetSection, list: func() keys { return f.instruments.addInstrument(assetSection) },
			count: len(f.instruments[assetSection])},
		{name: groupSection, list: func() keys { return add(&f.ownGroups, (*ownGroup).keys) },
			count: len(f.ownGroups), help: "Groups of your own. A " +
				"position can be in several: it counts in each of them, and once in a total. group:majors in a filter matches the positions of one."},
		{name: "screen", keys: f.Screen.keys(), inProfiles: true,
			help: "How the screen begins. Keys change most of it. " + rememberedHelp()},
		{name: themeSection, list: func() keys { return add(&f.ownThemes, themeKeys) }, count: len(f.ownThemes),
			help: "Themes of your own: the colours of auto, " +
				"with some of them replaced. A terminal with fewer colours shows the nearest."},
		{name: viewSection, list: func() keys { return add(&f.Views, (*View).keys) }, count: len(f.Views),
			inProfiles: true, help: "Views that the keys " +
				"1 to 9 of the screen apply. What is not given is as in the default view, 0. A profile can have " +
				"views of its own, [[profile.NAME.view]], in place of all of these."},
		{name: "alert", list: func() keys { return add(&f.Alerts, (*AlertRule).keys) }, count: len(f.Alerts),
			help: "Alerts: rules for positions. Those that match are " +
				"marked on the screen. They watch what the program is started with, whatever is shown then. One section for each."},
		{name: "feed", keys: f.Feed.keys(), help: "Times and limits. The defaults fit a service that sends updates each second."},
		{name: "serve", keys: f.Serve.keys(), help: "How blotter serve is reached: one feed for the screens of several traders, over SSH."},
		{name: traderSection, list: func() keys { return add(&f.Traders, (*Trader).keys) },
			count: len(f.Traders), help: "Who may connect to " +
				"blotter serve, and what they see. One section for each."},
		{name: keysSection, open: f.actionKeys, help: "The keys of actions: a text, or a list of texts. Other actions keep their keys, unless you give these " +
			"to another action. An action of several lists has the same keys in all of them. esc, ctrl+c, enter and the arrows always keep their actions. " +
			"While text is typed, keys with a character type it."},
		{name: profileSection, sample: profileSample, help: "Keys of service, watch, screen and view that replace those above with --profile NAME. " +
			"A profile with addresses has nothing of [service] above: a token, a certificate and headers are sent only to the addresses " +
			"beside them."},
	}
}

// rememberedHelp says which keys of [screen] are remembered.
func rememberedHelp() string {
	var names []string
	for _, key := range new(Screen).keys() {
		if key.remembered {
			names = append(names, key.name)
		}
	}
	return "Of " + strings.Join(names, ", ") + ", the last choice on the screen is remembered, unless the file sets the key."
}

const profileSample = `[profile.testnet]
service.base_urls = ["https://testnet.example.com"]
service.name = "testnet"
watch.parties = ["desk-1"]
screen.order = "unrealised"
`

func (s *Service) keys() keys {
	return keys{
		{name: "base_urls", kind: list(&s.BaseURLs, "addresses"), help: "The addresses. If one does not work, the next is tried. " +
			"A path is put before the paths of the service. --base-url, which can be given several times, or $BLOTTER_BASE_URL, with spaces between " +
			"addresses, replaces all of them. " +
			`For example ["https://node.example.com", "https://other.example.com/gateway"].`},
		{name: "name", kind: text(&s.Name, "a text that is not empty"), sample: `"mainnet"`,
			help: "The name of the service on the screen. Default: the host of the first address."},
		{name: "headers", kind: headers(&s.Headers), sample: `{ X-Desk = "7" }`, help: "Headers for every request."},
		{name: "secret_headers", kind: list(&s.SecretHeaders, "names of headers"), sample: `["X-Desk"]`, help: "Headers whose values are " +
			"hidden wherever they appear in texts of the service, in logs and in recordings, as the token is. Headers whose names have authorization, key, token, " +
			"secret or cookie in them need not be listed."},
		{name: "token_file", kind: text(&s.TokenFile, "the path of a file"), sample: `"token"`,
			help: "A file with the token that is sent " +
				`as "Authorization: Bearer" to the addresses above, and to no other host. Only you may be able to read it. It is read for each ` +
				"request. $BLOTTER_TOKEN replaces it."},
		{name: "token_command", kind: command(&s.TokenCommand), sample: `["pass", "show", "blotter"]`, help: "In place of token_file: a " +
			"program and its arguments. The token is the first line that it writes. It may take 10 seconds, and its token is used for a minute."},
		{name: "send_token_without_tls", kind: boolean(&s.SendTokenWithoutTLS),
			help: "Send the token also without TLS to other machines. " +
				"It is not encrypted then. Only for a network that you trust as much as this machine."},
		{name: "ca_file", kind: text(&s.CAFile, "the path of a file with certificates in PEM"),
			sample: `"ca.pem"`, help: "Certificates in " +
				"PEM of the authorities that sign the service's certificate, in place of those of the system. A path is relative to the folder of this file; " +
				"~/ is your home folder."},
		{name: "client_certificate", kind: text(&s.ClientCertificate, "the path of a file with a certificate in PEM"),
			sample: `"client.pem"`,
			help:   "The certificate and its key for a service that requires one. Only you may be able to read the key."},
		{name: "client_key", kind: text(&s.ClientKey, "the path of a file with a private key in PEM"), sample: `"client-key.pem"`},
		{name: "compression", kind: boolean(&s.Compression), help: "Request gzip. The stream is then five to seven times smaller, but " +
			"reading it is more work. Good for a slow connection."},
	}
}

func (w *Watch) keys() keys {
	return keys{
		{name: "parties", kind: list(&w.Parties, "names or identifiers")},
		{name: "markets", kind: list(&w.Markets, "names or identifiers")},
	}
}

func (s *Screen) keys() keys {
	return keys{
		{name: "order", remembered: true, kind: column(&s.Order.Column),
			help: "The column that rows are sorted by. By trouble, distressed positions come first, then closed-out ones, then by uPnL/MM."},
		{name: "descending", remembered: true, kind: boolean(&s.Order.Descending)},
		{name: "group", remembered: true, kind: grouping(&s.Group), sample: `"party"`, help: groupingHelp()},
		{name: "show_closed", remembered: true, kind: boolean(&s.ShowClosed), help: "Whether positions of size 0 are shown."},
		{name: "filter", kind: filterText(&s.Filter), help: "A filter, as typed after /, such as \"desk side:long upnl<-1000\"."},
		{name: "page_size", remembered: true, kind: number(&s.PageSize, 50, 1, margins.MaxPageSize), help: "Margin records on a page."},
		{name: "oldest_first", kind: boolean(&s.OldestFirst),
			help: "Whether the margin records that have not changed for longest come first."},
		{name: "display_decimals", kind: number(&s.DisplayDecimals, 2, 0, model.MaxDecimals), help: "How many decimals tables show of " +
			"profits, margins and notional values; usually 2 to 4. The detail, copies and " +
			"exports have all."},
		{name: "time_zone", kind: zone(&s.Zone), help: `"local", "UTC", or the name of a zone. Printed tables use it too.`},
		{name: "day_begins", kind: clock(&s.DayBegins), help: "The time of day, in this zone, at which a day of PnL begins. The totals of a day are kept with the " +
			"columns, for 400 days."},
		{name: "theme", remembered: true, kind: textOr(&s.Theme, theme.Auto, "the name of a theme"),
			help: "The colours: " + strings.Join(theme.Names(),
				", ") + ", or the name of one under [[theme]]. auto and vivid are dark or light, as the terminal's background is; " +
				"blue-orange is for people who cannot distinguish red and green; in red-up gains are red and losses green. If $NO_COLOR is set, " +
				"monochrome is used."},
		{name: "mouse", kind: booleanOn(&s.Mouse), help: "Whether a click chooses a row or sorts by a heading, a second click on the heading of a group folds it, the wheel scrolls, and a drag of the title of the margin levels moves " +
			"the split. The terminal's own selection of text then needs shift, or option or fn in some terminals of macOS."},
		{name: "ascii", kind: boolean(&s.ASCII), sample: "true",
			help: "Whether the screen is drawn with ASCII only. If the key is left out, it is true on the " +
				"console of Linux, and if $LC_ALL, $LC_CTYPE or $LANG name another encoding than UTF-8."},
		{name: "mark_changes", kind: booleanOn(&s.MarkChanges),
			help: "Whether a size and a status that have just changed are bold for two seconds, and uPnL and uPnL/MM, if " +
				"they had been the same for ten seconds, for one second, with an arrow."},
		{name: "rewind", kind: duration(&s.Rewind, 4*time.Hour, 0, 7*24*time.Hour),
			help: "How far back the screen can be rewound. The data for that is kept in memory, " +
				"if rewind_memory is enough; \"0\" turns it off."},
		{name: "rewind_memory", kind: number(&s.RewindMemory, 128, 0, 1<<16),
			help: "The memory for that, in MiB; 0 turns it off. Positions and margin records together: 300,000 fit into 128, a million into 512."},
	}
}

func (f *Feed) keys() keys {
	const day = 24 * time.Hour
	times, usual := &f.Times, feed.DefaultTimes()
	limits, most := &f.Limits, feed.DefaultLimits()
	return keys{
		{name: "frame", kind: duration(&times.Frame, usual.Frame, time.Millisecond, time.Minute),
			help: "The screen gets updates at most once in " +
				"this time. A longer one is less work."},
		{name: "connect", kind: duration(&times.Connect, usual.Connect, time.Millisecond, time.Hour),
			help: "The longest time for a connection, " +
				"with TLS. Longer for far or slow networks."},
		{name: "answer", kind: duration(&times.Page, usual.Page, time.Millisecond, time.Hour),
			help: "The longest time for a page of margin levels."},
		{name: "snapshot_silence", kind: duration(&times.SnapshotSilence, usual.SnapshotSilence,
			time.Millisecond, time.Hour), help: "When nothing " +
			"more of a snapshot comes for this time, the stream is closed, and another is opened. A connection is also closed if it sends " +
			"4 MiB without content at once, or 1 MiB in this time."},
		{name: "probe_after", kind: duration(&times.ProbeAfter, usual.ProbeAfter, time.Millisecond, day),
			help: "When a stream brings nothing for " +
				"this time, blotter checks whether the service is there, and again every probe_every. Use longer times if requests are limited."},
		{name: "probe_every", kind: duration(&times.ProbeEvery, usual.ProbeEvery, time.Millisecond, day)},
		{name: "first_backoff", kind: duration(&times.FirstBackoff, usual.FirstBackoff, time.Millisecond, time.Hour),
			help: "The time between " +
				"tries grows from first_backoff to max_backoff. An address that fails is tried no more than six times a minute, so the time can be longer; " +
				"localhost, if nothing listens there: once a second."},
		{name: "max_backoff", kind: duration(&times.MaxBackoff, usual.MaxBackoff, time.Millisecond, day)},
		{name: "healthy_after", kind: duration(&times.HealthyAfter, usual.HealthyAfter, time.Millisecond, day),
			help: "After a stream that lasted " +
				"this long, the time between tries begins at first_backoff again. After losses, one stream must last for up " +
				"to this time before the others are opened."},
		{name: "refused_retry", kind: duration(&times.RefusedRetry, usual.RefusedRetry, time.Second, day), help: "After a refusal by the " +
			"service, the next try comes after one to two times this time, later after up to ten times."},
		{name: "audit_every", kind: durationOrNever(&times.AuditEvery, usual.AuditEvery, time.Second, day),
			help: "How often a second stream is " +
				`compared with the rows, to find lost updates; "never" for not at all. Large snapshots are compared less often, silent streams more often.`},
		{name: "message_bytes", kind: number(&limits.MessageBytes, most.MessageBytes, 1<<10, 1<<32), help: "The longest " +
			"message that is accepted from a service. A stream with a longer one is closed."},
		{name: "buffer_bytes", kind: number(&limits.BufferBytes, most.BufferBytes, 1<<20, 1<<36),
			help: "The bytes of long messages that all " +
				"streams together may read at the same time."},
		{name: "rows", kind: number(&limits.Rows, most.Rows, 1, 100_000_000),
			help: "How many positions are kept. The screen warns if there are more."},
		{name: "watch_all_if_held_back", kind: boolean(&f.WatchAllIfHeldBack), help: "Whether the whole service is watched when a proxy " +
			"holds back all streams of the parties and markets: a stream that is busy gets through. The rows are narrowed here. It needs more of the network."},
		{name: "metrics_hosts", kind: list(&f.MetricsHosts, "host names"), help: "Names of this machine under which --metrics-listen may " +
			"be read, if it listens on this machine alone. localhost and IP addresses are always accepted. Other names are refused: this " +
			"protects against DNS rebinding."},
	}
}

// add adds an element to a list and returns its keys, which have their defaults.
func add[T any](list *[]T, keysOf func(*T) keys) keys {
	*list = append(*list, *new(T))
	added := keysOf(&(*list)[len(*list)-1])
	added.reset()
	return added
}

// keysSection is the section with the keys of actions. Package ui has the list of actions and keys.
const keysSection = "keys"

// actionKeys are the keys of an action: a text, or a list of texts.
func (f *File) actionKeys(action string) kind {
	return kind{set: func(value any) error {
		keys, ok := texts(value)
		if one, isText := value.(string); isText {
			keys, ok = []string{one}, true
		}
		if !ok {
			return errors.New(`must be a key, or a list of keys, each in quotes: ["r", "f5"]`)
		}
		if f.Keys == nil {
			f.Keys = make(map[string][]string)
		}
		f.Keys[action] = keys
		return nil
	}}
}
