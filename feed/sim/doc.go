// Package sim is a trading data service in one process: a positions stream and pages of margin levels, over a random
// market. blotter is tested against it: it shares no code with the client, and behaves as the public service
// does, even if that is unexpected. blotter --demo and blotter simulate run it, and tests script it.
//
//	market.Exchange         script.go                package faulty
//	a random market         Put, Update, Cut, ...    what can go wrong
//	      |                       |                        |
//	      | blocks                | changes, commands      | the same, at random
//	      v                       v                        v
//	+-- Node (node.go) ---------------------------------------------------------+
//	|   replica.go       the state of one node                                  |
//	|   router.go        several nodes, and which of them a request reaches     |
//	|     positions.go   positions by party and market                          |
//	|     marginlist.go  margin levels by their time                            |
//	|   stream.go        one positions stream; filter.go is its selection,      |
//	|                    queue.go what it has to send                           |
//	|   snapshot.go      how snapshots are parted, markets that streams lose    |
//	|   proxy.go         a proxy that cuts streams, or holds them back          |
//	|   paging.go        one page of margin levels; limits.go may refuse it     |
//	|   wire.go          both as JSON                                           |
//	|   script_response.go  responses that a script sets instead                |
//	|   response_writer.go  HTTP: gzip, flushing, error bodies                  |
//	+---------------------------------------------------------------------------+
//	      |
//	      v
//	serve.go: HTTP/1 and HTTP/2 on any listener, on a memnet.Listener too
//
// A Node is the whole service. With Parties and Markets in its Config it has a market, which Serve keeps moving;
// without, its state is empty until a script fills it:
//
//	node := sim.New(sim.Config{})
//	node.Put(sim.Position{Party: "network", Market: "a1", OpenVolume: 5})
//	node.Update(...)       // changes the state, and sends that to the streams
//	node.Put(...)          // changes the state: an update that was lost
//	node.Broadcast(...)    // is sent to the streams, and the state stays
//	node.StartReplicas(0, 0, time.Minute)  // three nodes, which requests reach in turn
//	node.HangReplica(1)
//	node.RouteConnections(7)               // or each connection reaches one at random
//	node.SetMarginResponse(2, sim.Response{Status: 503})
//	node.Cut()
//
// A client that has just read the end of a snapshot may still be in the gap, in which updates are not sent to it. A
// test calls synctest.Wait first, or extends the gap with HoldSnapshot.
//
// Everything works inside a testing/synctest bubble, without a network, when it is served on a Listener:
//
//	listener := sim.Listen()
//	go node.Serve(ctx, listener)
//	client := &http.Client{Transport: &http.Transport{DialContext: listener.DialContext}}
package sim
