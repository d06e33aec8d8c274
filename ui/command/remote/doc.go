// Package remote shows a screen to each trader who connects with SSH, or runs a command.
//
//	connection ─> admission ─> handshake ─> public key of a trader ─> "session" channel ─> terminal and shell ─> screen
//
// A connection is authenticated with a public key alone. A channel shows a screen after the requests pty-req and shell;
// window-change changes its size. Without a terminal, or if it is dumb, lines of words are written. The request exec
// runs a command in place of a screen, if the server has commands. Everything else is refused: subsystems, forwarding,
// agents, and all of the environment but what says how a terminal draws.
//
// No trader can end the screen of another: all that a client sends is bounded, a panic in a screen ends its session
// alone, and a client that does not read its output is disconnected.
//
//	server       the server: its limits, its listener and its sessions
//	traders      the traders and their keys
//	connection   a connection before and after its key is verified
//	algorithms   which algorithms are not offered
//	pulse        whether the client of a connection answers
//	session      the requests of a channel
//	screen       the Bubble Tea program of a session
//	queue        what the trader did, until the screen has it
//	command      the command of a session, and how many there may be
//	output       what is written to the client, with a deadline
//	environment  which variables of the client are used
package remote
