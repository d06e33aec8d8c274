package config

import (
	"errors"
	"testing"
)

// TestPlacesOfKeys: a key has the line that it is on, also in a profile, and else that of the section around it.
func TestPlacesOfKeys(t *testing.T) {
	text := []byte("[service]\nname = 'a'\n\n[[market]]\nid = 'm'\n\n[profile.x]\nservice.name = 'b'\n")
	p := places{Path: "a.toml", lines: linesOf(text), inEffect: map[string]string{"service.name": "service.name", "market": "market"}}
	for key, want := range map[string]string{
		"service.name": "a.toml:2", "market[0].id": "a.toml:5", "market[0].name": "a.toml:4", "service.compression": "a.toml:1",
	} {
		if got := p.at(key); got != want {
			t.Errorf("%s is at %s, want %s", key, got, want)
		}
	}
	if from := p.From("service.compression"); from != "default" {
		t.Errorf("a key that the file does not have is from %s", from)
	}
	p.inEffect["service.name"] = "profile.x.service.name"
	if err := p.Wrap("service.name", errors.New("is wrong")); err.Error() != "a.toml:8: profile.x.service.name: is wrong" {
		t.Error(err)
	}
}
