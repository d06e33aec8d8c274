package export

import (
	"strings"
	"time"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/columns"
	"blotter/ui/format"
)

// column is one column of the output of records of a type R.
type column[R any] struct {
	key     string // its name in Options.Columns
	field   string // its name in CSV and JSON
	named   string // its name in CSV and JSON with Options.Names; empty: field
	heading string // in tables
	number  bool   // aligned right in tables, and never cut
	// isOptional is true if the service may not send the field: then JSON has none.
	isOptional bool
	keep       int // if the terminal is too narrow, the column with the lowest keep is left out first; see always

	id     func(*R) model.ID                            // what the column shows, if it is an identifier; else nil
	raw    func([]byte, *R, *Options) []byte            // appends to a text
	name   func(*R, *Options) string                    // with Options.Names; nil: no name
	scaled func(*R, *Options) (text string, known bool) // with Options.Scaled; nil: raw
	shown  func(*R, *Options) string                    // in a table; neutralised there, if there is no name
}

func (c *column[R]) fieldName(o *Options) string {
	if o.Names && c.named != "" {
		return c.named
	}
	return c.field
}

// always is the keep of a column that is never left out.
const always = 1 << 30

func partyColumn[R any](id func(*R) model.ID) column[R] {
	c := columns.PrintedOf(view.PartyColumn)
	return idColumn(c.Key, c.Field, c.Heading, id, partyLabel)
}

func marketColumn[R any](id func(*R) model.ID) column[R] {
	c := columns.PrintedOf(view.MarketColumn)
	return idColumn(c.Key, c.Field, c.Heading, id, marketLabel)
}

func assetColumn[R any](field string, id func(*R, *model.Instruments) model.ID) column[R] {
	withName := func(form func(label string, isNamed bool) string) func(*R, *Options) string {
		return func(r *R, o *Options) string {
			if id := id(r, o.Instruments); !id.IsZero() {
				return form(assetLabel(o.Instruments, id))
			}
			return ""
		}
	}
	c := columns.PrintedOf(view.AssetColumn)
	return column[R]{
		key: c.Key, field: field, named: c.Key, heading: c.Heading, keep: c.Keep,
		raw:  func(b []byte, r *R, o *Options) []byte { return append(b, id(r, o.Instruments).String()...) },
		name: withName(written), shown: withName(shown),
	}
}

// labelFunc returns the name of an identifier, or else the identifier, and which of both it is.
type labelFunc func(in *model.Instruments, id model.ID) (label string, isNamed bool)

func partyLabel(in *model.Instruments, id model.ID) (string, bool) {
	return format.NameOrID(in.Party(id).Name, id, in.PartyNamed)
}

func marketLabel(in *model.Instruments, id model.ID) (string, bool) {
	return format.NameOrID(in.Market(id).Name, id, in.MarketNamed)
}

func assetLabel(in *model.Instruments, id model.ID) (string, bool) {
	a := in.Asset(id)
	return a.Label(), a.Symbol != ""
}

func idColumn[R any](key, field, heading string, id func(*R) model.ID, label labelFunc) column[R] {
	return column[R]{
		key: key, field: field, named: key, heading: heading, keep: always, id: id,
		raw:   func(b []byte, r *R, _ *Options) []byte { return append(b, id(r).String()...) },
		name:  func(r *R, o *Options) string { return written(label(o.Instruments, id(r))) },
		shown: func(r *R, o *Options) string { return shown(label(o.Instruments, id(r))) },
	}
}

// written returns a label for programs.
func written(label string, _ bool) string { return label }

// shown returns a label for a table: a name as the screen shows it. An identifier is of the service.
func shown(label string, isNamed bool) string {
	if !isNamed {
		return model.Neutralise(label)
	}
	return format.Name(label)
}

// amounts are the amounts of a column, and their decimals.
type amounts[R any] struct {
	of       func(*R, *Options) (a model.Amount, ok bool)
	decimals func(*R, *model.Instruments) int
}

// amountColumn is a column of amounts. With plus, positive amounts have a sign in tables.
func amountColumn[R any](key, field, heading string, keep int, plus bool, amounts amounts[R]) column[R] {
	return column[R]{
		key: key, field: field, heading: heading, number: true, keep: keep,
		raw: func(b []byte, r *R, o *Options) []byte {
			if a, ok := amounts.of(r, o); ok {
				return a.Append(b)
			}
			return b
		},
		scaled: func(r *R, o *Options) (string, bool) {
			a, ok := amounts.of(r, o)
			switch {
			case !ok:
				return "", true
			case a.IsZero():
				return "0", true
			}
			decimals := a.Places(amounts.decimals(r, o.Instruments))
			if decimals == model.Unscaled || !a.IsNumber() {
				return "", false
			}
			return strings.ReplaceAll(a.Scaled(decimals, false), ",", ""), true
		},
		shown: func(r *R, o *Options) string {
			if a, ok := amounts.of(r, o); ok {
				return format.Exact(a, amounts.decimals(r, o.Instruments), plus)
			}
			return ""
		},
	}
}

func timeColumn[R any](key, field, heading string, at func(*R) model.Amount) column[R] {
	return column[R]{
		key: key, field: field, heading: heading, keep: 2,
		raw: func(b []byte, r *R, _ *Options) []byte { return at(r).Append(b) },
		scaled: func(r *R, _ *Options) (string, bool) {
			sent := at(r)
			if at, ok := sent.Time(); ok {
				return at.UTC().Format(time.RFC3339Nano), true
			}
			return unlessZero(sent), true
		},
		shown: func(r *R, o *Options) string { return timestamp(at(r), o.Zone) },
	}
}

// textColumn is a column with the same text in all formats.
func textColumn[R any](key, field, heading string, keep int, text func(*R, *Options) string) column[R] {
	raw := func(b []byte, r *R, o *Options) []byte { return append(b, text(r, o)...) }
	return column[R]{key: key, field: field, heading: heading, keep: keep, raw: raw, shown: text}
}
