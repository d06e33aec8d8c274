package config

import (
	"slices"
	"testing"

	"blotter/model/view"
)

func parse(t *testing.T, text string) *File {
	t.Helper()
	f, err := Parse("a.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func profiled(t *testing.T, text, name string) *File {
	t.Helper()
	f, err := parse(t, text).WithProfile(name)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestProfileReplacesKeys(t *testing.T) {
	const text = `
[service]
name = 'main'
compression = true
[watch]
parties = ['a']
markets = ['m']
[screen]
order = 'size'
page_size = 7
[profile.desk]
service.name = 'desk'
watch.parties = ['b', 'c']
[profile.desk.screen]
order = 'unrealised'
[profile.other]
`
	f := profiled(t, text, "desk")
	if f.Profile != "desk" || f.Service.Name != "desk" || !f.Service.Compression || !slices.Equal(f.Watch.Parties, []string{"b", "c"}) ||
		!slices.Equal(f.Watch.Markets, []string{"m"}) || f.Screen.Order.Column != view.UnrealisedColumn || f.Screen.PageSize != 7 {
		t.Errorf("%+v", f)
	}
	base := parse(t, text)
	if base.Service.Name != "main" || base.Profile != "" || !slices.Equal(base.Profiles(), []string{"desk", "other"}) {
		t.Errorf("without a profile: %+v", base)
	}
	if other := profiled(t, text, "other"); other.Service.Name != "main" || other.Screen.Order.Column != view.SizeColumn {
		t.Errorf("a profile without keys: %+v", other)
	}
}

// TestProfileWithAddressesHasNoSecretsOfOthers: the token of one service must not be sent to another.
func TestProfileWithAddressesHasNoSecretsOfOthers(t *testing.T) {
	const service = `
[service]
base_urls = ['https://main']
name = 'main'
headers = { X-Key = 'secret' }
token_file = 'token'
send_token_without_tls = true
client_certificate = 'c'
client_key = 'k'
`
	s := profiled(t, service+"[profile.test]\nservice.base_urls = ['https://test']", "test").Service
	if s.Name != "" || s.Headers != nil || s.TokenFile != "" || s.SendTokenWithoutTLS || s.ClientCertificate != "" || s.ClientKey != "" {
		t.Errorf("%+v", s)
	}
	s = profiled(t, service+"[profile.test]\nservice.token_command = ['pass']", "test").Service
	if s.TokenFile != "" || !slices.Equal(s.TokenCommand, []string{"pass"}) || s.Headers == nil {
		t.Errorf("another source of the token: %+v", s)
	}
}

func TestProfileErrors(t *testing.T) {
	for _, test := range []struct{ name, file, want string }{
		{"not sections", "profile = 3", ":1: profile: must be sections: [profile.NAME]"},
		{"a key for a profile", "[profile]\nname = 'x'", ":2: profile.name: must be sections: [profile.NAME]"},
		{"name", "[profile.'a b']", ":1: profile.a b: must be named with letters, digits, - and _"},
		{"section", "[profile.a]\nx = 1\n[profile.b.servce]\nname = 'x'", ":2: profile.a.x: is not a setting"},
		{"nearly a section", "[profile.b.servce]\nname = 'x'", ":1: profile.b.servce: is not a setting; did you mean service?"},
		{"nearly a section, with points", "[profile.b]\n\nservce.name = 'x'", ":3: profile.b.servce: is not a setting; did you mean service?"},
		{"nearly a key, with points", "[profile.b]\nservice.name = 'x'\nservice.headrs.x = 'y'",
			":3: profile.b.service.headrs: is not a setting; did you mean headers?"},
		{"a value for a section", "[profile.b]\nscreen = 1", ":2: profile.b.screen: must be a section: [profile.b.screen]"},
		{"times", "[profile.b]\nfeed.answer = '1s'", ":2: profile.b.feed: is not a setting"},
		{"key", "[profile.b]\nscreen.colour = 1", ":2: profile.b.screen.colour: is not a setting"},
		{"value", "[profile.b]\n[profile.b.screen]\npage_size = 0", ":3: profile.b.screen.page_size: must be a whole number from 1 to 5000"},
		{"address", "[service]\nbase_urls = ['http://a']\n[profile.b]\nservice.base_urls = [\n'http://a',\n'b']",
			":6: profile.b.service.base_urls: \"b\" is not an address: it must begin with http:// or https:// and name a host"},
		{"two tokens", "[profile.b]\nservice.token_file = 'x'\nservice.token_command = ['y']",
			":3: profile.b.service.token_command: must not be given together with token_file"},
		{"header", "[profile.b.service.headers]\nhost = 'x'", ":2: profile.b.service.headers.host: must not be set here: requests and responses depend on it"},
		{"certificate", "[profile.b]\nservice.client_key = 'x'", ":2: profile.b.service.client_key: must be given together with client_certificate"},
		{"watch", "[profile.b]\nwatch.parties = ['']", ":2: profile.b.watch.parties: must be a name or an identifier, not an empty text"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := Parse("a.toml", []byte(test.file))
			if err == nil || err.Error() != "a.toml"+test.want {
				t.Errorf("got  %v\nwant a.toml%s", err, test.want)
			}
		})
	}
}

func TestErrorOfAnUnknownProfile(t *testing.T) {
	for file, want := range map[string]string{
		"[profile.b]\n[profile.a]": `"x" is not a profile in a.toml, which has a, b`,
		"":                         `a.toml has no profile: [profile.x]`,
	} {
		if _, err := parse(t, file).WithProfile("x"); err == nil || err.Error() != want {
			t.Errorf("%q: %v", file, err)
		}
	}
	if _, err := Default().WithProfile("x"); err == nil || err.Error() != `there is no profile "x", because there is no configuration file` {
		t.Error(err)
	}
}

func TestSettings(t *testing.T) {
	f := profiled(t, `[service]
name = 'main'
headers = { X-B = 'secret', X-A = 'secret' }
[[party]]
id = 'a'
[[party]]
id = 'b'
[profile.x]
watch.parties = [
  'a "b"']
service.name = 'x'`, "x")
	got := make(map[string]Setting)
	for _, setting := range f.Settings() {
		got[setting.Key] = setting
	}
	for _, want := range []Setting{
		{"service.name", `"x"`, "a.toml:11"},
		{"service.headers", `{ X-A = "...", X-B = "..." }`, "a.toml:3"},
		{"watch.parties", `["a \"b\""]`, "a.toml:9"},
		{"party", "2 sections", "a.toml:4"},
		{"screen.order", `"trouble"`, "default"},
		{"screen.time_zone", `"local"`, "default"},
		{"feed.audit_every", `"5m"`, "default"},
		{"feed.rows", "5000000", "default"},
		{"service.token_file", "", "default"},
	} {
		if setting := got[want.Key]; setting != want {
			t.Errorf("got %+v, not %+v", setting, want)
		}
	}
}
