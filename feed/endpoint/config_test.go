package endpoint

import (
	"strings"
	"testing"
)

// TestGuard: a panic is passed on with its stack trace, and nothing else is; without OnPanic it is not caught.
func TestGuard(t *testing.T) {
	var reasons []any
	var trace string
	service := Service{OnPanic: func(reason any, stack []byte) { reasons, trace = append(reasons, reason), string(stack) }}
	guarded := func(s Service, task func()) (reason any) {
		defer func() { reason = recover() }()
		defer s.Guard()
		task()
		return nil
	}
	trouble := func() { panic("trouble") }
	if reason := guarded(service, func() {}); reason != nil || len(reasons) != 0 {
		t.Errorf("without a panic: %v, %v", reason, reasons)
	}
	if reason := guarded(service, trouble); reason != nil || len(reasons) != 1 || reasons[0] != "trouble" || !strings.Contains(trace, "TestGuard") {
		t.Errorf("a panic: %v, %v, %s", reason, reasons, trace)
	}
	if reason := guarded(Service{}, trouble); reason != "trouble" {
		t.Errorf("without OnPanic: %v", reason)
	}
}
