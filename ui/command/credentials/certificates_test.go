package credentials

import (
	"os"
	"strings"
	"testing"

	"blotter/feed/sim"
)

func TestCertificatesOfTheConfiguration(t *testing.T) {
	_, authority, err := sim.Certificate("localhost")
	if err != nil {
		t.Fatal(err)
	}
	f := newFolder(t)
	f.write(t, "ca.pem", string(authority))
	f.write(t, "empty.pem", "")
	if err := os.Chmod(f.write(t, "open.pem", string(authority)), 0o640); err != nil {
		t.Fatal(err)
	}
	settings, err := TLS(t.Context(), f.configuration(t, ""))
	if settings != nil || err != nil {
		t.Errorf("without certificates: %v, %v", settings, err)
	}
	settings, err = TLS(t.Context(), f.configuration(t, "[service]\nca_file = 'ca.pem'"))
	if err != nil || settings.RootCAs == nil || len(settings.Certificates) > 0 {
		t.Errorf("with the certificate of an authority: %+v, %v", settings, err)
	}
	for name, test := range map[string]struct{ text, want string }{
		"no PEM":           {"ca_file = 'empty.pem'", ":2: service.ca_file: FOLDER/empty.pem has no certificates in PEM"},
		"no such file":     {"ca_file = 'none.pem'", ":2: service.ca_file: FOLDER/none.pem cannot be read: no such file or directory"},
		"no key":           {"client_certificate = 'ca.pem'\nclient_key = 'ca.pem'", ":2: service.client_certificate: cannot be used: "},
		"no such key file": {"client_certificate = 'ca.pem'\nclient_key = 'none'", ":2: service.client_certificate: FOLDER/none cannot be read: "},
		"key that others can read": {"client_certificate = 'ca.pem'\nclient_key = 'open.pem'",
			":2: service.client_certificate: FOLDER/open.pem can be read by others; correct it with: chmod 600 FOLDER/open.pem"},
	} {
		_, err := TLS(t.Context(), f.configuration(t, "[service]\n"+test.text))
		if err == nil || !strings.HasPrefix(err.Error(), f.path+"/config.toml"+strings.ReplaceAll(test.want, "FOLDER", f.path)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
