"""Count what a qlog trace says of streams.

    python3 totals.py TRACE

prints, for each stream and direction: the bytes that frames covered, the sum of
the frames' lengths, and how many bytes were covered more than once; then the
number of packets declared lost.
"""

import json
import sys

DIRECTIONS = {"transport:packet_sent": "sent", "transport:packet_received": "received"}


def covered(frames):
    """The number of bytes in the union of the frames."""
    total = end = 0
    for offset, length in sorted(frames):
        total += max(0, offset + length - max(offset, end))
        end = max(end, offset + length)
    return total


with open(sys.argv[1], encoding="utf-8") as file:
    traces = json.load(file)["traces"]
for index, trace in enumerate(traces):
    streams, lost = {}, 0
    for event in trace["events"]:
        name = event["name"]
        if name == "recovery:packet_lost":
            lost += 1
        elif name in DIRECTIONS:
            for frame in event["data"].get("frames", ()):
                if frame.get("frame_type") == "stream":
                    key = frame["stream_id"], DIRECTIONS[name]
                    streams.setdefault(key, []).append((frame["offset"], frame["length"]))
    for (stream, direction), frames in sorted(streams.items()):
        unique, total = covered(frames), sum(length for _, length in frames)
        print(index, stream, direction, unique, total, total - unique)
    print(index, "lost", lost)
