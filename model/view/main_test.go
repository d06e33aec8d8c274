package view

import (
	"testing"

	"blotter/model/modeltest"
)

func TestMain(m *testing.M) { modeltest.Run(m) }
