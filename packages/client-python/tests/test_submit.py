from __future__ import annotations

import json
import threading
import time
import unittest
from dataclasses import replace
from typing import Any

from scorecard_pipeline_client import (
    HttpRequest,
    InvalidCardsError,
    NoResponseError,
    Response,
    ServerError,
    SubmissionProgress,
)
from scorecard_pipeline_client.submit import _Card, in_requests

from .scripted import LOST, Script, answer, sent_json


def card(name: str, **more: Any) -> Any:
    return {"ExternalID": name, **more}


def entry(index: int, sent: Any, refused: bool = False) -> Any:
    named = {"index": index, "externalId": sent["ExternalID"]}
    if refused:
        fault = {**named, "pointer": "/HCP", "code": "required", "detail": "Send it."}
        return {**named, "status": 422, "errors": [fault]}
    return {**named, "status": 201, "card": sent, "contentHash": "h", "warnings": [{**named, "code": "w"}]}


def take(request: HttpRequest) -> Response:
    """Takes a lenient submission; cards whose name begins with `bad` are refused."""
    cards = sent_json(request)
    return answer(207, [entry(i, one, one["ExternalID"].startswith("bad")) for i, one in enumerate(cards)])


class Submission(unittest.TestCase):
    def test_cards_are_sent_by_thousands_and_answered_in_order_with_their_place_among_all(self) -> None:
        script = Script(take)
        names = [f"bad {i}" if i % 7 == 0 else f"card {i}" for i in range(2_500)]
        entries = script.client().submit(card(name) for name in names)
        self.assertEqual([one["externalId"] for one in entries], names)
        for index, one in enumerate(entries):
            self.assertEqual(one["index"], index)
            self.assertEqual(one["status"], 422 if index % 7 == 0 else 201)
            for finding in one["errors"] if one["status"] == 422 else one["warnings"]:
                self.assertEqual(finding["index"], index)
        self.assertEqual(sorted(len(sent_json(one)) for one in script.requests), [500, 1_000, 1_000])
        for request in script.requests:
            self.assertEqual(request.headers["Prefer"], "handling=lenient")
            self.assertEqual(request.url, "https://host/test/greens/ScorecardExchange")

    def test_requests_are_as_large_as_the_api_takes_in_bytes_and_no_larger(self) -> None:
        cards = [_Card(i, b"x" * 10, None) for i in range(10)]
        # Brackets, and a comma for each card.
        sizes = [len(one) for one in in_requests(cards, most_cards=100, most_bytes=2 + 3 * 11)]
        self.assertEqual(sizes, [3, 3, 3, 1])
        sizes = [len(one) for one in in_requests(cards, most_cards=100, most_bytes=1 + 3 * 11)]
        self.assertEqual(sizes, [2] * 5)
        large = [_Card(0, b"x", None), _Card(1, b"x" * 50, None), _Card(2, b"x", None)]
        self.assertEqual([len(one) for one in in_requests(large, most_cards=9, most_bytes=20)], [1, 1, 1])

    def test_bytes_are_counted_as_utf_8(self) -> None:
        script = Script(take)
        script.client().submit(card(f"{i}", Comment="æ" * 1_000_000) for i in range(3))
        self.assertEqual(sorted(len(sent_json(one)) for one in script.requests), [1, 2])

    def test_a_card_with_the_name_of_an_earlier_one_is_refused_and_not_sent(self) -> None:
        script = Script(take)
        first, again, other = script.client().submit([card("a", HCP=1), card("a", HCP=2), card("b")])
        self.assertEqual([first["status"], again["status"], other["status"]], [201, 422, 201])
        self.assertEqual((again["index"], again["errors"][0]["code"]), (1, "duplicate_external_id"))
        self.assertEqual([one["ExternalID"] for one in sent_json(script.requests[0])], ["a", "b"])
        self.assertEqual(other["index"], 2)

    def test_only_repeated_cards_at_the_end_are_answered_too(self) -> None:
        self.assertEqual(len(Script(take).client().submit([card("a")] * 3)), 3)

    def test_a_text_is_sent_as_it_is_with_every_digit(self) -> None:
        seen: list[bytes] = []

        def note(request: HttpRequest) -> Response:
            seen.append(request.body or b"")
            return take(request)

        script = Script(note)
        text = '{ "ExternalID": "a",  "HCP": 1.000000000000000000001 }'
        script.client().submit([text, card("b")])
        self.assertEqual(seen, [f'[{text},{{"ExternalID":"b"}}]'.encode()])

    def test_half_of_a_character_reaches_the_api_as_json_writes_it(self) -> None:
        script = Script(take)
        script.client().submit([card("a", Comment="\ud83d"), '{"ExternalID": "b", "Comment": "\ud83d"}'])
        self.assertEqual([one["Comment"] for one in sent_json(script.requests[0])], ["\ud83d", "\ud83d"])
        # UTF-8 has no such halves.
        self.assertIn("\\ud83d", (script.requests[0].body or b"").decode("utf-8"))

    def test_a_figure_that_json_does_not_have_is_an_error_before_anything_is_sent(self) -> None:
        script = Script(take)
        with self.assertRaises(ValueError):
            script.client().submit([card("a", HCP=float("nan"))])
        self.assertEqual(script.requests, [])

    def test_a_request_that_is_too_large_is_halved_until_it_fits(self) -> None:
        def small_only(request: HttpRequest) -> Response:
            return take(request) if len(sent_json(request)) <= 3 else answer(413)

        script = Script(small_only)
        entries = script.client().submit(card(f"{i}") for i in range(10))
        self.assertEqual([one["index"] for one in entries], list(range(10)))
        self.assertEqual({one["status"] for one in entries}, {201})

    def test_a_single_card_that_is_too_large_is_refused_and_the_others_are_accepted(self) -> None:
        def no_giant(request: HttpRequest) -> Response:
            has_giant = any(one["ExternalID"] == "giant" for one in sent_json(request))
            return answer(413) if has_giant else take(request)

        entries = Script(no_giant).client().submit([card("a"), card("giant"), card("b")])
        self.assertEqual([one["status"] for one in entries], [201, 422, 201])
        self.assertEqual(entries[1]["errors"][0]["code"], "too_large")  # type: ignore[typeddict-item]

    def test_progress_counts_each_request(self) -> None:
        told: list[SubmissionProgress] = []
        names = ["bad" if i == 0 else f"{i}" for i in range(1_001)]
        Script(take).client().submit(map(card, names), parallel=1, on_progress=told.append)
        self.assertEqual(told, [SubmissionProgress(999, 1, 999), SubmissionProgress(1_000, 1, 1_000)])

    def test_after_an_error_nothing_further_is_begun_and_what_was_accepted_is_told(self) -> None:
        begun = threading.Event()

        def second_fails(request: HttpRequest) -> Response:
            first = sent_json(request)[0]["ExternalID"]
            if first == "1000":
                begun.set()
                return answer(500)
            begun.wait(10)
            return take(request)

        script = Script(second_fails)
        accepted: list[int] = []
        with self.assertRaises(ServerError):
            for part in script.client().submit_in_parts((card(f"{i}") for i in range(50_000)), parallel=2):
                accepted += [one["index"] for one in part]
        self.assertEqual(accepted[:1_000], list(range(1_000)))
        self.assertLessEqual(len(script.requests), 4)

    def test_cards_that_break_off_are_an_error_after_what_was_sent_is_told(self) -> None:
        def broken() -> Any:
            yield from (card(f"{i}") for i in range(1_001))
            raise OSError("the file ends here")

        accepted: list[int] = []
        with self.assertRaisesRegex(OSError, "the file ends here"):
            for part in Script(take).client().submit_in_parts(broken()):
                accepted += [one["index"] for one in part]
        self.assertEqual(accepted, list(range(1_000)))

    def test_whoever_stops_reading_waits_for_no_retry(self) -> None:
        served = threading.Event()

        def first_only(request: HttpRequest) -> Response:
            if sent_json(request)[0]["ExternalID"] == "0":
                return take(request)
            served.set()
            return answer(503, Retry_After="60")

        script = Script(first_only)
        client = script.client()
        # Real pauses: one would last a minute.
        client._connection = replace(client._connection, sleep=None)
        parts = client.submit_in_parts((card(f"{i}") for i in range(2_000)), parallel=2)
        next(parts)
        served.wait(10)
        begin = time.monotonic()
        parts.close()  # type: ignore[attr-defined]
        self.assertLess(time.monotonic() - begin, 30)
        self.assertEqual(len(script.requests), 2)

    def test_no_cards_are_no_request(self) -> None:
        script = Script(take)
        self.assertEqual(script.client().submit([]), [])
        self.assertEqual(script.requests, [])

    def test_a_request_that_gets_no_answer_is_an_error(self) -> None:
        with self.assertRaises(NoResponseError):
            Script(LOST).client().submit([card("a")])


class AllOrNone(unittest.TestCase):
    def test_a_single_request_is_submitted_strictly(self) -> None:
        script = Script(lambda request: answer(201, sent_json(request), scorecard_warnings="3"))
        cards, warnings = script.client().submit_all_or_none([card("a"), card("b")])
        self.assertEqual(([one["ExternalID"] for one in cards], warnings), (["a", "b"], 3))
        self.assertNotIn("Prefer", script.requests[0].headers)

    def test_faults_of_a_refusal_are_in_the_error(self) -> None:
        fault = {"index": 0, "pointer": "/HCP", "code": "required", "detail": "Send it."}
        problem = {
            "type": "t",
            "title": "Cards are refused",
            "status": 422,
            "detail": "1 of 1",
            "errors": [fault],
        }
        with self.assertRaises(InvalidCardsError) as raised:
            Script(answer(422, problem)).client().submit_all_or_none([card("a")])
        self.assertEqual(raised.exception.errors, [fault])

    def test_of_several_requests_none_is_submitted_if_a_card_of_any_has_a_fault(self) -> None:
        def validate(request: HttpRequest) -> Response:
            entries = [entry(i, one, one["ExternalID"] == "bad") for i, one in enumerate(sent_json(request))]
            return answer(200, {"accepted": all(one["status"] == 201 for one in entries), "cards": entries})

        script = Script(validate)
        names = [f"{i}" for i in range(1_500)]
        names[1_200], names[1_400] = "bad", "7"
        with self.assertRaises(InvalidCardsError) as raised:
            script.client().submit_all_or_none(map(card, names))
        self.assertEqual(
            [(one["index"], one["code"]) for one in raised.exception.errors],
            [(1_200, "required"), (1_400, "duplicate_external_id")],
        )
        self.assertIn("2 of 1500 cards have faults", str(raised.exception))
        self.assertTrue(all(one.url.endswith("/Validate") for one in script.requests))

    def test_a_validation_of_several_requests_is_one(self) -> None:
        def validate(request: HttpRequest) -> Response:
            entries = [entry(i, one) for i, one in enumerate(sent_json(request))]
            return answer(
                200,
                {"accepted": True, "cards": entries, "players": {"known": 2, "unknown": 1, "unanswered": 0}},
            )

        script = Script(validate)
        validation = script.client().validate([card(f"{i}") for i in range(1_001)], players=True)
        self.assertEqual([one["index"] for one in validation["cards"]], list(range(1_001)))
        self.assertEqual(validation["players"], {"known": 4, "unknown": 2, "unanswered": 0})
        self.assertTrue(script.requests[0].url.endswith("/Validate?players=1"))


class Requests(unittest.TestCase):
    def test_a_large_request_is_gzipped_and_a_small_one_is_not(self) -> None:
        script = Script(take)
        script.client().submit([card("a", Comment="x" * 10_000)])
        script.client().submit([card("b")])
        self.assertEqual(script.requests[0].headers["Content-Encoding"], "gzip")
        self.assertLess(len(script.requests[0].body or b""), 1_000)
        self.assertNotIn("Content-Encoding", script.requests[1].headers)
        self.assertEqual(json.loads(script.requests[1].body or b""), [card("b")])


if __name__ == "__main__":
    unittest.main()
