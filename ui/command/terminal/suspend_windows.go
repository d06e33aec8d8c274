package terminal

// CanSuspend reports whether the system suspends the program. Windows does not, and Bubble Tea does nothing then.
func CanSuspend() bool { return true }
