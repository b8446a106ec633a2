"""Requests to the API, and their retries."""

from __future__ import annotations

import gzip
import http.client
import json
import ssl
import threading
import time
import urllib.error
import urllib.request
import zlib
from base64 import b64encode
from collections.abc import Callable, Mapping, MutableMapping
from dataclasses import dataclass, replace
from typing import Any, TypedDict
from urllib.parse import quote, urlsplit

from .errors import NoResponseError, api_error, retry_after

RETRYABLE = frozenset({429, 503, 504})
FIRST_PAUSE_SECONDS = 0.2
LONGEST_PAUSE_SECONDS = 5.0
BYTES_WORTH_COMPRESSING = 8_192
"""Shorter bodies are not worth compressing."""


class RememberedAnswer(TypedDict):
    """A response with its ETag, as plain data. Only clubs and courses are remembered, never persons."""

    etag: str
    text: str


@dataclass(frozen=True)
class Response:
    """A response that was read to its end. Names of headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    text: str


@dataclass(frozen=True, repr=False)
class HttpRequest:
    """A request as a transport sends it. It has the credentials, so it is not shown."""

    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes | None
    timeout_seconds: float


Transport = Callable[[HttpRequest], Response]
"""Sends a request once. Raises NoResponseError if there is no response."""


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """The API never redirects: following would send the credentials to another address."""

    def redirect_request(self, *_: object) -> None:
        return None


_opener = urllib.request.build_opener(_NoRedirect)


class UntrustedServerError(NoResponseError):
    """The server's certificate is not trusted, which no retry changes."""


def send_once(request: HttpRequest) -> Response:
    """Sends a request by the standard library, through the proxy of the environment if there is one."""
    made = urllib.request.Request(
        request.url, data=request.body, headers=dict(request.headers), method=request.method
    )
    try:
        with _opener.open(made, timeout=request.timeout_seconds) as answer:
            return _read(answer.status, dict(answer.headers.items()), answer.read())
    except urllib.error.HTTPError as refusal:
        # Its own traceback would have the address, which may have an ExternalID.
        try:
            return _read(refusal.code, dict(refusal.headers.items()), refusal.read())
        except (OSError, http.client.HTTPException, EOFError, zlib.error) as error:
            raise _no_response(request, error) from None
    except (OSError, http.client.HTTPException, EOFError, zlib.error) as error:
        raise _no_response(request, error) from None


def _read(status: int, headers: Mapping[str, str], body: bytes) -> Response:
    lower = {name.lower(): value for name, value in headers.items()}
    if lower.get("content-encoding") == "gzip" and body:
        body = gzip.decompress(body)
    return Response(status, lower, body.decode("utf-8", "replace"))


def _no_response(request: HttpRequest, error: Exception) -> NoResponseError:
    reason = error.reason if isinstance(error, urllib.error.URLError) else error
    parts = urlsplit(request.url)
    origin = f"{parts.scheme}://{parts.netloc}"
    if isinstance(reason, TimeoutError):
        told = f"it timed out after {request.timeout_seconds:g} seconds"
    else:
        told = str(reason) or type(reason).__name__
    kind = UntrustedServerError if isinstance(reason, ssl.SSLCertVerificationError) else NoResponseError
    return kind(f"No response from {origin}: {told}.")


@dataclass(frozen=True, repr=False)
class Connection:
    """An API and the account to use it with."""

    api: str
    username: str
    password: str
    api_set: str
    retry_seconds: float
    timeout_seconds: float
    cache: MutableMapping[str, RememberedAnswer] | None
    transport: Transport
    clock: Callable[[], float] = time.monotonic
    stop: threading.Event | None = None
    """Once it is set, nothing is retried."""
    sleep: Callable[[float], None] | None = None
    """Instead of real pauses."""

    def retrying(self, seconds: float) -> Connection:
        """The same, but retrying for another time."""
        return replace(self, retry_seconds=seconds)

    def stopped_by(self, stop: threading.Event) -> Connection:
        """The same, but without further retries once the event is set."""
        return replace(self, stop=stop)

    def pause(self, seconds: float) -> bool:
        """Waits. Returns whether to go on."""
        if self.stop is not None and self.stop.is_set():
            return False
        if self.sleep is not None:
            self.sleep(seconds)
        elif self.stop is not None:
            return not self.stop.wait(seconds)
        else:
            time.sleep(seconds)
        return True

    def read(self, path: str, **details: Any) -> Any:
        """The JSON document of a response."""
        return json.loads(self.send(path, **details).text)

    def send(
        self,
        path: str,
        *,
        method: str = "GET",
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        expected: int = 200,
    ) -> Response:
        """Sends a request to a path below the API set.

        Retries after 429, 503, 504 and lost connections, and waits for Retry-After if the response has it. Any request to the
        API may be repeated, because it has the same effect as once.

        :raises ApiError: for any other status than the expected one
        :raises NoResponseError: if there is no response
        """
        token = b64encode(f"{self.username}:{self.password}".encode()).decode()
        sent = {
            "Accept": "application/json",
            "Accept-Encoding": "gzip",
            "Authorization": f"Basic {token}",
            "User-Agent": "scorecard-pipeline-client-python",
            **(headers or {}),
        }
        if body is not None:
            sent["Content-Type"] = "application/json"
            if len(body) >= BYTES_WORTH_COMPRESSING:
                sent["Content-Encoding"] = "gzip"
                # Cards are so alike that even the fastest level shrinks a request to less than a tenth.
                body = gzip.compress(body, compresslevel=1)
        url = f"{self.api}/{quote(self.api_set, safe='')}/{path}"
        remembered = self.cache.get(url) if self.cache is not None else None
        if remembered is not None:
            sent["If-None-Match"] = remembered["etag"]
        response = self._with_retries(HttpRequest(method, url, sent, body, self.timeout_seconds))
        if response.status == 304 and remembered is not None:
            return replace(response, status=expected, text=remembered["text"])
        if response.status != expected:
            raise api_error(self.api, response.status, response.headers, response.text)
        self._remember(url, path, response)
        return response

    def _remember(self, url: str, path: str, response: Response) -> None:
        etag = response.headers.get("etag")
        is_personal = "no-store" in response.headers.get("cache-control", "")
        # Responses with `changedsince` are not remembered: each request asks for changes since another time.
        if self.cache is not None and etag is not None and not is_personal and "changedsince=" not in path:
            self.cache[url] = {"etag": etag, "text": response.text}

    def _with_retries(self, request: HttpRequest) -> Response:
        deadline = self.clock() + self.retry_seconds
        pause = FIRST_PAUSE_SECONDS
        while True:
            try:
                response = self.transport(request)
            except UntrustedServerError:
                raise
            except NoResponseError:
                if self.clock() + pause > deadline or not self.pause(pause):
                    raise
            else:
                wait = retry_after(response.headers)
                wait = pause if wait is None else wait
                is_final = response.status not in RETRYABLE or self.clock() + wait > deadline
                if is_final or not self.pause(wait):
                    return response
            pause = min(LONGEST_PAUSE_SECONDS, pause * 2)


def base_address(text: str) -> str:
    """A base address without a slash at its end.

    :raises ValueError: if it is none. The error does not repeat an address that may have a password
    """
    try:
        parts = urlsplit(text)
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        is_address = False
    if not is_address or any(character <= " " or character > "~" for character in text):
        raise ValueError("`api` is no address. Give the base address, https://{host}/{stage}.")
    if parts.username is not None or parts.password is not None:
        raise ValueError("`api` has credentials. Give them as `username` and `password`.")
    return text.rstrip("/")
