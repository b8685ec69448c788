"""Sends real traffic through a real mitmdump, and leaves what it recorded.

    python traffic.py NEW_DIRECTORY SECRET... [--stay]

The directory gets flows.mitm (everything), export.har (SaveHar of the same run),
answered.har and answered.mitm (without the flows that ended in an error),
replayed.mitm (the answered requests sent once more by mitmdump) and served.json
(what the origin saw and answered, by its own count). Nothing leaves the loopback
interface.
"""

import asyncio
import json
import pathlib
import signal
import socket
import ssl
import sys

import h2.config
import h2.connection
import h2.events
import wsproto

import origin

HOST = origin.HOST
CONFDIR = "/tmp/mitmproxy"


def free(kind=socket.SOCK_STREAM):
    with socket.socket(socket.AF_INET, kind) as s:
        s.bind((HOST, 0))
        return s.getsockname()[1]


async def mitmdump(*args):
    return await asyncio.create_subprocess_exec(
        "mitmdump", "-q", "--set", "confdir=" + CONFDIR, *args, stdin=asyncio.subprocess.DEVNULL)


async def listening(port):
    for _ in range(300):
        try:
            _, writer = await asyncio.open_connection(HOST, port)
            writer.close()
            return
        except OSError:
            await asyncio.sleep(0.1)
    raise RuntimeError("mitmdump does not listen")


async def request(proxy, port, path, method="GET", headers=(), body=b""):
    """One HTTP/1.1 request through the proxy, read until the proxy is done."""
    reader, writer = await asyncio.open_connection(HOST, proxy)
    head = f"{method} http://{HOST}:{port}{path} HTTP/1.1\r\nHost: {HOST}:{port}\r\nConnection: close\r\n"
    head += "".join(f"{k}: {v}\r\n" for k, v in headers)
    if body or method == "POST":
        head += f"Content-Length: {len(body)}\r\n"
    writer.write(head.encode("latin-1") + b"\r\n" + body)
    try:
        await reader.read(-1)
    except ConnectionError:
        pass  # the answer was cut, as it was meant to be
    writer.close()


async def over_http1(proxy, port, secrets):
    for i, key in enumerate([
        "/text", "/binary", "/octets", "/gzip", "/deflate", "/raw-deflate", "/br", "/zstd", "/gzip-binary", "/zero", "/none",
        "/chunked", "/cookie", "/redirect", "/latin", "/missing", "/text?q=%C3%A9&q=", "/large",
    ]):
        await request(proxy, port, f"{key}{'&' if '?' in key else '?'}id={i}", headers=[("X-Twice", "a"), ("x-twice", "b")])
    await request(proxy, port, "/text?id=head", "HEAD")
    await request(proxy, port, "/cookie?id=secret", headers=[
        ("Authorization", "Bearer " + secrets[2]), ("Cookie", "sid=" + secrets[3]), ("Proxy-Authorization", "Basic " + secrets[4]),
        ("Referer", f"http://user:{secrets[5]}@origin.example/"),
    ])
    await request(proxy, port, "/upload?id=form", "POST", [("Content-Type", "application/x-www-form-urlencoded")], b"a=1&b=%C3%A9&a=")
    await request(proxy, port, "/upload?id=binary", "POST", [("Content-Type", "application/octet-stream")], origin.BINARY)
    await request(proxy, port, "/upload?id=nothing", "POST")
    # Over the size from which mitmdump streams: it keeps no body.
    await request(proxy, port, "/upload?id=streamed", "POST", [("Content-Type", "application/octet-stream")], origin.LARGE)
    await request(proxy, port, "/abort?id=abort")
    await request(proxy, free(), "/text?id=refused")


async def over_http2(proxy, port):
    reader, writer = await asyncio.open_connection(HOST, proxy)
    writer.write(f"CONNECT {HOST}:{port} HTTP/1.1\r\nHost: {HOST}:{port}\r\n\r\n".encode())
    await reader.readuntil(b"\r\n\r\n")
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.set_alpn_protocols(["h2"])
    await writer.start_tls(context, server_hostname="origin.example")
    connection = h2.connection.H2Connection(h2.config.H2Configuration(client_side=True))
    connection.initiate_connection()
    open_ = set()
    for key, body in (("/text", None), ("/br", None), ("/octets", None), ("/upload", origin.BINARY), ("/none", None)):
        stream = connection.get_next_available_stream_id()
        connection.send_headers(stream, [
            (":method", "POST" if body else "GET"), (":scheme", "https"), (":authority", f"origin.example:{port}"),
            (":path", f"{key}?id=h2-{stream}"), ("x-twice", "a"), ("x-twice", "b"),
        ], end_stream=body is None)
        if body is not None:
            connection.send_data(stream, body, end_stream=True)
        open_.add(stream)
    writer.write(connection.data_to_send())
    while open_:
        data = await reader.read(65536)
        if not data:
            raise RuntimeError("the proxy closed an HTTP/2 connection")
        for event in connection.receive_data(data):
            if isinstance(event, h2.events.DataReceived):
                connection.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
            elif isinstance(event, (h2.events.StreamEnded, h2.events.StreamReset)):
                open_.discard(event.stream_id)
        writer.write(connection.data_to_send())
    connection.close_connection()
    writer.write(connection.data_to_send())
    writer.close()


async def over_websocket(proxy, port):
    reader, writer = await asyncio.open_connection(HOST, proxy)
    ws = wsproto.WSConnection(wsproto.ConnectionType.CLIENT)
    hello = ws.send(wsproto.events.Request(host=f"{HOST}:{port}", target="/socket?id=ws"))
    writer.write(hello.replace(b"GET /socket", f"GET http://{HOST}:{port}/socket".encode(), 1))
    messages = [
        wsproto.events.TextMessage(data="first"), wsproto.events.BytesMessage(data=b"\xff\x00binary"),
        wsproto.events.BytesMessage(data=b""), wsproto.events.TextMessage(data="Grüße"),
    ]
    while True:
        data = await reader.read(65536)
        if not data:
            return
        ws.receive_data(data)
        for event in ws.events():
            if isinstance(event, wsproto.events.CloseConnection):
                writer.close()
                return
            if messages:
                writer.write(ws.send(messages.pop(0)))
            else:
                writer.write(ws.send(wsproto.events.CloseConnection(code=1000, reason="done")))


async def over_tcp(port):
    reader, writer = await asyncio.open_connection(HOST, port)
    for piece in (b"hello\n", b"\xff\xfe\x00\n", b"last\n"):
        writer.write(piece)
        await reader.readline()
    writer.close()


class Datagrams(asyncio.DatagramProtocol):
    def __init__(self):
        self.answers = asyncio.Queue()

    def datagram_received(self, data, _):
        self.answers.put_nowait(data)


async def over_udp(port, pieces):
    transport, client = await asyncio.get_running_loop().create_datagram_endpoint(Datagrams, remote_addr=(HOST, port))
    for piece in pieces:
        transport.sendto(piece)
        await asyncio.wait_for(client.answers.get(), 20)
    transport.close()


def question(number, name):
    labels = b"".join(bytes([len(part)]) + part.encode() for part in name.split("."))
    return bytes([number, 0]) + b"\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00" + labels + b"\x00\x00\x01\x00\x01"


async def end(process):
    process.send_signal(signal.SIGINT)
    await asyncio.wait_for(process.wait(), 60)


async def main():
    out, secrets = pathlib.Path(sys.argv[1]), sys.argv[2:]
    out.mkdir()
    ports = await origin.start(out, secrets[:2])
    proxy, tcp, udp, dns = free(), free(), free(socket.SOCK_DGRAM), free(socket.SOCK_DGRAM)
    dump = await mitmdump(
        "--listen-host", HOST,
        "--mode", f"regular@{proxy}",
        "--mode", f"reverse:tcp://{HOST}:{ports['tcp']}@{tcp}",
        "--mode", f"reverse:udp://{HOST}:{ports['udp']}@{udp}",
        "--mode", f"reverse:dns://{HOST}:{ports['dns']}@{dns}",
        "--ssl-insecure", "--set", "stream_large_bodies=250k",
        "-w", str(out / "flows.mitm"), "--set", f"hardump={out / 'export.har'}",
    )
    await listening(proxy)
    await over_http1(proxy, ports["http"], secrets)
    await over_http2(proxy, ports["h2"])
    await over_websocket(proxy, ports["http"])
    await over_tcp(tcp)
    await over_udp(udp, [b"datagram", b"\xff\x00\xfe"])
    await over_udp(dns, [question(1, "origin.example"), question(2, "xn--caf-dma.example")])
    await asyncio.sleep(1)  # for the ends of connections to be recorded
    await end(dump)
    recorded = list(origin.served)

    again = await mitmdump("-n", "-r", str(out / "flows.mitm"), "--set", "save_stream_filter=~http & !~e",
                           "-w", str(out / "answered.mitm"), "--set", f"hardump={out / 'answered.har'}")
    await asyncio.wait_for(again.wait(), 60)
    del origin.served[:]
    replay = await mitmdump("-n", "-C", str(out / "answered.mitm"), "--ssl-insecure", "-w", str(out / "replayed.mitm"))
    await asyncio.wait_for(replay.wait(), 60)
    served = {"recorded": recorded, "replayed": list(origin.served)}
    (out / "served.json").write_text(json.dumps(served))
    (out / "origin.pem").unlink()
    print("recorded", flush=True)


asyncio.run(main())
# The container lives on, for whoever reads the recordings in it.
if "--stay" in sys.argv:
    signal.pause()
