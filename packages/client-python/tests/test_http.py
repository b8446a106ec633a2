"""The standard transport against a server on this machine."""

from __future__ import annotations

import base64
import gzip
import json
import threading
import traceback
import unittest
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from scorecard_pipeline_client import ApiError, Client, NoResponseError

Handle = Callable[[BaseHTTPRequestHandler], None]


class Server:
    """A server that handles each GET by a function, and notes the headers that it got."""

    def __init__(self, handle: Handle) -> None:
        self.seen: list[dict[str, str]] = []
        noted = self.seen

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                noted.append({name.lower(): value for name, value in self.headers.items()})
                handle(self)

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(
            target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        ).start()
        self.api = f"http://127.0.0.1:{self.server.server_port}/test"

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()


def respond(status: int, body: bytes, **headers: str) -> Handle:
    def handle(request: BaseHTTPRequestHandler) -> None:
        request.send_response(status)
        for name, value in headers.items():
            request.send_header(name.replace("_", "-"), value)
        request.end_headers()
        request.wfile.write(body)

    return handle


def client(api: str, **options: Any) -> Client:
    return Client(api, "grün", "pæss:wörd", **{"retry_seconds": 0, **options})


class Transport(unittest.TestCase):
    def test_credentials_are_sent_as_utf_8_and_an_answer_may_be_gzipped(self) -> None:
        body = gzip.compress(json.dumps([{"Name": "Sø"}]).encode())
        with Server(respond(200, body, Content_Encoding="gzip")) as server:
            self.assertEqual(client(server.api).clubs(), [{"Name": "Sø"}])
        [headers] = server.seen
        self.assertEqual(
            headers["authorization"], f"Basic {base64.b64encode('grün:pæss:wörd'.encode()).decode()}"
        )
        self.assertEqual(headers["accept-encoding"], "gzip")

    def test_a_redirect_is_not_followed_so_that_nobody_else_gets_the_credentials(self) -> None:
        with (
            Server(respond(200, b"[]")) as other,
            Server(respond(302, b"", Location=f"{other.api}/x")) as server,
        ):
            with self.assertRaises(ApiError) as raised:
                client(server.api).clubs()
        self.assertEqual((raised.exception.status, other.seen), (302, []))

    def test_an_answer_that_breaks_off_is_no_answer(self) -> None:
        whole = gzip.compress(b"[1, 2, 3]" * 1_000)
        cases = {
            "shorter than it says": respond(200, b"[]", Content_Length="100"),
            "gzip that breaks off": respond(200, whole[:-20], Content_Encoding="gzip"),
            "gzip that is none": respond(200, b"[]", Content_Encoding="gzip"),
            "no HTTP": lambda request: request.wfile.write(b"\0\1\2\r\n\r\n") and None,
            "an error that breaks off": respond(500, b"{}", Content_Length="100"),
        }
        for name, handle in cases.items():
            with self.subTest(name), Server(handle) as server:
                with self.assertRaisesRegex(NoResponseError, r"^No response from http://127\.0\.0\.1:\d+: "):
                    client(server.api).clubs()

    def test_a_silent_server_is_given_up_after_the_timeout(self) -> None:
        free = threading.Event()
        with Server(lambda _: free.wait(20) and None) as server:
            with self.assertRaisesRegex(NoResponseError, r"timed out after 0\.2 seconds"):
                client(server.api, timeout_seconds=0.2).clubs()
            free.set()

    def test_a_server_that_comes_back_is_waited_for(self) -> None:
        answers = iter([respond(503, b"", Retry_After="0"), respond(200, b"[]")])
        with Server(lambda request: next(answers)(request)) as server:
            self.assertEqual(client(server.api, retry_seconds=10).clubs(), [])
        self.assertEqual(len(server.seen), 2)

    def test_no_error_has_the_password_or_what_was_asked_for(self) -> None:
        def told(api: str) -> str:
            try:
                client(api).golfer(union_id="32-1", lifetime_id="010170-ABC", token="geheim")
            except (ApiError, NoResponseError):
                return traceback.format_exc()
            raise AssertionError("There was no error.")

        texts = [told("http://127.0.0.1:1/test")]
        for handle in (respond(500, b""), respond(200, b"[]", Content_Length="100"), respond(404, b"{}")):
            with Server(handle) as server:
                texts.append(told(server.api))
        secrets = ("wörd", base64.b64encode("grün:pæss:wörd".encode()).decode())
        for text in texts:
            # The traceback has the line of this test, with the numbers in it.
            shown = [line for line in text.splitlines() if "client(api).golfer(" not in line]
            for secret in (*secrets, "32-1", "010170", "geheim"):
                self.assertNotIn(secret, "\n".join(shown))
        self.assertNotIn(
            "wörd", repr(client("https://host/test")) + repr(client("https://host/test")._connection)
        )


class BaseAddress(unittest.TestCase):
    def test_what_is_no_address_is_an_error_that_does_not_repeat_it(self) -> None:
        for wrong in (
            "",
            "host/test",
            "ftp://host",
            "https://",
            "https://[",
            "https://host/a b",
            "https://host\n",
        ):
            with self.assertRaisesRegex(ValueError, r"^`api` is no address\."):
                client(wrong)

    def test_credentials_in_the_address_are_an_error_that_does_not_repeat_them(self) -> None:
        for wrong in ("https://u:geheim@host/test", "https://geheim@host/test"):
            with self.assertRaises(ValueError) as raised:
                client(wrong)
            self.assertNotIn("geheim", str(raised.exception))


if __name__ == "__main__":
    unittest.main()
