package credentials

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"

	"blotter/ui/command/config"
	"blotter/ui/command/system"
)

// TLS returns how servers are verified and which certificate is sent to them; nil if the configuration names no
// certificates.
func TLS(ctx context.Context, file *config.File) (*tls.Config, error) {
	service := &file.Service
	if service.CAFile == "" && service.ClientCertificate == "" {
		return nil, nil
	}
	settings := &tls.Config{MinVersion: tls.VersionTLS12}
	if service.CAFile != "" {
		path := file.ResolvePath(service.CAFile)
		text, err := system.ReadFile(ctx, path, maxCertificates)
		if err != nil {
			return nil, file.Wrap("service.ca_file", err)
		}
		settings.RootCAs = x509.NewCertPool()
		if !settings.RootCAs.AppendCertsFromPEM(text) {
			return nil, file.Wrap("service.ca_file", fmt.Errorf("%s has no certificates in PEM", path))
		}
	}
	if service.ClientCertificate != "" {
		certificate, err := clientCertificate(ctx, file)
		if err != nil {
			return nil, file.Wrap("service.client_certificate", err)
		}
		settings.Certificates = []tls.Certificate{certificate}
	}
	return settings, nil
}

// maxCertificates is how many bytes a file of certificates or of a key may have.
const maxCertificates = 16 << 20

// clientCertificate reads the certificate that is sent to servers, and its key.
func clientCertificate(ctx context.Context, file *config.File) (tls.Certificate, error) {
	certificate, err := system.ReadFile(ctx, file.ResolvePath(file.Service.ClientCertificate), maxCertificates)
	if err != nil {
		return tls.Certificate{}, err
	}
	key, err := readPrivate(ctx, file.ResolvePath(file.Service.ClientKey), maxCertificates)
	if err != nil {
		return tls.Certificate{}, err
	}
	pair, err := tls.X509KeyPair(certificate, key)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("cannot be used: %w", err)
	}
	return pair, nil
}
