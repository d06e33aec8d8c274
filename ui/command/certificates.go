package command

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
)

// tls is how servers are verified and what certificate is shown to them; nil where the file says nothing.
func (d *configDocument) tls(ctx context.Context) (*tls.Config, error) {
	service := &d.Service
	if service.CAFile == "" && service.ClientCertificate == "" {
		return nil, nil
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if service.CAFile != "" {
		path := d.besides(service.CAFile)
		text, err := readFile(ctx, path, maxCertificates)
		if err != nil {
			return nil, d.problem("service.ca_file", "%w", err)
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(text) {
			return nil, d.problem("service.ca_file", "%s must hold certificates in PEM, and holds none", path)
		}
	}
	if service.ClientCertificate != "" {
		certificate, err := d.clientCertificate(ctx)
		if err != nil {
			return nil, d.problem("service.client_certificate", "%w", err)
		}
		config.Certificates = []tls.Certificate{certificate}
	}
	return config, nil
}

// maxCertificates is how many bytes a file of certificates or of a key may have.
const maxCertificates = 16 << 20

// clientCertificate reads the certificate and the key that are shown to servers.
func (d *configDocument) clientCertificate(ctx context.Context) (tls.Certificate, error) {
	certificate, err := readFile(ctx, d.besides(d.Service.ClientCertificate), maxCertificates)
	if err != nil {
		return tls.Certificate{}, err
	}
	key, err := readFile(ctx, d.besides(d.Service.ClientKey), maxCertificates)
	if err != nil {
		return tls.Certificate{}, err
	}
	pair, err := tls.X509KeyPair(certificate, key)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("cannot be used: %w", err)
	}
	return pair, nil
}
