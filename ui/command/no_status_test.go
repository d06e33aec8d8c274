package command

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"

	"blotter/feed/sim"
)

// TestAStatusThatIsNoneOfHTTP: the line has its number, and the exit code is that of a refusal.
func TestAStatusThatIsNoneOfHTTP(t *testing.T) {
	for number, words := range map[string]string{"000": "x", "001": "", "099": "x"} {
		withService(t, func(s *service) {
			listener := sim.Listen()
			s.dial = listener.DialContext
			var served sync.WaitGroup
			served.Go(func() {
				respondRaw(listener, &served, "HTTP/1.1 "+number+" x\r\nContent-Length: "+strconv.Itoa(len(words))+"\r\n\r\n"+words)
			})
			line := strings.TrimSuffix("blotter: http://sim.test: the service responded with "+number+", which is no HTTP status: "+words, ": ") + "\n"
			for _, command := range []string{"positions", "margins", "events --follow"} {
				s.run(strings.Fields(command)...).exits(4).prints("").printsErrors(line)
			}
			listener.Close()
			served.Wait()
		})
	}
}

// respondRaw sends a text as the response to each request.
func respondRaw(listener net.Listener, served *sync.WaitGroup, response string) {
	for {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		served.Go(func() {
			defer conn.Close()
			if _, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
				_, _ = io.WriteString(conn, response)
			}
		})
	}
}
