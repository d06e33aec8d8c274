// Package memnet is a network in memory, for services that are reached inside the program, also in a bubble of
// testing/synctest.
//
//	listener   the listener, and how its connections are opened, broken and counted
//	conn       one end of a connection
//	pipe       the bytes in one direction
package memnet
