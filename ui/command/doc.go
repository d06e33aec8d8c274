// Package command is the command line: one file a command, and the configuration put together from flags,
// environment and file. It is the one place that knows both feed and ui.
package command
