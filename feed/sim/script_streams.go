package sim

import (
	"sync"
	"time"
)

// scriptedStreams are the open streams of a Node, and what a script does to all of them.
type scriptedStreams struct {
	lock    *sync.Mutex // that of the Node
	streams map[*stream]struct{}
}

func (s *scriptedStreams) send(c command) {
	s.lock.Lock()
	defer s.lock.Unlock()
	for stream := range s.streams {
		stream.push(c)
	}
}

// Raw writes bytes to every open stream, whatever they are.
func (s *scriptedStreams) Raw(text []byte) { s.send(command{kind: sendText, text: text}) }

// Hang makes every open stream send nothing more and stay open, until Cut, End or the like, or until its client
// closes it. After Raw with half a message the stream stops inside it. Streams that are opened later are not affected.
func (s *scriptedStreams) Hang() { s.send(command{kind: hangBody}) }

// Repeat is Hang, but every stream writes the text at intervals: white space, or a message without content.
func (s *scriptedStreams) Repeat(text string, every time.Duration) {
	s.send(command{kind: hangBody, text: []byte(text), every: every})
}

// Cut closes the connection of every open stream in the middle of the body.
func (s *scriptedStreams) Cut() { s.send(command{kind: cutBody}) }

// End ends every open stream cleanly and without an error.
func (s *scriptedStreams) End() { s.send(command{kind: endBody}) }

// Drop ends every open stream as the service ends that of a slow reader: with an error object that has no newline, and
// a clean end. A stream that has sent nothing yet responds with 500.
func (s *scriptedStreams) Drop() { s.send(command{kind: failBody, text: streamDropped.wrapped()}) }

// Shutdown ends every open stream as a service does that is stopped. Further requests are taken.
func (s *scriptedStreams) Shutdown() { s.send(command{kind: failBody, text: streamClosing.wrapped()}) }
