//go:build thorough

package modeltest

// IsThorough is true with the build tag thorough: slow tests do all that they can.
const IsThorough = true
