package results

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"rea.example/verify/report"
)

// Line is a text for a place within one line, such as a name: Visible, with its
// line feeds spelled out, too. Programs read lines as well, and some obey them.
func Line(text string) string { return strings.ReplaceAll(Visible(text), "\n", `\n`) }

// Visible spells out what a reader could not see in a text: control characters
// other than the line feed, characters that turn the direction of reading or have
// no shape, and bytes that are no UTF-8. Whatever a report quotes, a view shows.
func Visible(text string) string {
	var b strings.Builder
	for i, r := range text {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD"):
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case r == '\n' || !unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co, unicode.Cs):
			b.WriteRune(r)
		default:
			quoted := strconv.QuoteRuneToASCII(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		}
	}
	return b.String()
}

// Short is a text of at most so many runes, and says what was cut.
func Short(text string, runes int) string {
	n := utf8.RuneCountInString(text)
	if n <= runes {
		return text
	}
	return string([]rune(text)[:runes]) + fmt.Sprintf(" … (%s more characters in the report)", Count(n-runes))
}

// Count is a number with commas between its thousands.
func Count(n int) string {
	digits := strconv.Itoa(n)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

// Counted is a number and its noun: "1 lane", "2 lanes".
func Counted(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return Count(n) + " " + noun
}

// Span is a duration as one says it: "40 ms", "9.1 s", "3 min 12 s", "2 h 5 min",
// "3 days".
func Span(d time.Duration) string {
	switch {
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Truncate(100*time.Millisecond).Seconds())
	case d < time.Hour:
		return fmt.Sprintf("%d min %d s", d/time.Minute, d%time.Minute/time.Second)
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h %d min", d/time.Hour, d%time.Hour/time.Minute)
	default:
		return Counted(int(d/(24*time.Hour)), "day")
	}
}

// Time is how long the lane ran, as one says it; a dash for one that never finished.
func (l Lane) Time() string {
	if l.Finished == nil {
		return "–"
	}
	return Span(l.Took())
}

// Then is what the lane came to in the run before: "passed, 9.1 s", or "new".
func (s Shift) Then() string {
	if s.Was == "" {
		return "new"
	}
	return fmt.Sprintf("%s, %s", s.Was, Span(s.Before))
}

// Date is a moment in UTC: "4 March 2031, 05:06 UTC".
func Date(t time.Time) string { return t.UTC().Format("2 January 2006, 15:04 UTC") }

// Word is a verdict on a check as one says it.
func Word(v report.Verdict) string {
	if v == report.Unavailable {
		return "not run"
	}
	return string(v)
}

// Words is a count of checks as one says it: "2 failed, 371 passed".
func (t Tally) Words() string {
	var words []string
	rest := t.Total()
	for _, v := range Verdicts {
		if n := t[v]; n > 0 {
			words = append(words, Count(n)+" "+Word(v))
			rest -= n
		}
	}
	if rest > 0 {
		words = append(words, Count(rest)+" of no known verdict")
	}
	if len(words) == 0 {
		return "no check was made"
	}
	return strings.Join(words, ", ")
}

// Sum is a count of checks in a sentence: "222 checks, all passed", "229 checks: 2
// failed, 227 passed".
func (t Tally) Sum() string {
	n := t.Total()
	switch {
	case n == 0:
		return "No check was made"
	case n > 1 && n == t[report.Passed]:
		return Counted(n, "check") + ", all passed"
	default:
		return Counted(n, "check") + ": " + t.Words()
	}
}

// Headline says in one sentence what the run came to.
func (r Results) Headline() string {
	n, t := len(r.Lanes), r.Tally()
	of := func(v, one, many string, count int) string {
		if n == 1 {
			return "The lane " + one + v
		}
		if count == n {
			return "All " + Count(n) + " lanes " + many + v
		}
		verb := many
		if count == 1 {
			verb = one
		}
		return fmt.Sprintf("%s of %s lanes %s", Count(count), Count(n), verb) + v
	}
	switch v := r.Verdict(); {
	case n == 0:
		return "No lane ran"
	case v == Unfinished:
		return of("", "did not finish", "did not finish", t[v])
	case v == report.Unavailable:
		return of(" unavailable", "is", "are", t[v])
	default:
		return of(string(v), "", "", t[v])
	}
}
