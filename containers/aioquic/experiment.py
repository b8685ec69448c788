"""Record two QUIC connections of which it is known what was sent.

An HTTP/3 origin and a client, both aioquic, talk through a relay on the
loopback interface. In the control run the relay passes every datagram on; in
the loss run it drops exactly one that carries response bytes. The origin's
trace is written by aioquic's own QuicLogger. Beside it stands what this program
counted itself, where the origin takes the response's bytes out of its send
buffer, without looking at the trace.

    python experiment.py NEW_DIRECTORY

makes NEW_DIRECTORY/{control,loss}/origin.qlog and counts.json.
"""

import asyncio
import datetime
import importlib.metadata
import json
import pathlib
import ssl
import sys

from aioquic.asyncio.client import connect
from aioquic.asyncio.protocol import QuicConnectionProtocol
from aioquic.asyncio.server import serve
from aioquic.h3.connection import H3_ALPN, H3Connection
from aioquic.h3.events import DataReceived, HeadersReceived
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.logger import QuicLogger
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

LOOPBACK = "127.0.0.1"
# Invented secrets, so that a reader of the trace can show that it leaves them
# out.
SECRETS = ["experiment-authorization", "experiment-cookie", "experiment-user", "experiment-password"]
BODY = bytes(range(256)) * 128  # 32,768 bytes
FULL_DATAGRAM = 1200
# In the loss run the relay drops the first full datagram that the origin sends
# after the handshake. A packet of it that holds nothing but the beginning of the
# response has room for this many bytes: 1,200 less the short header with
# connection id and packet number (11), the STREAM frame's type, stream id and
# length (4), and the AEAD tag (16).
DROPPED = 0
REPEATED = [0, 1169]
DEADLINE = 20  # seconds for one run
# On a busy machine an acknowledgement may come so late that the origin sends
# something again which nobody dropped, or may share the packet that is dropped.
# Such a run is made once more.
ATTEMPTS = 10

RESPONSE_HEADERS = [
    (b":status", b"200"),
    (b"content-type", b"application/octet-stream"),
    (b"content-length", b"%d" % len(BODY)),
]


class Counter:
    """Counts what leaves the send buffer of one stream."""

    def __init__(self):
        self.frames = []

    def watch(self, sender):
        take = sender.get_frame

        def get_frame(*args, **kwargs):
            frame = take(*args, **kwargs)
            if frame is not None:
                self.frames.append((frame.offset, len(frame.data), frame.fin))
            return frame

        sender.get_frame = get_frame

    def facts(self):
        """One count for each byte: no intervals, so no interval arithmetic."""
        times = bytearray(max(offset + length for offset, length, _ in self.frames))
        for offset, length, _ in self.frames:
            for i in range(offset, offset + length):
                times[i] += 1
        repeated = []
        for i, n in enumerate(times):
            if n > 1 and repeated and repeated[-1][1] == i:
                repeated[-1][1] = i + 1
            elif n > 1:
                repeated.append([i, i + 1])
        return {
            "frames": len(self.frames),
            "frame_length_sum": sum(times),
            "unique_bytes": sum(1 for n in times if n),
            "repeated_bytes": sum(n - 1 for n in times if n),
            "repeated_ranges": repeated,
            "final_sizes": sorted({o + n for o, n, fin in self.frames if fin}),
        }


class Origin(QuicConnectionProtocol):
    """Answers every request with the same body."""

    def __init__(self, *args, counter, **kwargs):
        super().__init__(*args, **kwargs)
        self.counter = counter
        self.http = H3Connection(self._quic)

    def quic_event_received(self, event):
        for found in self.http.handle_event(event):
            if isinstance(found, HeadersReceived):
                stream = found.stream_id
                self.counter.watch(self._quic._streams[stream].sender)
                self.http.send_headers(stream, RESPONSE_HEADERS)
                self.http.send_data(stream, BODY, end_stream=True)
                self.transmit()


class Client(QuicConnectionProtocol):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.http = H3Connection(self._quic)
        self.body = b""
        self.ended = asyncio.get_running_loop().create_future()

    async def get(self):
        stream = self._quic.get_next_available_stream_id()
        self.http.send_headers(
            stream,
            [
                (b":method", b"GET"),
                (b":scheme", b"https"),
                (b":authority", b"origin.example"),
                (b":path", b"/body?page=1"),
                (b"authorization", f"Bearer {SECRETS[0]}".encode()),
                (b"cookie", f"session={SECRETS[1]}".encode()),
                (b"referer", f"https://{SECRETS[2]}:{SECRETS[3]}@origin.example/".encode()),
            ],
            end_stream=True,
        )
        self.transmit()
        return await self.ended

    def quic_event_received(self, event):
        for found in self.http.handle_event(event):
            if isinstance(found, DataReceived):
                self.body += found.data
            if found.stream_ended and not self.ended.done():
                self.ended.set_result(self.body)


class Relay(asyncio.DatagramProtocol):
    """Stands between client and origin, and drops what it is told to."""

    def __init__(self, origin, drop):
        self.origin, self.drop = origin, drop
        self.client = None
        self.full = 0
        self.dropped = 0

    def connection_made(self, transport):
        self.transport = transport

    def datagram_received(self, data, sender):
        if sender != self.origin:
            self.client = sender
            self.transport.sendto(data, self.origin)
            return
        # A short header (RFC 9000 section 17.3) comes after the handshake.
        if not data[0] & 0x80 and len(data) == FULL_DATAGRAM:
            self.full += 1
            if self.full - 1 in self.drop:
                self.dropped += 1
                return
        self.transport.sendto(data, self.client)


def certificate():
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "origin.example")])
    now = datetime.datetime.now(datetime.timezone.utc)
    day = datetime.timedelta(days=1)
    cert = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - day)
        .not_valid_after(now + day)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("origin.example")]), False)
        .sign(key, hashes.SHA256())
    )
    return key, cert


async def record(drop):
    """One connection: the origin's trace and what was counted."""
    loop = asyncio.get_running_loop()
    counter, logger = Counter(), QuicLogger()
    key, cert = certificate()
    server = await serve(
        LOOPBACK,
        0,
        configuration=QuicConfiguration(
            is_client=False, alpn_protocols=H3_ALPN, certificate=cert, private_key=key, quic_logger=logger
        ),
        create_protocol=lambda *args, **kwargs: Origin(*args, counter=counter, **kwargs),
    )
    relay = None
    try:
        origin = server._transport.get_extra_info("sockname")
        transport, relay = await loop.create_datagram_endpoint(
            lambda: Relay(origin, drop), local_addr=(LOOPBACK, 0)
        )
        host, port = transport.get_extra_info("sockname")
        configuration = QuicConfiguration(
            is_client=True, alpn_protocols=H3_ALPN, server_name="origin.example", verify_mode=ssl.CERT_NONE
        )
        async with connect(host, port, configuration=configuration, create_protocol=Client) as client:
            body = await client.get()
            # Until the origin has the last acknowledgements.
            await client.ping()
    finally:
        server.close()
        if relay:
            relay.transport.close()
    if body != BODY:
        raise RuntimeError("the client has another body than the origin served")
    facts = counter.facts()
    facts.update(body_bytes=len(BODY), stream_id=0, direction="sent", dropped_datagrams=relay.dropped)
    return logger.to_dict(), facts


def expected(facts, drop):
    """Whether what was dropped, and nothing else, was sent again."""
    return facts["dropped_datagrams"] == len(drop) and facts["repeated_ranges"] == [REPEATED] * len(drop)


def run(directory, drop):
    for attempt in range(1, ATTEMPTS + 1):
        trace, facts = asyncio.run(asyncio.wait_for(record(drop), DEADLINE))
        if expected(facts, drop):
            break
    else:
        raise RuntimeError("no run in which only dropped bytes were sent again")
    facts.update(aioquic=importlib.metadata.version("aioquic"), attempts=attempt, secrets=SECRETS)
    directory.mkdir()
    (directory / "origin.qlog").write_text(json.dumps(trace))
    (directory / "counts.json").write_text(json.dumps(facts, indent=1) + "\n")
    return facts


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    out = pathlib.Path(sys.argv[1])
    out.mkdir()
    for name, drop in (("control", set()), ("loss", {DROPPED})):
        print(name, json.dumps(run(out / name, drop)))


if __name__ == "__main__":
    main()
