// Package report writes what a verification lane found.
//
// The report is the verdict; an exit status is only its echo. The file is made
// exclusively before the lane begins and says "running" until the last write,
// so a lane that was killed leaves a report that says so, and no run can write
// over the report of another. One that was stopped by a signal says
// "interrupted". The last write is atomic.
//
// It will never publish a planted secret: the finished bytes are searched for
// every one, in the spellings in which a secret can travel, and a report that
// holds one is withheld and replaced by the news that it was.
package report
