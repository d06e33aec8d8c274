package filter

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"blotter/model"
	"blotter/model/event"
)

// Error is what is wrong with the text of a filter: Words are about text[Start:End].
type Error struct {
	Start, End int // in bytes
	Words      string
	Unfinished bool // a text must follow, as after "party:". While the filter is typed, nothing is wrong yet
}

func (e *Error) Error() string { return e.Words }

// maxTerms is how many terms a filter can have.
const maxTerms = 64

// Parse parses the text of a filter. The error is a *Error. A term with nothing to search for, such as "party:", is an
// error too: it would match everything although the trader meant something. ValidPart removes it while it is typed.
func Parse(text string) (*Query, error) { return Names(nil).Parse(text) }

// parse parses the text of a filter, and checks each term.
func (s *source) parse(check func(word, Term) error) (*Query, error) {
	q := new(Query)
	s.named = &q.named
	for w, err := range words(s) {
		if err != nil {
			return nil, err
		}
		t, err := w.term()
		if err == nil {
			err = check(w, t)
		}
		if err != nil {
			return nil, err
		}
		q.terms = append(q.terms, t)
		if len(q.terms) > maxTerms {
			return nil, w.wrong("a filter has at most %d terms", maxTerms)
		}
	}
	return q, nil
}

// source is the text of a whole filter.
type source struct {
	text    string
	known   Names
	named   *[]word // the words that are names because known has them
	ofRule  bool    // of a rule: see ParseRule
	ofGroup bool    // of the sums of a group: see ParseSums
}

func (w word) term() (t Term, err error) {
	whole := w
	if strings.HasPrefix(w.String(), "!") {
		t.Negated = true
		w.start++
	}
	field := anyName
	for rest := w; ; {
		alternative, bar := rest, rest.index("|")
		if bar >= 0 {
			alternative, rest = rest.part(0, bar), rest.part(bar+1, rest.end-rest.start)
		}
		var c Condition
		if c, field, err = alternative.condition(field); err != nil {
			return Term{}, err
		}
		if c == nil {
			return Term{}, alternative.unfinished(whole, field)
		}
		t.Any = append(t.Any, c)
		if bar < 0 {
			return t, nil
		}
	}
}

// unfinished returns the error for an alternative of a term that has nothing to search for. It is about the whole term,
// or about the alternative and a bar beside it.
func (w word) unfinished(term word, field Field) error {
	words := "there is no text to search for"
	switch {
	case field == sideField:
		words = "long, short or flat must follow"
	case field == eventField:
		words = "one of these must follow: " + strings.Join(event.KindNames(), " ")
	case field != anyName:
		words = "a text must follow, as in " + field.example()
	case term.String() == "!":
		words = "a term must follow, as in !eth"
	}
	part := term
	switch {
	case term.index("|") < 0:
	case w.end < term.end:
		part = word{w.source, w.start, w.end + 1}
	default:
		part = word{w.source, w.start - 1, w.end}
	}
	return &Error{part.start, part.end, fmt.Sprintf("%q is not complete: %s", term.shown(), words), true}
}

// condition parses one of the alternatives of a term, given the field of the one before it, and returns its
// field too. The condition is nil if there is nothing to search for.
func (w word) condition(before Field) (c Condition, field Field, err error) {
	name, operator, value := w.split()
	field = before
	if name.start < name.end {
		field = Field(name.unquoted()).canonical()
		if operator == "" { // it is not the name of a field
			field, value = before, name
		} else if !w.has(field) {
			c, err = w.nameCondition(before, w.unknownField(name))
			return c, before, err
		}
	}
	if value.start < value.end || operator != "" {
		c, err = value.conditionOf(field, operator, w)
	}
	return c, field, err
}

// split cuts the word at the operator or the colon of a field. Without one, all of it is the name.
func (w word) split() (name word, o Operator, value word) {
	length := w.end - w.start
	at := w.index(":<>=")
	if at > 0 && w.String()[at-1:at+1] == "!=" {
		at--
	}
	if at < 0 || w.String()[0] == '=' || w.String()[0] == ':' {
		return w, "", w.part(length, length)
	}
	for _, o := range [...]Operator{"<=", ">=", "!=", "<", ">", "=", ":"} {
		if strings.HasPrefix(w.String()[at:], string(o)) {
			return w.part(0, at).trimmed(), o, w.part(at+len(o), length).trimmed()
		}
	}
	return w, "", w.part(length, length)
}

// conditionOf parses the value of a field. Errors are about the whole of the alternative.
func (w word) conditionOf(field Field, o Operator, whole word) (Condition, error) {
	number, isNumber := field.numberOf()
	switch {
	case field.takesText() && (o == ":" || o == ""):
		return w.textCondition(field), nil
	case field == anyName:
		return whole.nameCondition(field,
			whole.wrong("%q: a field must stand before %s, without a space, as in size%s0; as a name: %s",
				whole.shown(), o, o, shown(whole.asName())))
	case field.takesText():
		return nil, whole.wrong("%s takes %s:text, or %s:=text for the whole of it", field, field, field)
	case field == eventField && (o == ":" || o == ""):
		return w.eventCondition()
	case field == eventField:
		return nil, whole.wrong("event takes a colon, as in event:closed")
	case field == sideField && (o == ":" || o == ""):
		return w.sideCondition()
	case field == sideField:
		return nil, whole.wrong("side takes side:long, side:short or side:flat")
	case o == ":" || o == "":
		return nil, whole.wrong("%s takes < <= > >= = or !=, as in %s", field, field.example())
	case field == ageField || field == updatedField:
		if o == "=" || o == "!=" {
			return nil, whole.wrong("%s takes < <= > or >=, as in %s", field, field.example())
		}
		return w.timeCondition(field, o, whole)
	}
	to, isDistance := field.distanceTo()
	figure, isFigure := field.figureOf()
	limit, ok := parseDecimal(w.withoutQuotes(), field == ratioField || isDistance || isFigure && figure.IsPercent())
	ok = ok && !(isFigure && limit.Raw)
	switch {
	case isDistance && strings.ContainsAny(w.String(), "+-"):
		return nil, whole.wrong("%s has no sign: it is how far the price is away, as in %s", field, field.example())
	case !ok && w.index(",") >= 0:
		return nil, whole.wrong("%s%s%s: a comma stands only before groups of three digits, as in 1,500; decimals have a point, as in 1.5",
			field, o, w.shown())
	case !ok:
		return nil, whole.wrong("%s%s needs a number, as in %s", field, o, field.example())
	case isNumber:
		return AmountCondition{number, o, limit}, nil
	case isDistance:
		return DistanceCondition{to, o, limit.percent()}, nil
	case isFigure && figure.IsPercent():
		return FigureCondition{figure, o, limit.percent()}, nil
	case isFigure:
		return FigureCondition{figure, o, limit.ratio()}, nil
	case field == maintenanceField:
		return MaintenanceCondition{o, limit}, nil
	case field == dayField:
		return DayCondition{o, limit}, nil
	case field == markField || field == notionalField:
		return EstimateCondition{field == markField, o, limit}, nil
	}
	return RatioCondition{o, limit.percent()}, nil
}

// examples are conditions of fields, for messages. The others are compared with numbers.
var examples = map[Field]string{
	PartyField: "party:desk-1", MarketField: "market:eth", AssetField: "asset:usdt",
	StatusField: "status:distressed", GroupField: "group:majors",
	ratioField: "uPnL/MM<-20%", Field(model.PartOfEntry.Key()): "entry%<-5", Field(model.Leverage.Key()): "leverage>10", markField: "mark<60k", ageField: "age>5m", updatedField: "updated>14:02",
}

func (f Field) example() string {
	if _, isDistance := f.distanceTo(); isDistance {
		return string(f) + "<3"
	}
	return cmp.Or(examples[f], string(f)+">1.5k")
}

// textCondition returns nil if there is nothing to search for.
func (w word) textCondition(field Field) Condition {
	c := TextCondition{Field: field}
	if w.start < w.end && w.text[w.start] == '=' {
		c.Whole = true
		w.start++
	}
	if c.Text = compared(w.String()); c.Text == "" {
		return nil
	}
	return c
}

// nameCondition returns the condition for the word as a text of a field, if a known name has that text. Otherwise it
// returns the error.
func (w word) nameCondition(field Field, otherwise error) (Condition, error) {
	if text := compared(w.String()); w.known.have(field, text) {
		*w.named = append(*w.named, w)
		return TextCondition{Field: field, Text: text}, nil
	}
	return nil, otherwise
}

func (w word) sideCondition() (Condition, error) {
	text := strings.TrimPrefix(w.unquoted(), "=")
	if text == "" {
		return nil, nil
	}
	for s, name := range sideNames {
		if strings.HasPrefix(name, text) {
			return SideCondition{model.Side(s)}, nil
		}
	}
	return nil, w.wrong("unknown side %q; sides: long short flat", w.shown())
}

// timeLayouts are the forms of a time: of a day, on a day, and on a day in a zone.
var timeLayouts = []string{
	"15:04", "15:04:05", "2006-01-02", "2006-01-02T15:04", "2006-01-02T15:04:05", "2006-01-02T15:04Z07:00", time.RFC3339,
}

func (w word) timeCondition(field Field, o Operator, whole word) (Condition, error) {
	text := w.unquoted()
	if field == ageField {
		limit, ok := parseAge(text)
		if !ok {
			return nil, whole.wrong("age%s needs a time such as 30s, 5m, 2h or 3d", o)
		}
		return AgeCondition{o, limit}, nil
	}
	for _, layout := range timeLayouts {
		limit, err := time.Parse(layout, strings.ToUpper(text))
		if err != nil {
			continue
		}
		c := TimeCondition{Operator: o, Limit: limit, IsTimeOfDay: strings.HasPrefix(layout, "15"),
			HasZone: strings.HasSuffix(layout, "Z07:00")}
		// Times are compared in nanoseconds in 64 bits, which hold the years 1678 to 2261.
		if !c.IsTimeOfDay && (limit.Year() < 1970 || limit.Year() > 2199) {
			return nil, whole.wrong("updated%s needs a year from 1970 to 2199", o)
		}
		return c, nil
	}
	return nil, whole.wrong("updated%s needs a time such as 14:02, 2026-11-22, 2026-11-22T14:02 or 2026-11-22T14:02Z", o)
}
