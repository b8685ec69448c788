#!/opt/tool/bin/python3
"""A mitmdump that is not the one that is wanted, or that misbehaves.

It is run under the name of what it does, as a link would be. Some are the real
mitmdump with one part changed; the others never get so far.
"""

import os
import pathlib
import sys
import time


def real():
    from mitmproxy.tools.main import mitmdump

    mitmdump()


def version():
    import mitmproxy.version

    mitmproxy.version.VERSION = "12.2.2"
    real()


def instead(of_load):
    """The real one, whose reader does something else."""
    from mitmproxy.io import tnetstring

    tnetstring.load = of_load
    real()


def fill(_):
    return {"a": bytearray(1 << 30)}


def large(capture):
    capture.read(1)
    return {"a": b"x" * (120 << 20)}


def defect(_):
    raise KeyError("captured text: Canary")


def loud():
    for _ in range(64):
        os.write(2, b"x" * 65536)
    real()


def leave_a_child():
    if os.fork() == 0:
        os.setsid()
        for fd in range(3):
            os.close(fd)
        time.sleep(600)
        os._exit(0)
    real()


def reply(text):
    os.write(4, text)
    os._exit(0)


def killed():
    os.kill(os.getpid(), 9)


BEHAVIOUR = {
    "version-12.2.2": version,
    "memory": lambda: instead(fill),
    "reply-too-large": lambda: instead(large),
    "defect": lambda: instead(defect),
    "loud": loud,
    "leaves-a-child": leave_a_child,
    "status-3": lambda: sys.exit(3),
    "killed": killed,
    "no-reply": lambda: os._exit(0),
    "garbage": lambda: reply(b"mitmproxy 12.2.3\n@5\n{1\n;\x00\xff\n"),
    "another-program": lambda: reply(b"hello\n"),
    "sleeps": lambda: time.sleep(600),
}

BEHAVIOUR[pathlib.Path(sys.argv[0]).name]()
