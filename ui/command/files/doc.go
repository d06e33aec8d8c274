// Package files reads, creates and replaces files: completely or not at all, within a limit of bytes, and until a
// context is done. It keeps the log within its bounds.
//
//	read             a whole file, up to a limit
//	write            a whole file, new or in place of another
//	simulated_file   the files of blotter simulate, which replace only each other
//	lock             a lock between programs, on a file of its own
//	log              the log: its queue, its limits, its file
package files
