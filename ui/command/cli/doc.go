// Package cli is what a run of the program promises to the shell or script that started it.
//
//	exit      the exit codes, the errors that have one, and the line that an error is on standard error
//	output    standard output: the error of a write has an exit code; the end of a reader such as head is no failure
//	version   which build this is: what the linker set in a release, or else what Go recorded in the program
//
// An error that the configuration or the feed returns has an exit code too, so cli imports both.
package cli
