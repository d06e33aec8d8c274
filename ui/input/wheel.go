package input

import tea "charm.land/bubbletea/v2"

// Wheel is several turns of the wheel in one direction.
type Wheel struct {
	tea.MouseWheelMsg
	Turns int
}
