package faulty

import (
	"context"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"blotter/feed/sim"
)

// Each fault changes what clients read: without it, the same service always sends the same.
func TestEveryFaultReachesAClient(t *testing.T) {
	none := received(t, fault{begin: func(*Chaos) {}})
	if again := received(t, fault{begin: func(*Chaos) {}}); again != none {
		t.Fatal("without a fault, two runs differ")
	}
	for _, fault := range faults {
		t.Run(fault.name, func(t *testing.T) {
			got := received(t, fault)
			if got == none {
				t.Error("no client reads it")
			}
			if named := strings.Contains(fault.name, "token"); named && !strings.Contains(got, "secret") {
				t.Error("no client reads its token")
			}
		})
	}
}

// received returns all that a few clients read from a service while it has the fault for ten seconds, and shortly
// before and after.
func received(t *testing.T, f fault) (read string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		transcript := &transcript{}
		n := sim.New(sim.Config{Seed: 1, Parties: 10, Markets: 8, Rate: 10})
		l := serve(t, n)
		var protocols http.Protocols
		protocols.SetUnencryptedHTTP2(true)
		for i, transport := range []*http.Transport{{}, {}, {Protocols: &protocols}, {Protocols: &protocols}} {
			transport.DisableCompression = true
			transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
				conn, err := l.DialContext(ctx, network, address)
				return transcript.record(conn), err
			}
			path := []string{streams, margins}[i%2]
			go func() {
				time.Sleep(time.Duration(i+1) * 100 * time.Millisecond) // no two requests come at the same time, or at that of a block
				sendRequests(t.Context(), &http.Client{Transport: transport}, path)
			}()
		}
		time.Sleep(3500 * time.Millisecond)
		c := of(n)
		f.begin(c)
		time.Sleep(10 * time.Second)
		n.Heal(f.cuts)
		time.Sleep(4 * time.Second)
		synctest.Wait()
		read = transcript.String()
	})
	return read
}

// sendRequests sends a request each second, or when the last response has ended.
func sendRequests(ctx context.Context, client *http.Client, path string) {
	defer client.CloseIdleConnections()
	for sleep(ctx, time.Second) {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, path, nil)
		if err != nil {
			panic(err) // the address is a constant
		}
		request.Header.Set("Authorization", "Bearer secret")
		if response, err := client.Do(request); err == nil {
			_, _ = io.Copy(io.Discard, response.Body)
			_ = response.Body.Close()
		}
	}
}

// transcript is what was read from several connections.
type transcript struct {
	mu          sync.Mutex
	connections []*strings.Builder
}

func (t *transcript) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var texts []string
	for _, c := range t.connections {
		texts = append(texts, withoutSettings(c.String()))
	}
	slices.Sort(texts)
	return strings.Join(texts, "\n")
}

// withoutSettings returns what was read without those HTTP/2 frames that come in no certain order.
func withoutSettings(read string) string {
	if strings.HasPrefix(read, "HTTP/1") {
		return read
	}
	const frameHeader, settings, windowUpdate = 9, 4, 8
	var kept strings.Builder
	for len(read) >= frameHeader {
		size := frameHeader + int(read[0])<<16 + int(read[1])<<8 + int(read[2])
		if kind := read[3]; kind != settings && kind != windowUpdate {
			kept.WriteString(read[:min(size, len(read))])
		}
		read = read[min(size, len(read)):]
	}
	return kept.String()
}

// record returns the connection, and adds to the transcript what is read from it.
func (t *transcript) record(conn net.Conn) net.Conn {
	if conn == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	read := &strings.Builder{}
	t.connections = append(t.connections, read)
	return &recorded{conn, t, read}
}

type recorded struct {
	net.Conn
	transcript *transcript
	read       *strings.Builder
}

func (r *recorded) Read(b []byte) (int, error) {
	n, err := r.Conn.Read(b)
	r.transcript.mu.Lock()
	defer r.transcript.mu.Unlock()
	r.read.Write(b[:n])
	return n, err
}
