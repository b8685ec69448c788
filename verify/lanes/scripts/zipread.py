"""Reads archives with Python's zipfile, and their metadata with expat.

    python zipread.py FILE...

prints one JSON line for each: what the directory says, and the content of each
member under raw/ that Python can read.
"""

import base64
import json
import sys
import zipfile
from xml.parsers import expat

METHODS = {zipfile.ZIP_STORED: "store", zipfile.ZIP_DEFLATED: "deflate"}


def outline(data):
    """Names and attributes of the elements, in document order."""
    out = []
    parser = expat.ParserCreate()
    parser.ordered_attributes = True
    parser.StartElementHandler = lambda name, attributes: out.append([name, attributes])
    parser.Parse(data, True)
    return out


def read(path):
    with zipfile.ZipFile(path) as z:
        members, contents, metadata = [], {}, {}
        for i in z.infolist():
            members.append({
                "name": i.filename, "bytes": i.file_size, "compressed_bytes": i.compress_size,
                "method": METHODS.get(i.compress_type, "?"), "crc32": f"{i.CRC:08x}",
            })
            if i.filename.startswith("raw/") and not i.is_dir():
                data = z.read(i)
                contents[i.filename] = base64.b64encode(data).decode()
                if i.filename.endswith(".xml") and data:
                    metadata[i.filename] = outline(data)
    return {"members": members, "contents": contents, "metadata": metadata}


for path in sys.argv[1:]:
    try:
        said = read(path)
    except (zipfile.BadZipFile, OSError, expat.ExpatError, NotImplementedError, RuntimeError, ValueError) as e:
        said = {"error": type(e).__name__}
    print(json.dumps({"file": path, **said}), flush=True)
