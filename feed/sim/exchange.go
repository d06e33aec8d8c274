package sim

import "context"

type exchange struct{ instruments Instruments }

func newExchange(Config) *exchange                   { return &exchange{} }
func (e *exchange) open(*Node)                       {}
func (e *exchange) run(ctx context.Context, _ *Node) { <-ctx.Done() }
func (n *Node) chaos(ctx context.Context)            { <-ctx.Done() }
