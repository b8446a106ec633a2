from __future__ import annotations

import math
import unittest

from scorecard_pipeline_client import (
    ApiError,
    ConflictError,
    ForbiddenError,
    GoneError,
    NoResponseError,
    NotFoundError,
    ServerError,
    TooManyRequestsError,
    UnauthorizedError,
)
from scorecard_pipeline_client.connection import UntrustedServerError

from .scripted import LOST, Script, answer

BUSY = answer(503)


class Retries(unittest.TestCase):
    def test_a_busy_api_is_asked_again_after_pauses_that_grow_to_five_seconds(self) -> None:
        script = Script(*[BUSY] * 8, answer(200, []))
        self.assertEqual(script.client().clubs(), [])
        self.assertEqual(script.pauses, [0.2, 0.4, 0.8, 1.6, 3.2, 5, 5, 5])

    def test_the_client_waits_as_long_as_retry_after_says(self) -> None:
        for status in (429, 503, 504):
            script = Script(answer(status, Retry_After="17"), answer(200, []))
            script.client().clubs()
            self.assertEqual(script.pauses, [17])

    def test_a_retry_after_that_is_no_number_of_seconds_is_passed_over(self) -> None:
        for told in ("Wed, 21 Oct 2026 07:28:00 GMT", "-3", "1e9", "", "٣"):
            script = Script(answer(503, Retry_After=told), answer(200, []))
            script.client().clubs()
            self.assertEqual(script.pauses, [0.2], told)

    def test_a_lost_connection_is_retried_with_the_same_request(self) -> None:
        script = Script(LOST, LOST, answer(204))
        script.client().withdraw("4711")
        first, second, third = script.requests
        self.assertEqual([first, first], [second, third])
        self.assertEqual(first.method, "DELETE")

    def test_retries_end_after_the_given_time_with_the_last_answer(self) -> None:
        script = Script(BUSY)
        with self.assertRaises(ServerError) as raised:
            script.client(retry_seconds=10).clubs()
        self.assertEqual(raised.exception.status, 503)
        self.assertLessEqual(sum(script.pauses), 10)
        self.assertGreater(sum(script.pauses), 5)

    def test_a_wait_that_would_end_too_late_is_not_begun(self) -> None:
        script = Script(answer(429, Retry_After="60"))
        with self.assertRaises(TooManyRequestsError) as raised:
            script.client(retry_seconds=59).clubs()
        self.assertEqual((script.pauses, raised.exception.retry_after_seconds), ([], 60))

    def test_with_no_retries_a_request_is_sent_once(self) -> None:
        for given, kind in ((BUSY, ServerError), (LOST, NoResponseError)):
            script = Script(given)
            with self.assertRaises(kind):
                script.client().retrying(0).clubs()
            self.assertEqual(len(script.requests), 1)

    def test_endless_retries_outlast_an_hour(self) -> None:
        script = Script(*[LOST] * 1_000, answer(200, []))
        script.client(retry_seconds=math.inf).clubs()
        self.assertGreater(sum(script.pauses), 3_600)

    def test_a_server_whose_certificate_is_not_trusted_is_not_asked_again(self) -> None:
        script = Script(UntrustedServerError("No response from https://host: self-signed certificate."))
        with self.assertRaises(NoResponseError):
            script.client().clubs()
        self.assertEqual(len(script.requests), 1)

    def test_a_new_webhook_is_asked_for_once(self) -> None:
        script = Script(LOST)
        with self.assertRaises(NoResponseError):
            script.client().create_webhook("https://hooks.example/1")
        self.assertEqual(len(script.requests), 1)


class Errors(unittest.TestCase):
    def test_a_refusal_is_an_error_of_its_own_kind_with_what_the_api_said(self) -> None:
        problem = {
            "type": "about:blank",
            "title": "No such card",
            "status": 404,
            "detail": "It is not there.",
        }
        kinds = {
            401: UnauthorizedError,
            403: ForbiddenError,
            404: NotFoundError,
            409: ConflictError,
            410: GoneError,
        }
        for status, kind in kinds.items():
            script = Script(answer(status, problem, x_amzn_RequestId="request-1"))
            with self.assertRaises(kind) as raised:
                script.client().card("4711")
            error = raised.exception
            self.assertEqual(str(error), f"HTTP {status}: No such card. It is not there.")
            self.assertEqual((error.problem, error.request_id), (problem, "request-1"))
            self.assertEqual(len(script.requests), 1)

    def test_a_status_without_a_kind_of_its_own_is_an_api_error(self) -> None:
        with self.assertRaises(ApiError) as raised:
            Script(answer(302, Location="https://elsewhere")).client().clubs()
        self.assertEqual((type(raised.exception), raised.exception.status), (ApiError, 302))

    def test_an_answer_that_is_no_problem_is_an_error_all_the_same(self) -> None:
        for text in ("<html>", "[]", '{"title": 3}', "", "null"):
            script = Script(lambda _, text=text: replace_text(answer(500), text))
            with self.assertRaises(ServerError) as raised:
                script.client().clubs()
            self.assertEqual((str(raised.exception), raised.exception.problem), ("HTTP 500", None))
            self.assertEqual(raised.exception.errors, [])

    def test_a_wrong_base_address_is_pointed_at(self) -> None:
        no_path = {"type": "about:blank", "title": "No such path", "status": 404, "detail": "Nothing here."}
        for given in (answer(404, no_path), answer(403), answer(404)):
            with self.assertRaises(ApiError) as raised:
                Script(given).client().clubs()
            self.assertIn("Check the base address https://host/test:", str(raised.exception))


def replace_text(response, text):  # type: ignore[no-untyped-def]
    return type(response)(response.status, response.headers, text)


if __name__ == "__main__":
    unittest.main()
