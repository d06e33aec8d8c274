// Package topics has the pages of help about one thing each: for blotter help, the man pages, and the screen. Their
// texts are in text/; the tables of the program fill them: keys, columns, fields of filters, kinds of events,
// settings, flags and exit codes.
//
//	topics    the list of topics; from a text to the lines of a page
//	pages     the pages of help on the screen
//	facts     what is filled in
//	markup    the parts of a page: headings, paragraphs, lists, samples; how lines and man pages have them
package topics

import (
	"embed"
	"fmt"
	"strings"

	"blotter/ui/keys"
)

// Topic is a page of help.
type Topic struct {
	Name  string // what blotter help is followed by
	Title string // what it is about, in a few words
}

// All returns every topic, in the order in which they are listed.
func All() []Topic {
	return []Topic{
		{"keys", "every key, by the part of the screen"},
		{"filters", "which positions and events are shown: the language of filters"},
		{"screen", "what the screen shows, and what its words mean"},
		{"alerts", "rules that mark positions, and tell you"},
		{"recordings", "recording, replay and rewind"},
		{"scripts", "commands that print: formats, exit codes, metrics"},
		{"configuration", "the file, and all of its settings"},
		{"troubleshooting", "nothing is shown, or it is old"},
		{"simulation", "the demo, and a simulated service with faults"},
		{"serve", "one feed for the screens of several traders, over SSH"},
		{"flags", "every flag of every command"},
	}
}

// Find returns the topic of a name, and whether there is one.
func Find(name string) (Topic, bool) {
	for _, t := range All() {
		if t.Name == name {
			return t, true
		}
	}
	return Topic{}, false
}

//go:embed text
var texts embed.FS

// Lines returns the page in lines of at most width cells.
func (t Topic) Lines(f Facts, k *keys.Map, width int) []string { return linesOf(t.page(f, k), width) }

// Man returns the page as a man page of blotter's version, without a date: the same program prints the same page.
func (t Topic) Man(f Facts, k *keys.Map, version string) string {
	name := "blotter-" + t.Name
	head := fmt.Sprintf(".TH %s 1 \"\" %q \"User Commands\"\n.SH NAME\n%s \\- %s\n", strings.ToUpper(name),
		"blotter "+version, roffText(name), roffText(t.Title))
	return head + roffOf(t.page(f, k)) + ".SH SEE ALSO\n.BR blotter (1)\n"
}

// page returns the text of the topic, with the facts and the keys.
func (t Topic) page(f Facts, k *keys.Map) string {
	text, err := texts.ReadFile("text/" + t.Name + ".txt")
	if err != nil {
		panic(err) // a mistake in this package, which its test finds
	}
	return k.Fill(f.replacer(k).Replace(string(text)))
}
