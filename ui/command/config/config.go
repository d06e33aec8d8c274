// Package config reads the configuration file: its keys, their defaults and ranges, and what is wrong with a file.
//
// Each key is one entry of the tables in keys.go and in the file of each section. They define what the reader accepts,
// the errors and the list of settings, and a test writes and checks config.example.toml with them. So the text is
// decoded into maps, not into structs with tags: ranges, defaults, help, the nearest name for an unknown key and the
// single keys of a profile would need the same tables beside the tags. Besides, go-toml 2.4 would accept more, also
// with DisallowUnknownFields: NAME for name, [market] for [[market]], a number for a time. And its errors would have
// to be translated: they have types of Go, and a wrong type hides an unknown key before it.
package config

import (
	"bytes"
	"cmp"
	"errors"
	"net/http"
	"time"

	"github.com/pelletier/go-toml/v2"

	"blotter/feed"
	"blotter/model"
	"blotter/model/view"
	"blotter/ui/theme"
)

// File is a configuration file. A key that is not in the file has its default.
type File struct {
	places
	Profile string // whose keys are used; empty if no profile was chosen

	Service     Service
	Watch       Watch
	Instruments *model.Instruments // what [[party]], [[market]], [[asset]] and [[group]] describe
	Screen      Screen
	Views       []View
	Alerts      []AlertRule
	Feed        Feed
	Serve       Serve
	Traders     []Trader
	ownThemes   []theme.Own
	ownGroups   []ownGroup
	Keys        map[string][]string // the keys of actions, by names that package ui checks, or nil if there are none

	instruments
	names    *Names           // that were added; nil if none were
	plain    *File            // the file without the profile in use
	profiles map[string]*File // the file with each of its profiles
}

// Service is how the service is reached. A text that is not given is empty.
type Service struct {
	BaseURLs            []string
	Name                string
	Headers             map[string]string
	SecretHeaders       []string // names of Headers whose values are hidden too
	TokenFile           string
	TokenCommand        []string // the program and its arguments
	SendTokenWithoutTLS bool
	CAFile              string
	ClientCertificate   string
	ClientKey           string
	Compression         bool
}

// Watch is the scope if the command line gives none: names or identifiers.
type Watch struct {
	Parties []string
	Markets []string
}

// Screen is how the screen begins.
type Screen struct {
	view.Settings       // without a scope: see Watch
	PageSize        int // margin records
	OldestFirst     bool
	DisplayDecimals int // how many decimals of amounts tables show, if an asset has no number of its own
	Zone            *time.Location
	Theme           string // a name in package theme
	Mouse           bool
	ASCII           bool
	MarkChanges     bool          // whether cells that have just changed are marked
	DayBegins       time.Duration // the time of day at which a day begins, after midnight
	Rewind          time.Duration // how far back the screen can be rewound; 0 turns it off
	RewindMemory    int           // the memory for it, in MiB; 0 turns it off
}

// Feed is how long the feed waits, and what it accepts from a service.
type Feed struct {
	Times        feed.Times
	Limits       feed.Limits
	MetricsHosts []string // of requests for metrics, besides localhost and IP addresses

	WatchAllIfHeldBack bool // whether the whole service is watched if a proxy holds back all streams of the scope
}

// Default returns the configuration without a file.
func Default() *File {
	f := &File{instruments: make(instruments)}
	f.plain = f
	for _, section := range f.sections() {
		if section.list == nil {
			section.keys.reset()
		}
	}
	f.Instruments = model.NewInstruments(nil, nil, nil)
	return f
}

// MaxBytes is how many bytes a configuration file, or a file with names, may have.
const MaxBytes = 64 << 20

// Parse reads the text of the file at path. Every error is an *Error.
func Parse(path string, text []byte) (*File, error) {
	f := Default()
	f.places = places{Path: path, inEffect: make(map[string]string)}
	text = bytes.TrimPrefix(text, []byte("\ufeff")) // the byte order mark, which editors and shells of Windows write
	if bytes.HasPrefix(text, []byte("\xff\xfe")) {
		return nil, &Error{Path: path, Err: errors.New("is a text in UTF-16: save it as UTF-8")}
	}
	var document map[string]any
	if err := toml.Unmarshal(text, &document); err != nil {
		return nil, f.syntaxError(err)
	}
	f.lines = linesOf(text)
	if err := f.firstError(f.readSections("", document, false)); err != nil {
		return nil, err
	}
	err := cmp.Or(f.Service.check(&f.places), f.Watch.check(&f.places), f.checkInstruments(), f.checkGroups(), f.checkThemes(),
		f.checkScreen(), f.checkViews(), f.checkAlerts(), f.Feed.check(&f.places), f.checkTraders(), f.checkProfiles())
	if err != nil {
		return nil, err
	}
	return f, nil
}

// checkInstruments checks the parties, markets and assets, and keeps them for package model.
func (f *File) checkInstruments() error {
	all, err := f.resolve(nil)
	f.Instruments = all.model()
	return err
}

// DisplayDecimals returns a function that returns how many decimals of amounts in an asset tables show.
func (f *File) DisplayDecimals() func(asset model.ID) int {
	byAsset, others := make(map[model.ID]int), f.Screen.DisplayDecimals
	for _, a := range f.instruments[assetSection] {
		if a.displayDecimals != model.Unscaled {
			byAsset[model.CanonicalID(a.id)] = a.displayDecimals
		}
	}
	return func(asset model.ID) int {
		if decimals, ok := byAsset[asset]; ok {
			return decimals
		}
		return others
	}
}

// Header returns the headers of every request.
func (s *Service) Header() http.Header {
	header := make(http.Header, len(s.Headers))
	for name, value := range s.Headers {
		header.Set(name, value)
	}
	return header
}
