package config

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // for systems without a database of time zones

	"blotter/model"
	"blotter/model/filter"
	"blotter/model/view"
	"blotter/ui/format"
)

// kind is the type, the range and the default of a key, and where its value goes.
type kind struct {
	usual   string // the default as the file would have it
	bounds  string // the range, for the example; empty if the type is enough
	reset   func() // stores the default
	set     func(value any) error
	written func() string // the value as a file would have it; empty if there is none
}

// kindOf is the kind of a key whose value goes to a variable. The function parse reports whether a value of go-toml is
// allowed: it must be what is named, in the bounds.
func kindOf[T any](to *T, byDefault T, what, bounds string, parse func(any) (T, bool)) kind {
	return kind{
		usual:  written(byDefault),
		bounds: bounds,
		reset:  func() { *to = byDefault },
		set: func(value any) error {
			parsed, ok := parse(value)
			if !ok {
				return errors.New("must be " + strings.TrimSpace(what+" "+bounds))
			}
			*to = parsed
			return nil
		},
		written: func() string { return written(*to) },
	}
}

// written returns a value as a file would have it, or an empty text if there is none. The values of headers are
// left out, because they may be secret.
func written(value any) string {
	switch v := value.(type) {
	case string:
		if v == "" {
			return ""
		}
		return quote(v)
	case []string:
		return ListOf(v)
	case map[string]string:
		if len(v) == 0 {
			return ""
		}
		return "{ " + strings.Join(slices.Sorted(maps.Keys(v)), ` = "...", `) + ` = "..." }`
	case int:
		if v == model.Unscaled {
			return ""
		}
	case time.Duration:
		if v < 0 {
			return `"never"`
		}
		return strconv.Quote(format.Duration(v))
	case view.Column:
		return strconv.Quote(v.Key())
	case *time.Location:
		if v == time.Local {
			return `"local"`
		}
		return strconv.Quote(v.String())
	}
	return fmt.Sprint(value)
}

// ListOf returns a list of texts as a file would have it, or an empty text if there are none.
func ListOf(texts []string) string {
	if len(texts) == 0 {
		return ""
	}
	all := make([]string, len(texts))
	for i, text := range texts {
		all[i] = quote(text)
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// text is a text. A value must not be empty; the default is.
func text(to *string, what string) kind { return textOr(to, "", what) }

// textOr is a text with a default. A value must not be empty.
func textOr(to *string, byDefault, what string) kind {
	return kindOf(to, byDefault, what, "", func(value any) (string, bool) {
		s, _ := value.(string)
		return s, strings.TrimSpace(s) != ""
	})
}

// filterText is the text of a filter, by default an empty one.
func filterText(to *string) kind {
	k := viewFilter(to)
	setText := k.set
	k.set = func(value any) error {
		text, _ := value.(string)
		if _, err := filter.Parse(text); err != nil {
			return err
		}
		return setText(value)
	}
	return k
}

// viewFilter is the text of a filter that is checked by CheckViewFilters: the screen begins also if it is wrong.
func viewFilter(to *string) kind {
	return withDefault(`""`, kindOf(to, "", "a text", "", asType[string]))
}

// withDefault is a kind whose default is written in another way than its values.
func withDefault(usual string, k kind) kind {
	k.usual = usual
	return k
}

// clock is a time of day, by default midnight. It is kept as the time after midnight.
func clock(to *time.Duration) kind {
	const layout = "15:04"
	midnight := time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)
	k := kindOf(to, 0, "a time of day", `from "00:00" to "23:59"`, func(value any) (time.Duration, bool) {
		text, ok := value.(string)
		at, err := time.Parse(layout, text)
		return time.Duration(at.Hour())*time.Hour + time.Duration(at.Minute())*time.Minute, ok && err == nil
	})
	k.usual = quote(midnight.Format(layout))
	k.written = func() string { return quote(midnight.Add(*to).Format(layout)) }
	return k
}

// boolean is by default false.
func boolean(to *bool) kind { return kindOf(to, false, "true or false", "", asType[bool]) }

// booleanOn is by default true.
func booleanOn(to *bool) kind { return kindOf(to, true, "true or false", "", asType[bool]) }

// booleanOff is by default true, which is what is meant where nothing is written.
func booleanOff(to *bool) kind {
	k := booleanOn(to)
	k.written = func() string {
		if *to {
			return ""
		}
		return written(false)
	}
	return k
}

func asType[T any](value any) (T, bool) {
	v, ok := value.(T)
	return v, ok
}

func number[T int | int64](to *T, byDefault, least, most T) kind {
	return kindOf(to, byDefault, "a whole number", fmt.Sprintf("from %d to %d", least, most), func(value any) (T, bool) {
		n, ok := value.(int64)
		return T(n), ok && int64(least) <= n && n <= int64(most)
	})
}

// duration is a duration, such as "1m30s".
func duration(to *time.Duration, byDefault, least, most time.Duration) kind {
	return kindOf(to, byDefault, "a time", fmt.Sprintf("from %q to %q", format.Duration(least), format.Duration(most)),
		func(value any) (time.Duration, bool) {
			s, _ := value.(string)
			d, err := time.ParseDuration(s)
			return d, err == nil && least <= d && d <= most
		})
}

// durationOrNever is a duration or "never", which is -1.
func durationOrNever(to *time.Duration, byDefault, least, most time.Duration) kind {
	var given time.Duration
	k := duration(&given, byDefault, least, most)
	return kindOf(to, byDefault, "a time", k.bounds+`, or "never"`, func(value any) (time.Duration, bool) {
		if value == "never" {
			return -1, true
		}
		return given, k.set(value) == nil
	})
}

// column is the name of a column that rows can be sorted by, by default that of trouble.
func column(to *view.Column) kind {
	return kindOf(to, view.TroubleColumn, "", "one of "+strings.Join(view.SortKeys(), ", "), func(value any) (view.Column, bool) {
		s, _ := value.(string)
		c, err := view.ParseSortColumn(s)
		return c, err == nil
	})
}

// oneOf is one of some words, by default the first.
func oneOf(to *string, words []string) kind {
	return kindOf(to, words[0], "", "one of "+strings.Join(words, ", "), func(value any) (string, bool) {
		s, _ := value.(string)
		return s, slices.Contains(words, s)
	})
}

// zone is a time zone, by default that of the system.
func zone(to **time.Location) kind {
	const allowed = `"local", "UTC" or the name of a zone, such as "Europe/Zurich"`
	return kindOf(to, time.Local, allowed, "", func(value any) (*time.Location, bool) {
		s, _ := value.(string)
		if s == "local" {
			return time.Local, true
		}
		location, err := time.LoadLocation(s)
		return location, err == nil && s != ""
	})
}

// list is a list of texts, by default empty.
func list(to *[]string, what string) kind {
	return withDefault("[]", kindOf(to, nil, "a list of "+what+", each in quotes", "", texts))
}

// command is a program and its arguments, by default none.
func command(to *[]string) kind {
	return kindOf(to, nil, "a list: a program and its arguments, each in quotes", "", func(value any) ([]string, bool) {
		words, ok := texts(value)
		return words, ok && len(words) > 0 && words[0] != ""
	})
}

func texts(value any) ([]string, bool) {
	elements, ok := value.([]any)
	list := make([]string, len(elements))
	for i, element := range elements {
		s, isText := element.(string)
		list[i], ok = s, ok && isText
	}
	return list, ok
}

// headers are names with texts.
func headers(to *map[string]string) kind {
	const allowed = `names of headers with texts: headers = { X-Desk = "7" }`
	return kindOf(to, nil, allowed, "", func(value any) (map[string]string, bool) {
		elements, ok := value.(map[string]any)
		pairs := make(map[string]string, len(elements))
		for name, element := range elements {
			s, isText := element.(string)
			pairs[name], ok = s, ok && isText
		}
		return pairs, ok
	})
}
