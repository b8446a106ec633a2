from __future__ import annotations

import base64
import hashlib
import hmac
import json
import unittest
from typing import Any

from scorecard_pipeline_client import WebhookSignatureError, verify_webhook

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
OTHER = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
BODY = '{"test": 2432232314}'
NOW = 1_614_265_330
# The example of the specification's reference implementations.
HEADERS = {
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": str(NOW),
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
}


def verify(**change: Any) -> Any:
    given = {"headers": HEADERS, "body": BODY, "secret": SECRET, "now": NOW, **change}
    return verify_webhook(**given)


class Verification(unittest.TestCase):
    def test_the_example_of_standard_webhooks_is_verified_with_its_body_parsed(self) -> None:
        self.assertEqual(verify(), {"test": 2432232314})
        self.assertEqual(verify(body=BODY.encode()), {"test": 2432232314})

    def test_names_of_headers_may_be_in_any_case(self) -> None:
        verify(headers={name.title(): value for name, value in HEADERS.items()})

    def test_the_body_is_signed_byte_by_byte(self) -> None:
        body = json.dumps({"name": "Kjær", "emoji": "⛳"}, ensure_ascii=False).encode()
        key = base64.b64decode(SECRET[6:])
        signature = hmac.new(key, b"msg_1." + str(NOW).encode() + b"." + body, hashlib.sha256).digest()
        signed = f"v1,{base64.b64encode(signature).decode()}"
        headers = {**HEADERS, "webhook-id": "msg_1", "webhook-signature": signed}
        self.assertEqual(verify(headers=headers, body=body), {"name": "Kjær", "emoji": "⛳"})

    def test_one_valid_signature_among_several_is_enough_by_any_of_several_secrets(self) -> None:
        right = HEADERS["webhook-signature"]
        several = f"v1,AAAA v2,{right[3:]} {right}"
        verify(headers={**HEADERS, "webhook-signature": several}, secret=[OTHER, SECRET])

    def test_a_request_that_is_not_genuine_is_refused(self) -> None:
        right = HEADERS["webhook-signature"]
        cases: dict[str, dict[str, Any]] = {
            "another body": {"body": f"{BODY} "},
            "another secret": {"secret": OTHER},
            "no secret that fits": {"secret": []},
            "another id": {"headers": {**HEADERS, "webhook-id": "msg_2"}},
            "another timestamp": {"headers": {**HEADERS, "webhook-timestamp": str(NOW + 1)}},
            "another version": {"headers": {**HEADERS, "webhook-signature": right.replace("v1", "v2")}},
            "no base64": {"headers": {**HEADERS, "webhook-signature": "v1,%%%"}},
            "characters beside base64": {
                "headers": {**HEADERS, "webhook-signature": right[:9] + "!" + right[9:]}
            },
            "a shorter signature": {"headers": {**HEADERS, "webhook-signature": "v1,g0hM"}},
            "an empty signature": {"headers": {**HEADERS, "webhook-signature": "v1,"}},
            "no signature": {"headers": {n: v for n, v in HEADERS.items() if n != "webhook-signature"}},
            "no id": {"headers": {**HEADERS, "webhook-id": ""}},
            "a timestamp that is no number": {"headers": {**HEADERS, "webhook-timestamp": "soon"}},
            "a timestamp in other digits": {"headers": {**HEADERS, "webhook-timestamp": "١٦١٤٢٦٥٣٣٠"}},
            "more than five minutes late": {"now": NOW + 300.001},
            "more than five minutes early": {"now": NOW - 300.001},
            "a tolerance that is narrower": {"now": NOW + 11, "tolerance_seconds": 10},
        }
        for name, change in cases.items():
            with self.subTest(name), self.assertRaises(WebhookSignatureError):
                verify(**change)

    def test_a_request_is_verified_up_to_five_minutes_late_or_early(self) -> None:
        verify(now=NOW + 300)
        verify(now=NOW - 300)

    def test_by_default_the_clock_of_the_machine_counts(self) -> None:
        with self.assertRaisesRegex(WebhookSignatureError, "more than 300 seconds away"):
            verify(now=None)

    def test_what_is_no_secret_is_an_error_that_does_not_repeat_it(self) -> None:
        for wrong in ("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_", "whsec_%", ""):
            with self.assertRaises(ValueError) as raised:
                verify(secret=wrong)
            self.assertEqual(str(raised.exception), "A webhook's secret is whsec_ and base64.")


if __name__ == "__main__":
    unittest.main()
