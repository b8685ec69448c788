"""Read and hash every member of an archive with Python's zipfile.

    python3 members.py ARCHIVE

prints a line for each: its digest, its size and its name.
"""

import hashlib
import sys
import zipfile

with zipfile.ZipFile(sys.argv[1]) as archive:
    for member in archive.infolist():
        content = archive.read(member)
        print(hashlib.sha256(content).hexdigest(), len(content), member.filename)
