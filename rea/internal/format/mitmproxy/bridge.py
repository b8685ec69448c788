"""Reads a flow file with mitmproxy's own tnetstring reader, and writes what came
out as lines.

mitmdump loads this script. When it runs, the script reads descriptor 5, writes
descriptor 4 and ends the process; no flow is made, nothing is migrated, and no
proxy has been started.

The first line is the version of mitmproxy. Only the one version that is asked
for goes on to read. Then a record is one line with the number of its bytes, and
the lines of its value:

    @118      a record of 118 bytes begins
    {3        a dictionary: three times a key and a value
    [2        a list of two
    ,<base64> octets
    ;<base64> text, in UTF-8
    #12       an integer
    ^1.5      a float
    !1  !0    a boolean
    ~         None

The last line is ".118" after the end of a file of 118 bytes, "?" where a record
is not readable, or ">" where it is nested too deeply for the reader. What stands
in the file is never part of a message.
"""

import errno
import os
import sys
from binascii import b2a_base64
from itertools import chain

from mitmproxy import version

WANTED = "12.2.3"
REPLY, CAPTURE = 4, 5

# Exit statuses that say what no line can.
OUT_OF_MEMORY, REPLY_TOO_LARGE, DEFECT = 70, 71, 72

# How many levels the reader may follow. Each takes it two calls, besides the
# two that begin.
LEVELS = 400


class Capture:
    """A file that refuses to give more bytes than it has."""

    def __init__(self, file, size):
        self.file, self.size, self.at = file, size, 0

    def read(self, n):
        if n > self.size - self.at:
            raise ValueError("a length is greater than what is left")
        self.at += n
        return self.file.read(n)


def calls():
    """The number of calls that are open."""
    n, frame = 0, sys._getframe(1)
    while frame is not None:
        n, frame = n + 1, frame.f_back
    return n


def lines(value, write):
    open_ = [iter((value,))]
    while open_:
        for v in open_[-1]:
            kind = type(v)
            if kind is bytes:
                write(b"," + b2a_base64(v))
            elif kind is str:
                write(b";" + b2a_base64(v.encode()))
            elif kind is dict:
                write(b"{%d\n" % len(v))
                open_.append(chain.from_iterable(v.items()))
                break
            elif kind is list:
                write(b"[%d\n" % len(v))
                open_.append(iter(v))
                break
            elif kind is bool:
                write(b"!%d\n" % v)
            elif kind is int:
                write(b"#%d\n" % v)
            elif kind is float:
                write(b"^" + repr(v).encode() + b"\n")
            elif v is None:
                write(b"~\n")
            else:
                raise TypeError
        else:
            open_.pop()


def records(capture, write):
    """Writes all records, and gives the last line."""
    from mitmproxy.io import tnetstring

    while capture.at < capture.size:
        start = capture.at
        try:
            value = tnetstring.load(capture)
        except RecursionError:
            return b">"
        except (ValueError, IndexError, TypeError):
            return b"?"
        write(b"@%d\n" % (capture.at - start))
        lines(value, write)
    return b".%d" % capture.at


def bridge():
    reply = os.fdopen(REPLY, "wb", 1 << 20)
    found = version.VERSION.encode("ascii", "replace")[:64].replace(b"\n", b"?")
    reply.write(b"mitmproxy " + found + b"\n")
    if version.VERSION == WANTED:
        file = os.fdopen(CAPTURE, "rb", 1 << 20)
        file.seek(0)
        capture = Capture(file, os.fstat(CAPTURE).st_size)
        sys.setrecursionlimit(calls() + 1 + 2 + 2 * LEVELS)
        reply.write(records(capture, reply.write) + b"\n")
    reply.flush()


def running():
    status = DEFECT
    try:
        bridge()
        status = 0
    except MemoryError:
        status = OUT_OF_MEMORY
    except OSError as e:
        if e.errno == errno.EFBIG:
            status = REPLY_TOO_LARGE
    except Exception:
        pass
    finally:
        os._exit(status)
