// Package exactint reads integers from their JSON spelling without ever passing
// through a floating-point number: 9007199254740993 is not 9007199254740992. And
// it counts with them: sums that outgrow 64 bits, and unions of half-open
// ranges.
//
// It promises to accept exactly the spellings that denote an integer in range,
// decimal points and exponents included, in time bounded by the spelling; and
// that sums and unions are exact. It never rounds, never wraps around and never
// reads text.
package exactint
