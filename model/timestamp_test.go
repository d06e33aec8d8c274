package model

import (
	"testing"
	"time"
)

func TestTime(t *testing.T) {
	for text, want := range map[string]time.Time{
		"1795240360702446000": time.Unix(1795240360, 702446000),
		"-1":                  time.Unix(0, -1),
		"0":                   {},
		"":                    {},
		"1.5":                 {},
		"9223372036854775808": {}, // one more than 64 bits hold
	} {
		got, ok := ParseAmount(text).Time()
		if ok == want.IsZero() || !got.Equal(want) {
			t.Errorf("%q is %v, %v; want %v", text, got, ok, want)
		}
	}
}
