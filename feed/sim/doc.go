// Package sim is a trading data service in one process: a positions stream
// and pages of margin levels, over a market that is made up as it goes.
//
// It is the counterpart that blotter is tried against, and an honest one: it
// shares no code with the client, and it has the wire's surprises rather than
// the manners one would wish for. blotter --demo and blotter simulate run it,
// and tests script it.
//
// A Node is the whole service. With Parties and Markets in its Config it holds
// a market that Serve keeps moving; without, its world is empty and stands
// still until the script says otherwise:
//
//	node := sim.New(sim.Config{})
//	node.Put(sim.Position{Party: "network", Market: "a1", OpenVolume: 5})
//	node.Update(...)       // the truth changes and the streams are told
//	node.Put(...)          // the truth changes: an update that was lost
//	node.Tell(...)         // the streams are told, and the truth stays
//	node.AnswerMargins(2, sim.Answer{Status: 503})
//	node.Cut()
//
// A client that has just read the end of a snapshot may still be in the gap,
// where an update is lost to it. A test calls synctest.Wait first, or makes
// the gap as wide as it likes with HoldSnapshot.
//
// Everything works inside a testing/synctest bubble, without a network, when
// it is served on a Listener:
//
//	listener := sim.Listen()
//	go node.Serve(ctx, listener)
//	client := &http.Client{Transport: &http.Transport{DialContext: listener.DialContext}}
package sim
