// Package command is the command line, with one file for each command. It is the only package that knows both feed and
// ui. It puts the configuration together from flags, environment and file (package config), reads files and tokens, and
// makes sure that the terminal is reset however the program ends.
package command
