// Package event has what happened to a position: a change in size, status or loss socialisation. An event
// and a [Log] take little memory, whatever texts the service sends. It uses the values of package model, and the
// source of a change from package book.
//
//	kinds   which changes of a position are events
//	event   what an event keeps of the position
//	finder  the events of changes, without those of rows that may be out of date
//	log     the newest events
package event
