"""Says lines to `rea mcp`, one after the answer to the one before, and prints the
answers. The server's input stays open until the last. No socket is used.
"""

import json
import subprocess
import sys

server = subprocess.Popen(["./rea", "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
for line in open("talk", "rb"):
    server.stdin.write(line)
    server.stdin.flush()
    if b'"id"' not in line:
        continue
    wanted = json.loads(line)["id"]
    while answer := server.stdout.readline():
        sys.stdout.buffer.write(answer)
        if json.loads(answer).get("id") == wanted:
            break
server.stdin.close()
sys.stdout.flush()
sys.exit(server.wait())
