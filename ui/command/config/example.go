package config

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

const exampleHead = "blotter's configuration, with every key. Copy it to blotter/config.toml in your configuration folder (~/.config on Linux), " +
	"or give it with --config or $BLOTTER_CONFIG.\n\n" +
	"A line that is not a comment is the default. Flags override the environment, and the environment overrides this file."

// Example returns the text of config.example.toml: all keys with what they are for, their ranges and their defaults. A
// key without a default is a comment with a value to begin with.
func Example() string {
	var b strings.Builder
	writeComment(&b, exampleHead)
	for _, section := range new(File).sections() {
		b.WriteString("\n")
		writeComment(&b, section.help)
		if section.list == nil {
			b.WriteString("[" + section.name + "]\n")
			section.keys.write(&b, "")
		} else {
			b.WriteString("# [[" + section.name + "]]\n")
			section.list().write(&b, "# ")
		}
	}
	return b.String()
}

// write writes each key after its comment. Keys of a list of sections are comments, because there is none by default.
func (k keys) write(b *strings.Builder, prefix string) {
	for i, key := range k {
		if i > 0 && key.help != "" {
			b.WriteString("\n")
		}
		help, value := key.help, key.kind.usual
		if bounds := key.kind.bounds; bounds != "" && prefix == "" {
			help = strings.TrimSpace(help + " " + strings.ToUpper(bounds[:1]) + bounds[1:] + ".")
		}
		writeComment(b, help)
		if value == "" {
			value = key.sample
			if prefix == "" {
				b.WriteString("# ")
			}
		}
		b.WriteString(prefix + key.name + " = " + value + "\n")
	}
}

func writeComment(b *strings.Builder, text string) {
	if text == "" {
		return
	}
	const width = 116
	for line := range strings.SplitSeq(ansi.Wordwrap(text, width, " "), "\n") {
		b.WriteString(strings.TrimRight("# "+line, " ") + "\n")
	}
}
