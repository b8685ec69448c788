"""Servers on the loopback interface that write down what they were sent and what
they answered, by its digest. No part of mitmproxy is used here.
"""

import asyncio
import datetime
import gzip
import hashlib
import ssl
import zlib

import brotli
import h2.config
import h2.connection
import h2.events
import wsproto
import zstandard
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

HOST = "127.0.0.1"
TEXT = ("Grüße, 世界. " * 40).encode()
BINARY = bytes(range(256)) * 5  # mitmproxy takes it for text in ISO-8859-1
OCTETS = b"".join(hashlib.sha256(bytes([i])).digest() for i in range(40))
LARGE = bytes(i * i % 251 for i in range(300_000))

served = []  # one row for each answer, and for each message of the others


def digest(data):
    return hashlib.sha256(data).hexdigest()


def raw_deflate(data):
    c = zlib.compressobj(wbits=-15)
    return c.compress(data) + c.flush()


# What is answered to a path: status, headers, the body before and after its
# coding. A path may carry a query; it is not part of the key.
def answer(path, request_body):
    plain = [("Content-Type", "text/plain; charset=utf-8")]
    octets = [("Content-Type", "application/octet-stream")]

    def coded(name, encode, body=TEXT):
        return 200, plain + [("Content-Encoding", name)], body, encode(body)

    key = path.split("?")[0].split("#")[0]
    table = {
        "/text": lambda: (200, plain, TEXT, TEXT),
        "/binary": lambda: (200, octets, BINARY, BINARY),
        "/octets": lambda: (200, octets, OCTETS, OCTETS),
        "/large": lambda: (200, octets, LARGE, LARGE),
        "/gzip": lambda: coded("gzip", gzip.compress),
        "/deflate": lambda: coded("deflate", zlib.compress),
        "/raw-deflate": lambda: coded("deflate", raw_deflate),
        "/br": lambda: coded("br", brotli.compress),
        "/zstd": lambda: coded("zstd", zstandard.compress),
        "/gzip-binary": lambda: (200, octets + [("Content-Encoding", "gzip")], BINARY, gzip.compress(BINARY)),
        "/zero": lambda: (200, plain, b"", b""),
        "/none": lambda: (204, [], b"", b""),
        "/chunked": lambda: (200, octets + [("Transfer-Encoding", "chunked")], BINARY, BINARY),
        "/cookie": lambda: (200, plain + [("Set-Cookie", "sid=" + secrets[0] + "; Path=/"), ("Set-Cookie", "b=c"), ("X-Twice", "1"), ("x-twice", "2")], b"ok", b"ok"),
        "/redirect": lambda: (303, [("Location", "http://user:" + secrets[1] + "@origin.example/next")], b"", b""),
        "/latin": lambda: (200, [("Content-Type", "text/plain; charset=iso-8859-1")], "café".encode("latin-1"), "café".encode("latin-1")),
        "/upload": lambda: (201, plain, b"taken", b"taken"),
        "/missing": lambda: (404, plain, b"no such thing", b"no such thing"),
    }
    status, headers, identity, body = table[key]()
    return status, headers, identity, body


secrets = ["", ""]


def note(path, method, request_body, status, identity, body, protocol):
    served.append({
        "protocol": protocol, "path": path, "method": method, "status": status,
        "request_sha256": digest(request_body), "request_bytes": len(request_body),
        "response_sha256": digest(body), "response_bytes": len(body),
        "identity_sha256": digest(identity), "identity_bytes": len(identity),
    })


async def http1(reader, writer):
    try:
        while True:
            try:
                head = await reader.readuntil(b"\r\n\r\n")
            except asyncio.IncompleteReadError:
                return
            lines = head.decode("latin-1").split("\r\n")
            method, path, _ = lines[0].split(" ", 2)
            headers = {k.lower(): v.strip() for k, _, v in (line.partition(":") for line in lines[1:] if line)}
            if headers.get("upgrade", "").lower() == "websocket":
                return await websocket(head, path, reader, writer)
            body = await reader.readexactly(int(headers.get("content-length", "0")))
            if path.startswith("/abort"):
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nonly this")
                await writer.drain()
                return
            status, fields, identity, sent = answer(path, body)
            if method == "HEAD":
                identity = sent = b""
            note(path, method, body, status, identity, sent, "HTTP/1.1")
            chunked = ("Transfer-Encoding", "chunked") in fields
            if not chunked and status != 204:
                fields = fields + [("Content-Length", str(len(sent)))]
            out = "HTTP/1.1 %d Said\r\n%s\r\n" % (status, "".join(f"{k}: {v}\r\n" for k, v in fields))
            writer.write(out.encode())
            if chunked:
                for at in range(0, len(sent), 500):
                    piece = sent[at:at + 500]
                    writer.write(b"%x\r\n%s\r\n" % (len(piece), piece))
                writer.write(b"0\r\n\r\n")
            else:
                writer.write(sent)
            await writer.drain()
    finally:
        writer.close()


async def websocket(head, path, reader, writer):
    ws = wsproto.WSConnection(wsproto.ConnectionType.SERVER)
    ws.receive_data(head)
    while True:
        for event in ws.events():
            if isinstance(event, wsproto.events.Request):
                writer.write(ws.send(wsproto.events.AcceptConnection()))
            elif isinstance(event, (wsproto.events.TextMessage, wsproto.events.BytesMessage)):
                data = event.data.encode() if isinstance(event.data, str) else bytes(event.data)
                served.append({"protocol": "websocket", "path": path, "from_client": True, "sha256": digest(data), "bytes": len(data)})
                back = data[::-1]
                served.append({"protocol": "websocket", "path": path, "from_client": False, "sha256": digest(back), "bytes": len(back)})
                writer.write(ws.send(wsproto.events.BytesMessage(data=back)))
            elif isinstance(event, wsproto.events.CloseConnection):
                writer.write(ws.send(event.response()))
                await writer.drain()
                return
        await writer.drain()
        data = await reader.read(65536)
        if not data:
            return
        ws.receive_data(data)


async def http2(reader, writer):
    connection = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False, header_encoding="utf-8"))
    connection.initiate_connection()
    writer.write(connection.data_to_send())
    asked, bodies = {}, {}
    while data := await reader.read(65536):
        for event in connection.receive_data(data):
            if isinstance(event, h2.events.RequestReceived):
                asked[event.stream_id], bodies[event.stream_id] = dict(event.headers), b""
            elif isinstance(event, h2.events.DataReceived):
                bodies[event.stream_id] += event.data
                connection.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
            elif isinstance(event, h2.events.StreamEnded):
                path, method = asked[event.stream_id][":path"], asked[event.stream_id][":method"]
                status, fields, identity, sent = answer(path, bodies[event.stream_id])
                note(path, method, bodies[event.stream_id], status, identity, sent, "HTTP/2.0")
                connection.send_headers(event.stream_id, [(":status", str(status))] + [(k.lower(), v) for k, v in fields])
                connection.send_data(event.stream_id, sent, end_stream=True)
        writer.write(connection.data_to_send())
        await writer.drain()
    writer.close()


async def tcp(reader, writer):
    """Answers each piece reversed; the pieces end in a line feed."""
    while data := await reader.readline():
        served.append({"protocol": "tcp", "from_client": True, "sha256": digest(data), "bytes": len(data)})
        back = data[:-1][::-1] + b"\n"
        served.append({"protocol": "tcp", "from_client": False, "sha256": digest(back), "bytes": len(back)})
        writer.write(back)
        await writer.drain()
    writer.close()


class UDP(asyncio.DatagramProtocol):
    def connection_made(self, transport):
        self.transport = transport

    def datagram_received(self, data, sender):
        served.append({"protocol": "udp", "from_client": True, "sha256": digest(data), "bytes": len(data)})
        back = data[::-1]
        served.append({"protocol": "udp", "from_client": False, "sha256": digest(back), "bytes": len(back)})
        self.transport.sendto(back, sender)


class DNS(asyncio.DatagramProtocol):
    """Answers every question with the address 192.0.2.1 (RFC 1035 section 4)."""

    def connection_made(self, transport):
        self.transport = transport

    def datagram_received(self, data, sender):
        served.append({"protocol": "dns", "sha256": digest(data), "bytes": len(data)})
        end = data.index(0, 12) + 5
        back = data[:2] + b"\x81\x80\x00\x01\x00\x01\x00\x00\x00\x00" + data[12:end]
        back += b"\xc0\x0c\x00\x01\x00\x01\x00\x00\x00\x3c\x00\x04\xc0\x00\x02\x01"
        self.transport.sendto(back, sender)


def tls(directory):
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "origin.example")])
    now = datetime.datetime.now(datetime.timezone.utc)
    day = datetime.timedelta(days=1)
    cert = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
        .serial_number(x509.random_serial_number()).not_valid_before(now - day).not_valid_after(now + day)
        .sign(key, hashes.SHA256())
    )
    path = directory / "origin.pem"
    path.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        + cert.public_bytes(serialization.Encoding.PEM)
    )
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(path)
    context.set_alpn_protocols(["h2"])
    return context


async def start(directory, planted):
    """Starts all of them, and gives their ports by protocol."""
    secrets[:] = planted
    loop = asyncio.get_running_loop()
    ports = {}
    for name, handle, context in (("http", http1, None), ("h2", http2, tls(directory)), ("tcp", tcp, None)):
        server = await asyncio.start_server(handle, HOST, 0, ssl=context, limit=1 << 20)
        ports[name] = server.sockets[0].getsockname()[1]
    for name, protocol in (("udp", UDP), ("dns", DNS)):
        transport, _ = await loop.create_datagram_endpoint(protocol, local_addr=(HOST, 0))
        ports[name] = transport.get_extra_info("sockname")[1]
    return ports
