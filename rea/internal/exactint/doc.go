// Package exactint reads integers from their JSON spelling without ever passing
// through a floating-point number: 9007199254740993 is not 9007199254740992.
//
// It promises to accept exactly the spellings that denote an integer in range,
// decimal points and exponents included, in time bounded by the spelling. It
// never rounds and never reads text.
package exactint
