package topics

import (
	"cmp"
	"fmt"
	"strings"

	"blotter/model"
	"blotter/model/event"
	"blotter/model/filter"
	"blotter/model/view"
	"blotter/ui/columns"
	"blotter/ui/keys"
)

// Facts are the tables of the command line that topics show. Those of the screen are taken from their packages.
type Facts struct {
	Commands  []Entry // with their texts
	Flags     []Entry
	Settings  []Entry // of the configuration
	ExitCodes []Entry
	Faults    []string // of the simulated service
	DemoAlert string   // the filter of the alert that the demo has
	Rewind    string   // how far back the screen can be rewound by default
}

// Entry is a line of a table.
type Entry struct {
	Name, Text string
	IsHeading  bool // it is the heading of the entries after it
}

// replacer replaces {{NAME}} in the text of a topic. It is not a text/template: with that, the linker keeps every
// method of the program, and the binary has 3 MB more.
func (f Facts) replacer(k *keys.Map) *strings.Replacer {
	pairs := []string{
		"{{keys}}", table(keyTable(k)),
		"{{columns}}", table(columnTable()),
		"{{fields}}", strings.Join(filter.Fields(), " "),
		"{{fields of positions}}", strings.Join(filter.FieldsOfPositions(), " "),
		"{{sums}}", strings.Join(filter.SumFields(), ", "),
		"{{events}}", strings.Join(event.KindNames(), ", "),
		"{{groups}}", strings.Join(view.GroupingKeys(), ", "),
		"{{headings}}", table(headingTable()),
		"{{statuses}}", strings.Join(filter.StatusTexts(), ", "),
		"{{faults}}", strings.Join(f.Faults, "; "),
		"{{demo alert}}", f.DemoAlert,
		"{{rewind}}", f.Rewind,
		"{{settings}}", table(f.Settings),
		"{{flags}}", table(f.Flags),
		"{{exits}}", table(f.ExitCodes),
	}
	for _, c := range f.Commands {
		pairs = append(pairs, "{{command "+c.Name+"}}", c.Text)
	}
	return strings.NewReplacer(pairs...)
}

// table returns entries in the markup of topics.
func table(entries []Entry) string {
	var b strings.Builder
	for _, e := range entries {
		if !e.IsHeading {
			b.WriteString(itemMark + e.Name + itemGap + e.Text + "\n")
			continue
		}
		b.WriteString("\n" + headingMark + e.Name + "\n\n")
		if e.Text != "" {
			b.WriteString(e.Text + "\n\n")
		}
	}
	return strings.TrimSpace(b.String())
}

// keyTable is every key, by the part of the screen in which it works, with the name of its action in the configuration.
func keyTable(k *keys.Map) []Entry {
	var entries []Entry
	for _, g := range k.HelpGroups(nil) {
		entries = append(entries, Entry{Name: g.Title, IsHeading: true})
		for i := range g.Actions {
			a := &g.Actions[i]
			entries = append(entries, Entry{Name: cmp.Or(a.EveryKey(), "–"), Text: a.Help + " (" + a.Name + ")"})
		}
	}
	return entries
}

// headingTable is the headings of the positions table that need an explanation.
func headingTable() []Entry {
	var entries []Entry
	for _, c := range view.Columns() {
		if about := columns.About(c); about != "" {
			entries = append(entries, Entry{Name: columns.Title(c), Text: about})
		}
	}
	return entries
}

// columnTable is every column of the positions table, with its name in the configuration. A number that the service
// sends has its names in filters and in JSON too.
func columnTable() []Entry {
	var entries []Entry
	for _, c := range view.Columns() {
		text := cmp.Or(columns.Title(c), c.Key())
		for number := range model.FieldCount {
			switch name := number.FilterName(); {
			case number.Key() != c.Key():
			case name == "":
				text += fmt.Sprintf("; %s in JSON", number.Name())
			default:
				text += fmt.Sprintf("; %s in filters, %s in JSON", name, number.Name())
			}
		}
		entries = append(entries, Entry{Name: c.Key(), Text: text})
	}
	return entries
}
