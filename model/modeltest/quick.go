//go:build !thorough

package modeltest

// IsThorough is false without the build tag thorough: slow tests that seldom fail do a part of what they can.
const IsThorough = false
