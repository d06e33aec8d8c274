package command

import (
	"net/http"
	"slices"
	"strings"
)

// ownHeaders are those that a request cannot do with otherwise than blotter has them.
var ownHeaders = []string{"Accept", "Accept-Encoding", "Connection", "Content-Length", "Host", "Range", "Transfer-Encoding"}

// checkService checks what the section says that can be checked without using it.
func (d *configDocument) checkService() error {
	service := &d.Service
	for _, name := range sortedKeys(service.Headers) {
		key, value := "service.headers."+name, service.Headers[name]
		switch {
		case !isHeaderName(name):
			return d.problem(key, "must be the name of a header: letters, digits and -")
		case strings.ContainsFunc(value, isControl):
			return d.problem(key, "must be a text without control characters")
		case strings.EqualFold(name, "Authorization"):
			return d.problem(key, "must not be set here: use token_file, token_command or $BLOTTER_TOKEN, which keep the token off other hosts")
		case slices.Contains(ownHeaders, http.CanonicalHeaderKey(name)):
			return d.problem(key, "must not be set here: requests and answers depend on it")
		}
	}
	if service.TokenFile != "" && len(service.TokenCommand) > 0 {
		return d.problem("service.token_command", "must not be given together with token_file")
	}
	if d.lines.has("service.token_command") && (len(service.TokenCommand) == 0 || service.TokenCommand[0] == "") {
		return d.wrong("service.token_command")
	}
	if service.ClientCertificate != "" && service.ClientKey == "" {
		return d.problem("service.client_certificate", "must be given together with client_key")
	}
	if service.ClientKey != "" && service.ClientCertificate == "" {
		return d.problem("service.client_key", "must be given together with client_certificate")
	}
	for key, text := range map[string]string{
		"service.token_file": service.TokenFile, "service.ca_file": service.CAFile,
		"service.client_certificate": service.ClientCertificate, "service.client_key": service.ClientKey,
	} {
		if d.lines.has(key) && text == "" {
			return d.wrong(key)
		}
	}
	return nil
}

// header is what goes along with every request.
func (d *configDocument) header() http.Header {
	header := make(http.Header, len(d.Service.Headers))
	for name, value := range d.Service.Headers {
		header.Set(name, value)
	}
	return header
}

// isHeaderName tells whether text is a token in the sense of RFC 9110, section 5.6.2.
func isHeaderName(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool {
		isWord := '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		return !isWord && !strings.ContainsRune("!#$%&'*+-.^_`|~", r)
	})
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }

// sortedKeys are the keys of m in order, so that of several errors the same one is told each time.
func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
