package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/pelletier/go-toml/v2"
)

// fileConfig is the configuration file. The tag must says, for each key that has one, what is allowed: it is
// what an error about the key says, whether its type is wrong or its value.
type fileConfig struct {
	Service serviceSection  `toml:"service" must:"be a section: [service]"`
	Watch   watchSection    `toml:"watch" must:"be a section: [watch]"`
	Parties []partySection  `toml:"party" must:"be sections: [[party]]"`
	Markets []marketSection `toml:"market" must:"be sections: [[market]]"`
	Assets  []assetSection  `toml:"asset" must:"be sections: [[asset]]"`
	Screen  screenSection   `toml:"screen" must:"be a section: [screen]"`
	Feed    feedSection     `toml:"feed" must:"be a section: [feed]"`
}

// serviceSection says how the service is reached.
type serviceSection struct {
	Name                string            `toml:"name" must:"be a text"`
	BaseURLs            []string          `toml:"base_urls" must:"be a list of addresses, each in quotes"`
	Headers             map[string]string `toml:"headers" must:"be names of headers with texts: headers = { X-Desk = \"7\" }"`
	TokenFile           string            `toml:"token_file" must:"be the path of a file"`
	TokenCommand        []string          `toml:"token_command" must:"be a list: a program and its arguments, each in quotes"`
	SendTokenWithoutTLS bool              `toml:"send_token_without_tls" must:"be true or false"`
	CAFile              string            `toml:"ca_file" must:"be the path of a file with certificates in PEM"`
	ClientCertificate   string            `toml:"client_certificate" must:"be the path of a file with a certificate in PEM"`
	ClientKey           string            `toml:"client_key" must:"be the path of a file with a private key in PEM"`
	Compression         bool              `toml:"compression" must:"be true or false"`
}

// watchSection is the scope where the command line names none.
type watchSection struct {
	Parties []string `toml:"parties" must:"be a list of names or identifiers, each in quotes"`
	Markets []string `toml:"markets" must:"be a list of names or identifiers, each in quotes"`
}

// partySection names a party.
type partySection struct {
	ID   string `toml:"id" must:"be the identifier of the party"`
	Name string `toml:"name" must:"be a text that no other party has for its name or identifier"`
}

// marketSection names a market and says how its numbers are scaled.
type marketSection struct {
	ID            string `toml:"id" must:"be the identifier of the market"`
	Name          string `toml:"name" must:"be a text that no other market has for its name or identifier"`
	Asset         string `toml:"asset" must:"be the identifier of an asset, or the symbol of one [[asset]]"`
	PriceDecimals *int   `toml:"price_decimals" must:"be a whole number from 0 to 38"`
	SizeDecimals  *int   `toml:"size_decimals" must:"be a whole number from 0 to 38"`
}

// assetSection names an asset and says how its amounts are scaled.
type assetSection struct {
	ID       string `toml:"id" must:"be the identifier of the asset"`
	Symbol   string `toml:"symbol" must:"be a text"`
	Decimals *int   `toml:"decimals" must:"be a whole number from 0 to 38"`
}

// screenSection is how the screen begins.
type screenSection struct {
	Order       string `toml:"order" must:"be the name of a column, in quotes"`
	Descending  bool   `toml:"descending" must:"be true or false"`
	ShowClosed  bool   `toml:"show_closed" must:"be true or false"`
	Filter      string `toml:"filter" must:"be a text"`
	PageSize    *int   `toml:"page_size" must:"be a whole number from 1 to 5000"`
	OldestFirst bool   `toml:"oldest_first" must:"be true or false"`
	TimeZone    string `toml:"time_zone" must:"be \"local\", \"UTC\" or the name of a zone, such as \"Europe/Zurich\""`
}

// feedSection is how long the feed waits for what, and what it takes from a service.
type feedSection struct {
	Frame           string `toml:"frame" must:"be a time from 1ms to 1m"`
	Connect         string `toml:"connect" must:"be a time from 1ms to 1h"`
	Answer          string `toml:"answer" must:"be a time from 1ms to 1h"`
	PairSilence     string `toml:"pair_silence" must:"be a time from 1ms to 1h"`
	SnapshotSilence string `toml:"snapshot_silence" must:"be a time from 1ms to 1h"`
	ProbeAfter      string `toml:"probe_after" must:"be a time from 1ms to 24h"`
	ProbeEvery      string `toml:"probe_every" must:"be a time from 1ms to 24h"`
	FirstBackoff    string `toml:"first_backoff" must:"be a time from 1ms to 1h"`
	MaxBackoff      string `toml:"max_backoff" must:"be a time from 1ms to 24h"`
	HealthyAfter    string `toml:"healthy_after" must:"be a time from 1ms to 24h"`
	RefusedRetry    string `toml:"refused_retry" must:"be a time from 1s to 24h"`
	AuditEvery      string `toml:"audit_every" must:"be a time from 1s to 24h, or \"never\""`
	MessageBytes    *int64 `toml:"message_bytes" must:"be a whole number of bytes from 1024 to 4294967296"`
}

// configDocument is a configuration file that was read, and where its keys stand in it.
type configDocument struct {
	fileConfig
	path  string
	lines keyLines
}

// maxConfig is how many bytes the configuration file may have.
const maxConfig = 64 << 20

// readConfig reads the configuration file. One that nobody named need not exist.
func (p *program) readConfig(ctx context.Context) (*configDocument, error) {
	path, named := p.configPath()
	if path == "" {
		return new(configDocument), nil
	}
	text, err := readFile(ctx, path, maxConfig)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !named:
		return new(configDocument), nil
	case err != nil:
		return nil, usage("the configuration: %w", err)
	}
	return parseConfig(path, text)
}

// configPath is where the configuration is, and whether someone said so.
func (p *program) configPath() (path string, named bool) {
	if p.config != "" {
		return p.config, true
	}
	if path := p.Getenv("BLOTTER_CONFIG"); path != "" {
		return path, true
	}
	folder := p.Getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(folder) {
		var err error
		if folder, err = os.UserConfigDir(); err != nil {
			return "", false
		}
	}
	return filepath.Join(folder, "blotter", "config.toml"), false
}

// parseConfig reads the text of a configuration file. Its keys and the types of their values are checked, the
// values themselves are not.
func parseConfig(path string, text []byte) (*configDocument, error) {
	document := &configDocument{path: path}
	decoder := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields()
	if err := decoder.Decode(&document.fileConfig); err != nil {
		return nil, document.decodeError(err)
	}
	document.lines = linesOf(text)
	return document, nil
}

// wrong is the error for the value of a key, such as market[2].price_decimals: where it stands and what is allowed.
func (d *configDocument) wrong(key string) error {
	return d.problem(key, "must %s", allowed(plainKey(key)))
}

// problem is an error about a key, in words of its own.
func (d *configDocument) problem(key, format string, arguments ...any) error {
	where := d.path
	if d.lines.has(key) {
		where = fmt.Sprintf("%s:%d", d.path, d.lines.line(key))
	}
	return usage("%s: %s: %w", where, plainKey(key), fmt.Errorf(format, arguments...))
}
