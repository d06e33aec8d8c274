// Package system is what blotter does with the machine that it runs on: files, and programs that the configuration
// names. A file is read within a limit of bytes and until a context is done, and written completely or not at all. A
// program ends within a limit of time, with the programs that it has started if they are its group, and inherits no
// file and no connection. The log has a bound, and never blocks. No error has the output of a program, which may be
// secret.
//
//	read             a whole file, up to a limit
//	write            a whole file, new or in place of another
//	simulated_file   the files of blotter simulate, which replace only each other
//	lock             a lock between programs, on a file of its own
//	log              the log: its queue, its limits, its file
//	panics           a panic in any goroutine is the error of the run, and its stack trace is kept
//	program          programs of the configuration, and the process group or the job object of one
package system
