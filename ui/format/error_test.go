package format

import (
	"errors"
	"fmt"
	"testing"
)

// placed is an error that begins with its place.
type placed struct {
	place, gap string
	err        error
}

func (p *placed) Error() string { return p.place + p.gap + p.err.Error() }
func (p *placed) Place() string { return p.place }
func (p *placed) Unwrap() error { return p.err }

func TestPlacesOfFilesComeLastInAnError(t *testing.T) {
	unreadable := &placed{"/a b/no.token", " ", errors.New("cannot be read:\nno such file")}
	for want, err := range map[string]error{
		"no such party": errors.New("no such party"),
		"the file cannot be read: no such file (/a b/no.token)":       unreadable,
		"key: wrong: x (/a/c.toml:2)":                                 &placed{"/a/c.toml:2", ": ", errors.New("key: wrong: x")},
		"names are not used: key: wrong (/n.toml)":                    fmt.Errorf("names are not used: %w", &placed{"/n.toml", ": ", errors.New("key: wrong")}),
		"the file cannot be read: no such file (/c:4, /a b/no.token)": &placed{"/c:4", ": ", unreadable},
	} {
		if got := Error(err); got != want {
			t.Errorf("the error is %q, want %q", got, want)
		}
	}
}
