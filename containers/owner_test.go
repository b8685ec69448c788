package containers

import "testing"

func TestAnOwnerIsKnownToHaveGoneOnItsOwnMachineAlone(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	mine, err := claim()
	if err != nil {
		t.Fatal(err)
	}
	other, err := claim()
	if err != nil {
		t.Fatal(err)
	}
	if mine.label == other.label || mine.gone(other.label) || mine.gone(mine.label) {
		t.Errorf("%q, %q", mine.label, other.label)
	}
	if err := other.close(); err != nil {
		t.Error(err)
	}
	if !mine.gone(other.label) {
		t.Error("one that has gone is taken for alive")
	}
	for _, label := range []string{"", "elsewhere/dock-1", mine.label + "/../..", "dock-1"} {
		if mine.gone(label) {
			t.Errorf("%q is said to have gone", label)
		}
	}
	if (*owner)(nil).gone(other.label) {
		t.Error("without a claim nobody is known")
	}
	if err := mine.close(); err != nil {
		t.Error(err)
	}
}
