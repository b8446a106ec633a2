"""Start lists of tournaments."""

from __future__ import annotations

import unittest
from datetime import date

from scorecard_pipeline_client import NotFoundError

from .scripted import Script, answer, sent_json


class StartLists(unittest.TestCase):
    def test_a_start_list_is_kept_for_the_days_that_are_given(self) -> None:
        script = Script(answer(200, {"players": 1}))
        players = [{"unionId": "32-1", "label": "17"}]
        kept = script.client().put_start_list("Club cup", {"players": players}, date(2026, 7, 4), "2026-07-05")
        self.assertEqual(kept, {"players": 1})
        (request,) = script.requests
        self.assertEqual(request.method, "PUT")
        self.assertEqual(
            request.url,
            "https://host/test/greens/Tournaments/Club%20cup/Players?from=2026-07-04&to=2026-07-05",
        )
        self.assertEqual(sent_json(request), {"players": players})

    def test_a_start_list_that_is_not_there_cannot_be_removed(self) -> None:
        script = Script(answer(204), answer(404, {"title": "No list", "status": 404}))
        client = script.client()
        client.remove_start_list("Club cup", "2026-07-04")
        with self.assertRaises(NotFoundError):
            client.remove_start_list("Club cup", "2026-07-04")
        self.assertEqual([request.method for request in script.requests], ["DELETE", "DELETE"])


if __name__ == "__main__":
    unittest.main()
