// Package command is the command line. Only this package and those below it import both feed and ui. It puts the
// configuration together from flags, environment and file, and opens what a command needs.
//
//	root                        the tree of commands
//	run                         how a run of the program begins and ends
//	outputs                     standard output, standard error and the log of a run
//	completion, config,         one command each
//	config_init, dashboard,
//	doctor, events, help, man,
//	margins, positions, replay,
//	schema, serve, simulate
//	short_help                  what --help prints
//	flags                       the settings of a command: flags, environment and file
//	print_flags,                what several commands need
//	record_flags, screen_flags,
//	positions_assets,
//	configuration,
//	configuration_file, screen,
//	alert_commands,
//	profile_switch, rewind,
//	metrics_server, demo,
//	simulate_nodes, serve_desk, serve_alerts,
//	serve_past, serve_traders, serve_lines,
//	serve_keys, serve_commands,
//	visible, collector, reader,
//	threads
//
// What is not a command itself is in the packages below this one.
package command
