// Package dialog has what lies over the panes for a moment: lines in which one types, lists, forms and questions. Each
// is a pane.Pane with its Actions, in the file that is named after it; the shell opens it (ui/dialogs.go). None keeps
// what it changes: it returns effects.
package dialog
