"""Time mitmproxy's own reader, and rea with and without it.

    python flows.py REA MITMDUMP ROUNDS SMALL EMPTY FILE...

runs in the Python that mitmproxy is installed in, and prints one JSON object of
times in seconds, a list for each measurement with one item for each round:

    reader   tnetstring.load over all of SMALL, within this process
    small    rea's command for one record of SMALL, embedded
    empty    the same for the file EMPTY, which has no record
    files    for each FILE, rea's complete Evidence: embedded and upstream
"""

import json
import os
import resource
import subprocess
import sys
import time

from mitmproxy.io import tnetstring

rea, mitmdump, rounds, small, empty, *files = sys.argv[1:]


def reader(path):
    began, cpu = time.perf_counter(), time.process_time()
    with open(path, "rb") as file:
        size, flows = os.fstat(file.fileno()).st_size, 0
        while file.tell() < size:
            tnetstring.load(file)
            flows += 1
    return {"wall": time.perf_counter() - began, "cpu": time.process_time() - cpu}


def children():
    """The processor time of all commands so far."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def command(decoder, path, *more):
    args = [rea, "inspect-web-network-capture", os.path.abspath(path), "mitmproxy", "--decoder", decoder, "--json", *more]
    before, began = children(), time.perf_counter()
    with open("output", "wb") as output:
        subprocess.run(args, stdout=output, check=True, env={**os.environ, "REA_MITMDUMP_COMMAND": mitmdump})
    return {"wall": time.perf_counter() - began, "cpu": children() - before}


result = {"reader": [], "small": [], "empty": [], "files": [{"embedded": [], "upstream": []} for _ in files]}
for _ in range(int(rounds)):
    result["reader"].append(reader(small))
    result["small"].append(command("embedded", small, "--record", "0"))
    result["empty"].append(command("embedded", empty))
    for path, times in zip(files, result["files"]):
        for decoder in times:
            times[decoder].append(command(decoder, path))
os.remove("output")
json.dump(result, sys.stdout)
