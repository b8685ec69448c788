"""Count what a trace says of streams, in another language and another way.

    python3 totals.py TRACE...

prints, for each trace file, a line of its number; for each stream, one line: trace, stream, direction, unique bytes, sum of
frame lengths, repeated bytes, ranges, final sizes; then losses and incomplete
records. Numbers are Python's own, which have no bound; ranges come from counting
how many frames are open at each boundary.
"""

import decimal
import json
import sys

decimal.getcontext().prec = 400
NAMES = {"transport:packet_sent": "sent", "transport:packet_received": "received"}


def number(frame, name):
    return None if name not in frame else int(frame[name])


def main(path):
    with open(path, encoding="utf-8-sig") as f:
        document = json.load(f, parse_float=decimal.Decimal)
    ordinal = 0
    for t, trace in enumerate(document["traces"]):
        streams, losses, incomplete = {}, [], []
        for event in trace["events"]:
            data, whole = event["data"], True
            if event["name"] == "recovery:packet_lost":
                losses.append((ordinal, number(data, "packet_number"), data.get("type")))
            if event["name"] in NAMES:
                whole = "frames" in data
                for frame in data.get("frames", []):
                    if frame.get("frame_type") != "stream":
                        whole = whole and "frame_type" in frame
                        continue
                    values = [number(frame, n) for n in ("stream_id", "offset", "length")]
                    whole = whole and "fin" in frame and None not in values
                    if values[0] is not None:
                        key = (values[0], NAMES[event["name"]])
                        streams.setdefault(key, []).append((*values[1:], frame.get("fin"), ordinal))
            if not whole:
                incomplete.append(ordinal)
            ordinal += 1
        for (stream, direction), frames in sorted(streams.items()):
            known = [f for f in frames if f[0] is not None and f[1] is not None]
            steps = {}
            for offset, length, _, _ in known:
                steps[offset] = steps.get(offset, 0) + 1
                steps[offset + length] = steps.get(offset + length, 0) - 1
            ranges, deep, start = [], 0, None
            for at in sorted(steps):
                if deep == 0 and steps[at] > 0:
                    start = at
                deep += steps[at]
                if deep == 0 and start is not None:
                    ranges.append((start, at))
                    start = None
            unique = sum(b - a for a, b in ranges)
            total = sum(length for _, length, _, _ in known)
            ends = {}
            for offset, length, fin, o in known:
                if fin is True:
                    ends.setdefault(offset + length, set()).add(o)
            print(t, stream, direction, unique, total, total - unique,
                  ",".join(f"{a}-{b}" for a, b in ranges) or "-",
                  ",".join(f"{size}@{'+'.join(map(str, sorted(ends[size])))}" for size in sorted(ends)) or "-")
        for loss in losses:
            print(t, "lost", *loss)
        print(t, "incomplete", *incomplete)


for i, path in enumerate(sys.argv[1:]):
    print("file", i)
    main(path)
