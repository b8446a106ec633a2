from __future__ import annotations

import unittest
from datetime import date, datetime, timedelta, timezone
from urllib.parse import parse_qs, urlsplit

from scorecard_pipeline_client import ForbiddenError, GoneError, HttpRequest, RememberedAnswer, Response

from .scripted import LOST, Script, answer


def asked(request: HttpRequest) -> dict[str, list[str]]:
    return parse_qs(urlsplit(request.url).query)


def states(*changes: dict[str, str]) -> list[Response]:
    return [
        answer(200, {"cards": [{"externalId": name, "state": state} for name, state in each.items()]})
        for each in changes
    ]


class Cards(unittest.TestCase):
    def test_the_cards_that_were_counted_on_days_are_asked_for_by_the_count(self) -> None:
        script = Script(answer(200, {"cards": [{"externalId": "a", "state": "rejected"}]}))
        cards = script.client().cards_of_days(date(2026, 7, 4), counted="rejected")
        self.assertEqual([card["externalId"] for card in cards], ["a"])
        self.assertEqual(asked(script.requests[0]), {"from": ["2026-07-04"], "counted": ["rejected"]})

    def test_each_change_of_state_comes_once_until_all_cards_are_settled(self) -> None:
        script = Script(
            *states(
                {"a": "queued", "b": "queued"},
                {"a": "queued", "b": "retrying"},
                {"a": "delivered", "b": "retrying"},
                {"b": "rejected"},
            )
        )
        seen = [(one["externalId"], one["state"]) for one in script.client().follow(["a", "b", "a"])]
        expected = [
            ("a", "queued"),
            ("b", "queued"),
            ("b", "retrying"),
            ("a", "delivered"),
            ("b", "rejected"),
        ]
        self.assertEqual(seen, expected)
        # A card that is settled is not asked for again.
        self.assertEqual([asked(one)["ExternalID"] for one in script.requests], [["a", "b"]] * 3 + [["b"]])

    def test_pauses_grow_while_nothing_changes(self) -> None:
        script = Script(*states(*[{"a": "queued"}] * 9, {"a": "delivered"}))
        list(script.client().follow(["a"], longest_pause_seconds=2))
        self.assertEqual(script.pauses, [0.5, 0.75, 1.125, 1.6875, 2, 2, 2, 2, 2])

    def test_a_lost_connection_and_a_busy_api_are_waited_out(self) -> None:
        script = Script(LOST, answer(503, Retry_After="9"), answer(500), *states({"a": "delivered"}))
        self.assertEqual(len(list(script.client().follow(["a"]))), 1)
        self.assertEqual(script.pauses[1], 9)

    def test_an_account_that_is_refused_is_an_error(self) -> None:
        with self.assertRaises(ForbiddenError):
            list(Script(answer(403)).client().follow(["a"]))

    def test_following_ends_after_the_given_time(self) -> None:
        script = Script(*states({"a": "queued"}))
        self.assertEqual(len(list(script.client().follow(["a"], timeout_seconds=10))), 1)
        self.assertAlmostEqual(sum(script.pauses), 10)

    def test_states_of_many_cards_come_in_order_a_hundred_a_query(self) -> None:
        script = Script(lambda request: states({name: "queued" for name in asked(request)["ExternalID"]})[0])
        names = [f"card {i} å" for i in range(950)]
        self.assertEqual([one["externalId"] for one in script.client().statuses(names)], names)
        self.assertEqual(max(len(asked(one)["ExternalID"]) for one in script.requests), 100)


def page(cursor: str, *events: str, more: bool = False, wait: int = 2) -> Response:
    named = [{"id": one, "type": "scorecard.delivered"} for one in events]
    return answer(200, {"events": named, "cursor": cursor, "more": more, "askAgainAfterSeconds": wait})


class Events(unittest.TestCase):
    def test_pages_follow_each_other_by_their_cursors_and_an_empty_one_is_passed_over(self) -> None:
        script = Script(page("c1", "e1", more=True, wait=0), page("c2"), page("c3", "e2"), page("c4", "e3"))
        pages = script.client().follow_events(after="c0")
        self.assertEqual([next(pages)["cursor"] for _ in range(3)], ["c1", "c3", "c4"])
        self.assertEqual([asked(one)["after"] for one in script.requests], [["c0"], ["c1"], ["c2"], ["c3"]])
        # It asks at once if there is more, and else after what the API says.
        self.assertEqual(script.pauses, [2, 2])

    def test_without_a_cursor_it_begins_with_the_oldest_event(self) -> None:
        script = Script(page("c1", "e1"))
        next(script.client().follow_events())
        self.assertNotIn("after", script.requests[0].url)

    def test_an_outage_of_an_hour_leaves_no_event_out(self) -> None:
        script = Script(page("c1", "e1"), *[LOST] * 500, *[answer(503)] * 500, page("c2", "e2"))
        pages = script.client().follow_events()
        self.assertEqual([next(pages)["cursor"], next(pages)["cursor"]], ["c1", "c2"])
        self.assertGreater(sum(script.pauses), 3_600)

    def test_a_cursor_that_is_too_old_is_an_error(self) -> None:
        with self.assertRaises(GoneError):
            next(Script(answer(410)).client().follow_events(after="old"))

    def test_a_program_that_is_killed_gets_the_page_again_that_it_was_not_done_with(self) -> None:
        feed = [f"e{i}" for i in range(10)]

        def serve(request: HttpRequest) -> Response:
            after = int(asked(request).get("after", ["0"])[0])
            some = feed[after : after + 3]
            return page(str(after + len(some)), *some, more=after + 3 < len(feed))

        done: list[str] = []
        stored: str | None = None
        kills = iter([1, 2, 0, 2, 1, 9, 9, 9, 9])
        while len(set(done)) < len(feed):
            events_before_kill = next(kills)
            for one in Script(serve).client().follow_events(after=stored):
                ids = [event["id"] for event in one["events"]]
                done += ids[:events_before_kill]
                if events_before_kill < len(ids):
                    break
                stored = one["cursor"]
                if stored == "10":
                    break
        self.assertEqual(list(dict.fromkeys(done)), feed)


class Reading(unittest.TestCase):
    def test_lists_go_on_where_the_api_says_until_there_is_no_more(self) -> None:
        script = Script(
            answer(200, {"cards": [{"externalId": "a"}], "next": "?from=2026-07-04&after=x%20y"}),
            answer(200, {"cards": [{"externalId": "b"}]}),
        )
        found = [one["externalId"] for one in script.client().cards_of_days(date(2026, 7, 4))]
        self.assertEqual(found, ["a", "b"])
        self.assertEqual(
            [urlsplit(one.url).query for one in script.requests],
            ["from=2026-07-04", "from=2026-07-04&after=x%20y"],
        )

    def test_names_cannot_leave_their_place_in_the_path(self) -> None:
        script = Script(answer(204))
        script.client().withdraw("../a/b?c#d å%")
        self.assertEqual(
            script.requests[0].url,
            "https://host/test/greens/ScorecardExchange/..%2Fa%2Fb%3Fc%23d%20%C3%A5%25",
        )

    def test_a_filter_of_courses_is_written_as_the_union_has_it(self) -> None:
        script = Script(answer(200, []))
        local = datetime(2026, 7, 4, 12, tzinfo=timezone(timedelta(hours=2)))
        script.client().courses("club", changed_since=local, active=False, without_tees=True)
        query = {"changedsince": ["20260704T100000"], "active": ["0"], "excludeParams": ["tees"]}
        self.assertEqual(asked(script.requests[0]), query)

    def test_clubs_that_have_not_changed_are_not_sent_again(self) -> None:
        cache: dict[str, RememberedAnswer] = {}
        script = Script(answer(200, [{"ID": "1"}], ETag='W/"a"'), answer(304))
        client = script.client(cache=cache)
        self.assertEqual(client.clubs(), client.clubs())
        self.assertEqual(script.requests[1].headers["If-None-Match"], 'W/"a"')

    def test_neither_persons_nor_changes_since_a_time_are_remembered(self) -> None:
        cache: dict[str, RememberedAnswer] = {}
        script = Script(answer(200, {}, ETag='"a"', Cache_Control="no-store"), answer(200, [], ETag='"b"'))
        client = script.client(cache=cache)
        client.golfer(union_id="32-1")
        client.courses("club", changed_since="20260704T000000")
        self.assertEqual(cache, {})

    def test_a_player_token_is_a_header_and_not_in_the_address(self) -> None:
        script = Script(answer(200, {}))
        script.client().golfer_by_token("secret-token")
        self.assertEqual(script.requests[0].headers["Token"], "secret-token")
        self.assertNotIn("secret-token", script.requests[0].url)


class Webhooks(unittest.TestCase):
    def test_a_replay_goes_on_until_all_cards_are_counted(self) -> None:
        script = Script(answer(202, {"cards": 5, "next": "n1"}), answer(202, {"cards": 2}))
        self.assertEqual(script.client().replay_webhook("wh_1", types=("scorecard.delivered",)), 7)
        self.assertEqual(
            [one.body for one in script.requests],
            [b'{"types": ["scorecard.delivered"]}', b'{"types": ["scorecard.delivered"], "after": "n1"}'],
        )

    def test_a_test_event_is_looked_for_among_the_attempts(self) -> None:
        sent = answer(202, {"eventId": "evt_1"})
        none = answer(200, {"attempts": [{"eventId": "evt_0", "taken": True, "status": 200}]})
        found = answer(
            200, {"attempts": [{"eventId": "evt_1", "taken": False, "status": 500, "message": "no"}]}
        )
        script = Script(sent, none, found)
        self.assertEqual(script.client().test_webhook("wh_1"), (False, 500, "no"))
        self.assertEqual(script.pauses, [0.5])


if __name__ == "__main__":
    unittest.main()
