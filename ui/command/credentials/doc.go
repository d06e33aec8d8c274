// Package credentials reads what a connection to the service is authenticated with: the bearer token, from the
// environment, a file or a command (token.go), and the certificates for TLS (certificates.go). It uses the
// configuration. No error has a token in it.
package credentials
