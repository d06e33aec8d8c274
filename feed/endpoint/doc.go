// Package endpoint sends the requests to the service, and decides where and when: one positions stream for each Lease,
// one page of margin levels for each call of Pool.Page. All requests are GET.
//
// # Circuit breakers
//
// A Pool has the addresses of one service and tries them in turn. Each address has a circuit breaker for each of the
// three kinds of use (active streams, standby streams, pages), so that a ban of pages does not end streams:
//
//	  ┌───────────── it stays up for the probation ─────────────┐
//	  ▼                                                         │
//	closed ─── failure ──▶ open until a time ─────────▶ half-open: one trial for all
//	                               ▲                            │
//	                               └────────── failure ─────────┘
//
// While it is closed, up to ten connections are opened at once. An address that was never tried is half-open. Many
// connections that break at once are one failure. The number of failures is forgotten after HealthyAfter. The table in
// policy.go defines how long a breaker stays open, and a time that the service names (Retry-After) counts up to 15
// minutes. It is no failure if the connection of a stream that was open for some time is closed, because proxies do
// that: reopening.go. While the breaker is not closed, an address gets at most six dials a minute, of streams and pages
// together, see dial_budget.go; one audit in ten seconds may exceed that. A connection that this machine has refused to
// itself, because the service does not run, costs nothing: it does not count, and is tried again each second.
//
// Why no library is used: cenkalti/backoff spaces the tries of one caller, x/time/rate allows a full bucket and its
// refill (twelve dials in a minute if six are allowed) and gobreaker counts calls that return. None of them has
// streams that stay open, times that the service names, and one trial for many.
//
// # Errors
//
// Every error that leaves the package is one line of plain English without control characters and without the token;
// errors.go is the place where that is done.
package endpoint
