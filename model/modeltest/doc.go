// Package modeltest makes random positions for the tests of model and of the packages below it, and compares numbers
// without the code under test. It uses only the values of package model.
package modeltest
