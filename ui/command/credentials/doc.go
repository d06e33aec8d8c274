// Package credentials reads what a connection to the service is authenticated with: the bearer token, from the
// environment, a file or a command (token.go), and the certificates for TLS (certificates.go). It also reads the files
// of blotter serve: the host key (host_key.go), and keys of traders (key_file.go). It uses the configuration. No error
// has a token in it.
package credentials
