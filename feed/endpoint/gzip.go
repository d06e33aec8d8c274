package endpoint

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// decode replaces the body of a response that is compressed as requested. The encoding identity is none, and x-gzip is
// an older name of gzip. Any other encoding is an error.
func (c *client) decode(response *http.Response) error {
	switch encoding := response.Header.Get("Content-Encoding"); {
	case encoding == "", strings.EqualFold(encoding, "identity"):
		return nil
	case c.config.Compression && (strings.EqualFold(encoding, "gzip") || strings.EqualFold(encoding, "x-gzip")):
		response.Body = &gzipBody{body: response.Body, compressed: bufio.NewReader(response.Body)}
		return nil
	default:
		return fmt.Errorf("the response is encoded as %q, which was not requested", encoding)
	}
}

// gzipBody reads gzip members. Go's own multistream mode does not return the end of a member before the next one has
// begun to come: if each message is a member, each would be shown only with the next one.
type gzipBody struct {
	body       io.Closer
	compressed *bufio.Reader
	member     *gzip.Reader // nil before the first
	ended      bool         // the member is over, and the next one has not begun
}

// Read can return no bytes and no error, at the end of a member.
func (g *gzipBody) Read(p []byte) (n int, err error) {
	switch {
	case g.member == nil:
		g.member, err = gzip.NewReader(g.compressed)
	case g.ended:
		err = g.member.Reset(g.compressed)
	}
	if err != nil {
		return 0, err
	}
	g.member.Multistream(false)
	n, err = g.member.Read(p)
	if g.ended = err == io.EOF; g.ended {
		err = nil
	}
	return n, err
}

func (g *gzipBody) Close() error { return g.body.Close() }
