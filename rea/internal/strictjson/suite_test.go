package strictjson

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The public parsing suite says what a file is by the first letter of its name:
// y_ must be read, n_ refused, and i_ is left to the reader. These are our
// decisions where the letter does not say what we do.
var suiteDecisions = map[string]string{
	"y_object_duplicated_key.json":            "duplicate member name",
	"y_object_duplicated_key_and_value.json":  "duplicate member name",
	"i_structure_500_nested_arrays.json":      "nesting too deep",
	"n_structure_100000_opening_arrays.json":  "nesting too deep",
	"n_structure_open_array_object.json":      "nesting too deep",
	"i_structure_UTF-8_BOM_empty_object.json": "",
	// Any number that has the grammar is read; it is a later question what a
	// double can hold of it.
	"i_number_double_huge_neg_exp.json":   "",
	"i_number_huge_exp.json":              "",
	"i_number_neg_int_huge_exp.json":      "",
	"i_number_pos_double_huge_exp.json":   "",
	"i_number_real_neg_overflow.json":     "",
	"i_number_real_pos_overflow.json":     "",
	"i_number_real_underflow.json":        "",
	"i_number_too_big_neg_int.json":       "",
	"i_number_too_big_pos_int.json":       "",
	"i_number_very_big_negative_int.json": "",
	// An escaped lone surrogate is read and stays one.
	"i_object_key_lone_2nd_surrogate.json":                "",
	"i_string_1st_surrogate_but_2nd_missing.json":         "",
	"i_string_1st_valid_surrogate_2nd_invalid.json":       "",
	"i_string_incomplete_surrogate_and_escape_valid.json": "",
	"i_string_incomplete_surrogate_pair.json":             "",
	"i_string_incomplete_surrogates_escape_valid.json":    "",
	"i_string_invalid_lonely_surrogate.json":              "",
	"i_string_invalid_surrogate.json":                     "",
	"i_string_inverted_surrogates_U+1D11E.json":           "",
	"i_string_lone_second_surrogate.json":                 "",
	// What is not UTF-8 is refused for that.
	"i_string_UTF-16LE_with_BOM.json":              "invalid UTF-8",
	"i_string_UTF-8_invalid_sequence.json":         "invalid UTF-8",
	"i_string_UTF8_surrogate_U+D800.json":          "invalid UTF-8",
	"i_string_invalid_utf-8.json":                  "invalid UTF-8",
	"i_string_iso_latin_1.json":                    "invalid UTF-8",
	"i_string_lone_utf8_continuation_byte.json":    "invalid UTF-8",
	"i_string_not_in_unicode_range.json":           "invalid UTF-8",
	"i_string_overlong_sequence_2_bytes.json":      "invalid UTF-8",
	"i_string_overlong_sequence_6_bytes.json":      "invalid UTF-8",
	"i_string_overlong_sequence_6_bytes_null.json": "invalid UTF-8",
	"i_string_truncated-utf-8.json":                "invalid UTF-8",
	"i_string_utf16BE_no_BOM.json":                 "invalid UTF-8",
	"i_string_utf16LE_no_BOM.json":                 "invalid UTF-8",
}

// suiteRows stand in for the suite where it is not at hand: a few of each letter.
var suiteRows = map[string]string{
	"y_lonely_null.json":                        "null",
	"y_number_minus_zero.json":                  "[-0]",
	"y_string_all_escapes.json":                 `["\"\\\/\b\f\n\r\t\u0000"]`,
	"y_string_del.json":                         "[\"\x7f\"]",
	"y_white_space.json":                        " \t\r\n[ ]\n",
	"y_object_duplicated_key.json":              `{"k":1,"k":2}`,
	"y_object_duplicated_key_and_value.json":    `{"k":1,"k":1}`,
	"n_empty.json":                              "",
	"n_comment.json":                            "[1/**/]",
	"n_trailing_comma.json":                     "[1,]",
	"n_leading_zero.json":                       "[00]",
	"n_plus.json":                               "[+0]",
	"n_capital.json":                            "[True]",
	"n_control.json":                            "[\"\x00\"]",
	"n_form_feed.json":                          "[\f]",
	"n_structure_100000_opening_arrays.json":    strings.Repeat("[", 100000),
	"n_structure_open_array_object.json":        strings.Repeat(`[{"":`, 50000),
	"i_structure_500_nested_arrays.json":        nested(500),
	"i_structure_UTF-8_BOM_empty_object.json":   bom + "{}",
	"i_number_huge_exp.json":                    "[1e99999999999999999999]",
	"i_number_real_underflow.json":              "[1e-99999]",
	"i_object_key_lone_2nd_surrogate.json":      `{"\udead":0}`,
	"i_string_incomplete_surrogate_pair.json":   `["\udbff"]`,
	"i_string_inverted_surrogates_U+1D11E.json": `["\uDd1e\uD834"]`,
	"i_string_UTF8_surrogate_U+D800.json":       "[\"\xed\xa0\x80\"]",
	"i_string_UTF-16LE_with_BOM.json":           "\xff\xfe[\x00]\x00",
	"i_string_utf16LE_no_BOM.json":              "[\x00\"\x00\xe9\x00\"\x00]\x00",
	"i_string_overlong_sequence_2_bytes.json":   "[\"\xc0\x80\"]",
}

func TestParsingSuite(t *testing.T) {
	suite := suiteRows
	if dir := os.Getenv("REA_EXTRA_CORPORA"); dir != "" {
		files, err := filepath.Glob(filepath.Join(dir, "json", "test_parsing", "*.json"))
		if err != nil || len(files) < 300 {
			t.Fatalf("%d files of the suite in %s, %v", len(files), dir, err)
		}
		suite = map[string]string{}
		for _, path := range files {
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			suite[filepath.Base(path)] = string(b)
		}
	}
	for name, in := range suite {
		got := ""
		v, err := Parse([]byte(in), 64)
		var p *Problem
		switch {
		case errors.As(err, &p):
			got = p.Kind.String()
		case err == nil:
			if problem := sameTree([]byte(in), v); problem != "" {
				t.Errorf("%s: %s", name, problem)
			}
		}
		want, decided := suiteDecisions[name]
		switch {
		case decided && got != want:
			t.Errorf("%s: %q, want %q", name, got, want)
		case !decided && name[0] == 'y' && got != "":
			t.Errorf("%s: refused: %v", name, err)
		case !decided && name[0] == 'n' && got != "malformed JSON" && got != "invalid UTF-8":
			t.Errorf("%s: %q", name, got)
		case !decided && name[0] == 'i':
			t.Errorf("%s: undecided: %q", name, got)
		}
	}
}
