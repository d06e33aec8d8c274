package command

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io/fs"
	"os"
)

// tls is how servers are verified and what certificate is shown to them; nil where the file says nothing.
func (d *configDocument) tls() (*tls.Config, error) {
	service := &d.Service
	if service.CAFile == "" && service.ClientCertificate == "" {
		return nil, nil
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if service.CAFile != "" {
		path := d.besides(service.CAFile)
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, d.problem("service.ca_file", "%s cannot be read: %w", path, reason(err))
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(text) {
			return nil, d.problem("service.ca_file", "%s must hold certificates in PEM, and holds none", path)
		}
	}
	if service.ClientCertificate != "" {
		certificate, err := tls.LoadX509KeyPair(d.besides(service.ClientCertificate), d.besides(service.ClientKey))
		if err != nil {
			return nil, d.problem("service.client_certificate", "cannot be used: %w", err)
		}
		config.Certificates = []tls.Certificate{certificate}
	}
	return config, nil
}

// reason is why a file could not be read, without its path, which the line names already.
func reason(err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return path.Err
	}
	return err
}
