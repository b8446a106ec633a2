"""A client whose server answers from a script, with time that passes only when the client waits."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from scorecard_pipeline_client import Client, HttpRequest, NoResponseError, Response

Answer = Callable[[HttpRequest], Response]


def answer(status: int, document: object = None, **headers: str) -> Response:
    """A response with a JSON document."""
    lower = {name.replace("_", "-").lower(): value for name, value in headers.items()}
    return Response(status, lower, "" if document is None else json.dumps(document))


def sent_json(request: HttpRequest) -> Any:
    """The document that a request has."""
    body = request.body or b""
    return json.loads(gzip.decompress(body) if request.headers.get("Content-Encoding") == "gzip" else body)


class Script:
    """Answers requests, and notes them with the pauses between them."""

    def __init__(self, *answers: Response | Exception | Answer) -> None:
        self.answers = list(answers)
        self.requests: list[HttpRequest] = []
        self.pauses: list[float] = []
        self.now = 1_000.0

    def transport(self, request: HttpRequest) -> Response:
        self.requests.append(request)
        # The last one answers all that follow.
        given = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(given, Exception):
            raise given
        return given if isinstance(given, Response) else given(request)

    def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.now += seconds

    def client(self, **options: Any) -> Client:
        client = Client("https://host/test/", "greens", "geheim", transport=self.transport, **options)
        client._connection = replace(client._connection, sleep=self.sleep, clock=lambda: self.now)
        return client


LOST = NoResponseError("No response from https://host: it is gone.")
