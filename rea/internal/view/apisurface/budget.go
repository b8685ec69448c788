package apisurface

import (
	"rea.example/rea/internal/failure"
	"rea.example/rea/internal/limits"
	"rea.example/rea/internal/view"
)

// Prices of what is allocated. A byte of text may be written as six (\u0000).
const (
	entryPrice = 64  // of a set or map entry
	itemPrice  = 16  // of a number or reference in a list
	groupPrice = 256 // of a group without what varies
)

func textPrice(bytes int) int64 { return 16 + 6*int64(bytes) }

// budget is the account of one view.
type budget struct{ used, most int64 }

func newBudget() *budget { return &budget{most: limits.SurfaceBytes} }

// reserve takes an amount, or says that it isn't there.
func (b *budget) reserve(amount int64) bool {
	if amount > b.most-b.used {
		return false
	}
	b.used += amount
	return true
}

func (b *budget) release(amount int64) { b.used -= amount }

func exceeded(p *view.Parent) error {
	return &failure.Failure{
		Code:    failure.ResourceConstraint,
		Message: "the groups of this capture need more than the budget of the view",
		Action:  "Inspect the capture with fewer records selected, and look at the parts one after the other.",
		Details: map[string]any{"operation": view.Operation, "resource": "memory", "reason": "the projection is over its representation budget",
			"reported_limits": map[string]any{
				"boundary": "api-surface-projection", "maximum_representation_bytes": limits.SurfaceBytes, "parent_evidence_id": p.ID,
			}},
	}
}
