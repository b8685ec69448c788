"""Generates flow files with mitmproxy's own tnetstring.dumps, reads each with both
decoders of the product, and says what came of it.

    python states.py PRODUCT STATES SEED [FILE...]

prints one JSON line for each file. The states are projected here, too, by rules
written down a second time, and each line says whether the product's records are
those. Files that are named are read as well, without a projection.
"""

import base64
import concurrent.futures
import hashlib
import json
import math
import os
import pathlib
import random
import re
import subprocess
import sys

from mitmproxy.io import tnetstring

SAFE = 2**53 - 1
PER_FILE = 250
CREDENTIALS = (b"authorization", b"proxy-authorization", b"cookie", b"set-cookie")
FIELDS = re.compile(r"(/backup)*/(request|response)/(headers|trailers)/\d+/1")
PROXYAUTH = re.compile(r"(/backup)*/metadata/proxyauth")


def pointer(row):
    return row["pointer"]


def escape(name):
    return name.replace("~", "~0").replace("/", "~1")


# The projection, once more.


class Record:
    def __init__(self, state, offset, size):
        self.binary, self.numbers, self.redactions = [], [], []
        reported = self.project(state, "")
        self.value = {
            "location": {"kind": "byte-range", "offset": offset, "bytes": size}, "reported": reported,
            "binary_fields": sorted(self.binary, key=pointer), "numeric_literals": sorted(self.numbers, key=pointer),
            "redactions": sorted(self.redactions, key=pointer),
        }

    def project(self, v, at):
        if v is None or isinstance(v, bool) or isinstance(v, str):
            return v
        if isinstance(v, bytes):
            self.binary.append({
                "pointer": at, "representation": "producer-bytes", "state": "retained",
                "content_base64": base64.b64encode(v).decode(), "bytes": len(v), "sha256": hashlib.sha256(v).hexdigest(),
            })
            try:
                return v.decode()
            except UnicodeDecodeError:
                return None
        if isinstance(v, int):
            self.numbers.append({"pointer": at, "producer_type": "integer", "literal": str(v)})
            return v if abs(v) <= SAFE else None
        if isinstance(v, float):
            self.numbers.append({"pointer": at, "producer_type": "float", "literal": repr(v)})
            return v if math.isfinite(v) else None
        if isinstance(v, list):
            return [self.item(v, i, at) for i in range(len(v))]
        return {k: self.member(x, f"{at}/{escape(k)}") for k, x in v.items()}

    def member(self, v, at):
        return self.hide(v, at) if PROXYAUTH.fullmatch(at) and v is not None else self.project(v, at)

    def hide(self, v, at):
        self.redactions.append({"pointer": at, "reason": "transport-credential"})
        if isinstance(v, bytes):
            self.binary.append({
                "pointer": at, "representation": "producer-bytes", "state": "redacted",
                "content_base64": None, "bytes": None, "sha256": None,
            })

    def item(self, v, i, at):
        here = f"{at}/{i}"
        if i == 1 and FIELDS.fullmatch(here) and v[0].strip(b" \t").lower() in CREDENTIALS:
            return self.hide(v[1], here)
        return self.project(v[i], here)


# The states.


class States:
    def __init__(self, seed):
        self.r = random.Random(seed)

    def octets(self):
        r = self.r
        return r.choice([
            lambda: b"", lambda: b"GET", lambda: "Grüße, 世界".encode(), lambda: b"\xff\xfe\x00",
            lambda: r.randbytes(r.randrange(40)), lambda: b"12:abc,", lambda: b"a" * r.randrange(300), lambda: b"\xed\xa0\x80",
        ])()

    def text(self):
        r = self.r
        return r.choice([
            lambda: "", lambda: "http", lambda: "~1/~0", lambda: "\x00\x1f\u2028", lambda: "\U0001f600",
            lambda: "".join(chr(r.choice((r.randrange(0x20, 0x7f), r.randrange(0xa0, 0xd800), r.randrange(0xe000, 0x10000)))) for _ in range(r.randrange(12))),
        ])()

    def integer(self):
        r = self.r
        return r.choice([0, 1, -1, SAFE, SAFE + 1, -SAFE, -SAFE - 1, 2**64, 10**r.randrange(60), r.randrange(-(10**6), 10**6)])

    def number(self):
        r = self.r
        return r.choice([
            0.0, -0.0, 1.5, 0.1, 1e16, 1e-5, 1e22, 1e23, 5e-324, 1.7976931348623157e308, math.inf, -math.inf, math.nan,
            1700000000.123456, r.random(), r.random() * 10 ** r.randrange(-30, 30), float(r.randrange(10**18)),
        ])

    def any(self, depth):
        r = self.r
        kind = r.randrange(9 if depth > 0 else 6)
        return [
            self.octets, self.text, self.integer, self.number, lambda: None, lambda: r.random() < 0.5,
            lambda: [self.any(depth - 1) for _ in range(r.randrange(4))],
            lambda: {self.key(): self.any(depth - 1) for _ in range(r.randrange(4))},
            lambda: [[self.octets(), self.octets()] for _ in range(r.randrange(3))],
        ][kind]()

    def key(self):
        return self.r.choice(["a", "b", "__proto__", "constructor", "", "~", "/", "é", "headers", "0", "proxyauth"]) if self.r.random() < 0.5 else self.text()

    def headers(self):
        r = self.r
        names = [b"Host", b"accept", b"X-A", b"x-a", b"\xff", b"", b" Cookie\t", b"AUTHORIZATION", b"set-cookie", b"authorization2", b"Authori\xc5\xbfation"]
        return [[r.choice(names), self.octets()] for _ in range(r.randrange(5))]

    def message(self, **more):
        r = self.r
        return {
            "http_version": r.choice([b"HTTP/1.1", b"HTTP/2.0", b"HTTP/3"]), "headers": self.headers(),
            "content": r.choice([None, b"", self.octets(), r.randbytes(200)]), "trailers": r.choice([None, self.headers()]),
            "timestamp_start": self.number(), "timestamp_end": r.choice([None, self.number()]), **more,
        }

    def http(self, depth=1):
        r = self.r
        state = {
            "version": 21, "type": "http", "id": self.text(), "intercepted": False, "is_replay": r.choice([None, "request", "response"]),
            "marked": self.text(), "metadata": {self.key(): self.any(1)}, "comment": self.text(), "timestamp_created": self.number(),
            "error": r.choice([None, {"msg": self.text(), "timestamp": self.number()}]),
            "client_conn": self.any(2), "server_conn": self.any(2),
            "request": self.message(host="h", port=self.integer(), method=b"GET", scheme=b"http", authority=b"", path=b"/a?b=c"),
            "response": r.choice([None, self.message(status_code=self.integer(), reason=self.octets())]),
            "websocket": r.choice([None, {"messages": [[1, True, self.octets(), self.number(), False, False] for _ in range(r.randrange(3))],
                                          "closed_by_client": None, "close_code": self.integer(), "close_reason": self.text(), "timestamp_end": self.number()}]),
        }
        state["backup"] = self.http(depth - 1) if depth and r.random() < 0.3 else None
        return state

    def messages(self, kind):
        r = self.r
        return {"version": 21, "type": kind, "id": "i", "messages": [[r.random() < 0.5, self.octets(), self.number()] for _ in range(r.randrange(5))],
                "client_conn": self.any(2), "server_conn": self.any(2), "backup": None}

    def dns(self):
        return {"version": 21, "type": "dns", "request": {"id": self.integer(), "questions": [[self.text(), 1, 1]], "timestamp": self.number()}, "response": None}

    def one(self):
        r = self.r
        return r.choices([
            self.http, lambda: self.messages("tcp"), lambda: self.messages("udp"), self.dns,
            lambda: {self.key(): self.any(5) for _ in range(r.randrange(6))}, lambda: {"type": self.text(), "x": nested(r.randrange(1, 63))},
        ], [5, 2, 2, 1, 5, 1])[0]()


def nested(levels):
    v = b"end"
    for _ in range(levels):
        v = [v]
    return v


def damage(r, data):
    """One file with one small fault; the spellings that only mitmproxy takes are
    made elsewhere."""
    at = r.randrange(len(data))
    return r.choice([
        lambda: data[:at], lambda: data[:at] + data[at + 1:], lambda: data[:at] + b"\x00" + data[at:],
        lambda: data[:-1] + b"?", lambda: b"9" + data, lambda: data[:-1], lambda: data + b"1", lambda: data + b"\n",
        lambda: data.replace(b"false!", b"falsy!", 1), lambda: data.replace(b":", b";", 1), lambda: b"999999999:" + data,
        lambda: b"1234567890123:" + data, lambda: data.replace(b"0:~", b"1:x~", 1),
    ])()


def special():
    """Files of which it is known what both must say."""
    d = tnetstring.dumps
    yield "empty", b""
    yield "deepest", d({"x": nested(63)})
    yield "too-deep", d({"x": nested(64)})
    yield "far-too-deep", d({"x": nested(900)})
    yield "list-at-top", d([{}])
    yield "text-at-top", d("x")
    yield "octets-as-key", b"8:1:a,1:b,}"
    yield "octets-as-key-below", b"17:3:req;8:1:a,1:b,}}"
    yield "headers-not-pairs", d({"request": {"headers": [[b"a"]]}})
    yield "headers-name-is-text", d({"request": {"headers": [["a", b"b"]]}})
    yield "trailers-in-backup", d({"backup": {"response": {"trailers": [[b"a", b"b", b"c"]]}}})
    yield "deep-credential", d({"request": {"headers": [[b"cookie", nested(70)]]}})
    yield "userinfo", d({"request": {"path": b"http://u:p@h/x", "authority": b"u:p@h:1", "headers": [[b"Referer", b" //u@h/"], [b"origin", b"http://u:p@h"]]}})
    yield "userinfo-not-utf8", d({"response": {"headers": [[b"location", b"http://\xff:p@h/"]]}, "backup": {"request": {"path": b"//\xff@h"}}})
    yield "second-record-bad", d({"a": 1}) + b"3:abc?"
    yield "not-utf8-text", b"9:1:a;1:\xff;}"
    yield "huge-length", b"999999999999:x,"
    yield "length-of-12-digits", d({"a": 1}).replace(b"8:", b"000000000008:", 1)
    yield "length-of-13-digits", d({"a": 1}).replace(b"8:", b"0000000000008:", 1)
    yield "long-integer", d({"n": 10**4299})
    longer = b"1:n;4301:1" + b"0" * 4300 + b"#"
    yield "longer-integer", b"%d:%s}" % (len(longer), longer)
    yield "names-alike", d({"aXb": 1, "aYb": 2, **{f"k{i:02}": i for i in range(40)}, "aZb": 3})
    yield "trailers-not-pairs", d({"request": {"trailers": [[b"a"]]}})
    yield "proxyauth", d({"metadata": {"proxyauth": ["u", "p"]}, "backup": {"metadata": {"proxyauth": b"u:p"}}})


def repeated():
    """Dictionaries that repeat a key: the last value counts in both."""
    def entry(k, v):
        return tnetstring.dumps(k) + tnetstring.dumps(v)
    def below(body):
        return b"7:request;%d:%s}" % (len(body), body)
    def many(n):
        return b"".join(entry(f"k{i:02}", i) for i in range(n))
    pairs = tnetstring.dumps([[b"Cookie", b"c"]])
    for body in (
        entry("a", 1) + entry("a", b"\xff"), entry("a", {"b": 1}) + entry("c", None) + entry("a", 2.5),
        entry("a", 1) + entry("a", 2) + entry("a", 3), below(entry("a", 1) + entry("a", 2)),
        b"1:a;11:1:b,4:true!}" + entry("a", 1), entry("a", nested(64)) + entry("a", 1), entry("request", {"headers": [[b"a"]]}) + entry("request", {}),
        below(b"7:headers;" + pairs + entry("headers", [])), below(entry("headers", []) + b"7:headers;" + pairs),
        entry("", 1) + entry("", 2), entry("aXb", 1) + entry("aYb", 2) + entry("aXb", 3),
        *(many(n) + entry(k, "again") for n in (31, 32, 33, 34, 90) for k in ("k00", "k20", f"k{n - 1:02}")),
    ):
        yield b"%d:%s}" % (len(body), body)


# Spellings that mitmproxy's reader takes and never writes. Each is the value of
# one key; the product's own reader refuses it.
SPELLINGS = {
    "negative-length": b"7:-1:1:a,]", "padded-length": b" 1:a,", "underscored-length": b"1_0:0123456789,", "signed-length": b"+1:a,",
    "padded-integer": b"3: 12#", "signed-integer": b"2:+1#", "underscored-integer": b"3:1_0#",
    "float-word": b"8:infinity^", "float-signed": b"4:+1.5^", "float-padded": b"4:1.5 ^", "float-underscored": b"5:1_0.5^",
}


def spelled():
    for name, value in SPELLINGS.items():
        body = b"1:a;" + value
        yield name, b"%d:%s}" % (len(body), body)


# Reading.


def read(product, path, decoder):
    r = subprocess.run([product, "inspect-web-network-capture", path, "mitmproxy", "--decoder", decoder, "--json"],
                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    document = json.loads(r.stdout, parse_int=Spelled, parse_float=Spelled)
    if r.returncode == 0:
        return {"ok": True, "provider": document["provider"]["id"]}, document["normalized_result"]["records"]
    issues = document.get("details", {}).get("issues") or [{}]
    return {"ok": False, "code": document["code"], "reason": issues[0].get("reason", ""), "path": issues[0].get("path", [])}, None


class Spelled(str):
    """A number as the document has it."""


def comparable(record, limits=True):
    out = {k: record[k] for k in ("location", "reported", "binary_fields", "numeric_literals", "redactions")}
    for k in ("binary_fields", "numeric_literals", "redactions"):
        out[k] = sorted(out[k], key=pointer)
    if limits:
        out.update(ordinal=record["ordinal"], limitations=record["limitations"])
    return out


def same(expected, got, at=""):
    """Where two values differ, or None. Numbers are compared as doubles."""
    if isinstance(expected, dict) and isinstance(got, dict):
        if expected.keys() != got.keys():
            return at or "/"
        return next(filter(None, (same(v, got[k], f"{at}/{escape(k)}") for k, v in expected.items())), None)
    if isinstance(expected, list) and isinstance(got, list):
        if len(expected) != len(got):
            return at
        return next(filter(None, (same(v, got[i], f"{at}/{i}") for i, v in enumerate(expected))), None)
    if isinstance(got, Spelled):
        is_number = isinstance(expected, (int, float)) and not isinstance(expected, bool)
        return None if is_number and float(got) == float(expected) else at
    return None if type(expected) is type(got) and expected == got else at


def judge(product, path, expected, kind):
    upstream, theirs = read(product, path, "upstream")
    embedded, ours = read(product, path, "embedded")
    line = {"file": os.path.basename(path), "kind": kind, "upstream": upstream, "embedded": embedded, "records": 0, "differs": "", "projection": ""}
    if theirs is not None and ours is not None:
        line["records"] = len(ours)
        if len(theirs) != len(ours):
            line["differs"] = "number of records"
        for i, (a, b) in enumerate(zip(theirs, ours)):
            a, b = comparable(a), comparable(b)
            line["extra"] = max(line.get("extra", 0), len(b["limitations"]) - len(a["limitations"]))
            b["limitations"] = [x for x in b["limitations"] if x in a["limitations"]]
            if a != b:
                line["differs"] = line["differs"] or f"record {i}"
    if ours is not None and expected is not None:
        if len(expected) != len(ours):
            line["projection"] = "number of records"
        for i, (a, b) in enumerate(zip(expected, ours)):
            if (at := same(a, comparable(b, False))) is not None:
                line["projection"] = line["projection"] or f"record {i} at {at}"
    return line


def main():
    product, count, seed, *more = sys.argv[1:]
    folder = pathlib.Path("states")
    folder.mkdir()
    work = []

    def put(name, data, expected, kind):
        path = folder / (name + ".mitm")
        path.write_bytes(data)
        work.append((product, str(path.resolve()), expected, kind))

    states, r = States(int(seed)), random.Random(int(seed) + 1)
    for first in range(0, int(count), PER_FILE):
        data, expected = b"", []
        for _ in range(min(PER_FILE, int(count) - first)):
            state = states.one()
            dumped = tnetstring.dumps(state)
            expected.append(Record(state, len(data), len(dumped)).value)
            data += dumped
        put(f"states-{first:05}", data, expected, "states")
    for i in range(30):
        put(f"damaged-{i:02}", damage(r, tnetstring.dumps(states.one())), None, "damaged")
    for name, data in special():
        put("special-" + name, data, None, "special")
    for i, data in enumerate(repeated()):
        put(f"repeated-{i}", data, None, "repeated")
    for name, data in spelled():
        put("spelled-" + name, data, None, "spelled")
    work += [(product, os.path.abspath(path), None, "given") for path in more]

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for line in pool.map(lambda args: judge(*args), work):
            print(json.dumps(line), flush=True)


main()
