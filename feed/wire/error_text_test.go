package wire

import (
	"strings"
	"testing"
)

func TestErrorText(t *testing.T) {
	for body, want := range map[string]string{
		`{"code":3,"message":"m","details":[{"message":"d","inner":"i"}]}`: "m: d: i",
		`{"error":{"code":8,"message":"too many"}}`:                        "too many",
		`{"error":"text"}`: "text",
		`{"code":5,"message":"Not Found","details":[]}`: "Not Found",
		`{"code":5}`:                         `{"code":5}`,
		"<html>\n<body>Log in</body></html>": "Log in",
		" \n<!DOCTYPE html>":                 "",
		"<html>\r\n<head><title>503 Service\nTemporarily Unavailable</title></head>\r\n<body><h1>Down</h1></body></html>":                                                  "503 Service Temporarily Unavailable",
		"<!DOCTYPE html><html><head><title> </title><style>p{}</style><script>if (a<b) {}</script></head><!-- no --><body><h1>No&nbsp;server</h1><p>is available &#27;[2J": "No server is available ␛[2J",
		"upstream connect error\nor disconnect\t reset":   "upstream connect error or disconnect reset",
		"{\n  \"status\": 503,\n  \"title\": \"down\"\n}": `{ "status": 503, "title": "down" }`,
		"<html>" + strings.Repeat("<p>x", 1000):           strings.Repeat("x ", 99) + "x…",
		`{"message":"cut`:                                 `{"message":"cut`,
		"":                                                "",
		`{"message":"a\u001b[2Jb"}`:                       "a␛[2Jb",
	} {
		if got := ErrorText([]byte(body)); got != want {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
}

func TestOneLine(t *testing.T) {
	for text, want := range map[string]string{
		"":                        "",
		" \r\n\t\n":               "",
		"\n\n  first \nsecond":    "first",
		strings.Repeat("é", 5000): strings.Repeat("é", 199) + "…",
		strings.Repeat("界", 5000): strings.Repeat("界", 99) + "…",
		"bad \xff bytes":          "bad <U+FFFD> bytes",
	} {
		if got := OneLine([]byte(text)); got != want {
			t.Errorf("%.20q: %q, want %q", text, got, want)
		}
	}
	long := []byte(strings.Repeat("\u0301", 100_000)) // each becomes <U+0301>
	if got := testing.AllocsPerRun(1, func() { OneLine(long) }); got > 20*lineCells {
		t.Errorf("all of a long line is neutralised, in %v allocations", got)
	}
	for _, text := range []string{"\x1b[31mred", "a\x07b", "\u202eevil", "\u009b2J", "x\ry"} {
		if got := OneLine([]byte(text)); strings.ContainsAny(got, "\x1b\x07\u202e\u009b\r") || got == "" {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}
