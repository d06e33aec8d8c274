package command

import (
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// schema compiles the definition of the printed document, or with an empty name the whole.
func (s *service) schema(definition string) *jsonschema.Schema {
	s.t.Helper()
	const address = "file:///blotter.schema.json"
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(s.run("schema").exits(0).printsErrors("").output))
	if err != nil {
		s.t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource(address, document); err != nil {
		s.t.Fatal(err)
	}
	if definition != "" {
		definition = "#/$defs/" + definition
	}
	compiled, err := compiler.Compile(address + definition)
	if err != nil {
		s.t.Fatal(err)
	}
	return compiled
}

// holds checks that the schema of a definition allows a text, and that the whole schema does.
func (s *service) holds(definition, text string) {
	s.t.Helper()
	for _, name := range []string{definition, ""} {
		if err := s.allows(name, text); err != nil {
			s.t.Errorf("%s: %v", text, err)
		}
	}
}

func (s *service) allows(definition, text string) error {
	s.t.Helper()
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		s.t.Fatal(err)
	}
	return s.schema(definition).Validate(value)
}

func TestSchemaMatchesPrintedOutput(t *testing.T) {
	withService(t, func(s *service) {
		s.holds("positions", s.run("positions", "-o", "json").exits(0).output)
		s.holds("marginRecords", s.run("margins", "-o", "json").exits(0).output)
		s.holds("positions", s.run("positions", "--demo", "-o", "json").exits(0).output)
		s.holds("marginRecords", s.run("margins", "--demo", "-o", "json").exits(0).output)
		line, _, _ := strings.Cut(s.run("margins", "--demo", "-o", "ndjson").exits(0).output, "\n")
		s.holds("marginLevels", line)
	})
}

func TestSchemaMatchesLinesOfFollow(t *testing.T) {
	withService(t, func(s *service) {
		s.Put(first)
		run := s.start("positions", "-o", "ndjson", "--follow")
		s.after(time.Second)
		shown := run.output.take()
		s.Remove(first.Key())
		s.Cut()
		s.after(5 * time.Second)
		gone := run.output.take()
		run.interrupt()
		run.result()
		s.holds("position", shown)
		s.holds("followLine", shown)
		s.holds("removed", gone)
		s.holds("followLine", gone)
	})
}

func TestSchemaRejectsOtherOutput(t *testing.T) {
	withService(t, func(s *service) {
		for definition, text := range map[string]string{
			"position":      `{"marketId":"m1","partyId":"p1"}`,
			"removed":       `{"marketId":"m1","partyId":"p1","removed":false}`,
			"followLine":    `{"marketId":"m1","partyId":"p1","removed":true,"more":"x"}`,
			"positions":     `[{"marketId":"m1"}]`,
			"marginRecords": `[{"asset":"a1"}]`,
			"":              `{}`,
		} {
			if s.allows(definition, text) == nil {
				t.Errorf("%s allows %s", definition, text)
			}
		}
	})
}
