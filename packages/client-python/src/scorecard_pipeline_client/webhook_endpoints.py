"""A vendor's webhook endpoints."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import quote

from .api_types import (
    CreatedWebhook,
    QueueAccess,
    Webhook,
    WebhookAttempt,
    WebhookAttemptDetail,
    WebhookDispatch,
    WebhookReplay,
    WebhookSecret,
)
from .connection import Connection
from .errors import ScorecardsError

_TRIAL_SECONDS = 60
"""A post of a test event takes ten seconds at most, and may have to wait for its turn."""
_POLL_SECONDS = 0.5


class WebhookTrial(NamedTuple):
    """Whether an endpoint took a test event, and what it answered."""

    taken: bool
    status: int | None
    message: str | None


class WebhookEndpoints:
    """The methods for webhook endpoints. See docs/webhooks.md."""

    _connection: Connection

    def webhooks(self) -> list[Webhook]:
        """All endpoints with their state, the oldest first, without secrets."""
        webhooks: list[Webhook] = self._connection.read("Webhooks")["webhooks"]
        return webhooks

    def queue_access(self) -> QueueAccess:
        """What the role of a queue in your own AWS account has to trust."""
        access: QueueAccess = self._connection.read("Webhooks")["queues"]
        return access

    def create_webhook(
        self,
        url: str,
        *,
        role_arn: str | None = None,
        types: Sequence[str] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> CreatedWebhook:
        """Makes an endpoint. Its `secret` is answered only this once: store it.

        Never retried, because a response that was lost would leave an endpoint whose secret nobody knows.

        :param role_arn: makes it an SQS queue of your own AWS account, whose URL `url` is: the role that may send to it
        :param types: the events that it gets; all if left out
        """
        once = self._connection.retrying(0)
        body = _body(url=url, roleArn=role_arn, types=types, headers=headers)
        created: CreatedWebhook = once.read("Webhooks", method="POST", body=body, expected=201)
        return created

    def change_webhook(
        self,
        webhook_id: str,
        *,
        url: str | None = None,
        role_arn: str | None = None,
        types: Sequence[str] | None = None,
        headers: Mapping[str, str] | None = None,
        enabled: bool | None = None,
    ) -> Webhook:
        """Changes an endpoint, or turns it on or off; what is left out stays."""
        body = _body(url=url, roleArn=role_arn, types=types, headers=headers, enabled=enabled)
        webhook: Webhook = self._connection.read(_path(webhook_id), method="PUT", body=body)
        return webhook

    def remove_webhook(self, webhook_id: str) -> None:
        """Removes an endpoint, with the events that wait for it."""
        self._connection.send(_path(webhook_id), method="DELETE", expected=204)

    def test_webhook(self, webhook_id: str) -> WebhookTrial:
        """Posts an event of type `webhook.test` now, and returns the endpoint's response.

        :raises ScorecardsError: if the event was not posted within a minute
        """
        sent: WebhookDispatch = self._connection.read(
            f"{_path(webhook_id)}/Test", method="POST", expected=202
        )
        end = self._connection.clock() + _TRIAL_SECONDS
        while self._connection.clock() < end:
            for attempt in reversed(self.webhook_attempts(webhook_id)):
                if attempt["eventId"] == sent["eventId"]:
                    return WebhookTrial(attempt["taken"], attempt.get("status"), attempt.get("message"))
            self._connection.pause(_POLL_SECONDS)
        raise ScorecardsError("The test event was not posted within a minute. Look at the attempts later.")

    def webhook_attempts(self, webhook_id: str) -> list[WebhookAttempt]:
        """The last 200 posts to an endpoint of the last week, the newest first."""
        attempts: list[WebhookAttempt] = self._connection.read(f"{_path(webhook_id)}/Attempts")["attempts"]
        return attempts

    def webhook_attempt(self, webhook_id: str, attempt_id: str) -> WebhookAttemptDetail:
        """A post with the event that was posted."""
        attempt: WebhookAttemptDetail = self._connection.read(_attempt_path(webhook_id, attempt_id))
        return attempt

    def resend_webhook_event(self, webhook_id: str, attempt_id: str) -> WebhookDispatch:
        """Sends the event of an attempt once more, with the same ID."""
        path = f"{_attempt_path(webhook_id, attempt_id)}/Resend"
        sent: WebhookDispatch = self._connection.read(path, method="POST", expected=202)
        return sent

    def rotate_webhook_secret(self, webhook_id: str) -> WebhookSecret:
        """Makes another secret, which is answered only this once. For a day events are signed with both."""
        path = f"{_path(webhook_id)}/Secret"
        secret: WebhookSecret = self._connection.read(path, method="POST", expected=201)
        return secret

    def replay_webhook(
        self,
        webhook_id: str,
        *,
        from_time: str | None = None,
        to_time: str | None = None,
        types: Sequence[str] | None = None,
        preview: bool = False,
    ) -> int:
        """Sends outcomes again, by default those of the last 24 hours, and returns of how many cards.

        :param from_time: of the outcomes, e.g. `2026-07-04T13:00:00Z`
        :param preview: only counts them
        """
        selection: dict[str, Any] = {
            "from": from_time,
            "to": to_time,
            "types": types,
            "preview": preview or None,
        }
        cards = 0
        while True:
            replay: WebhookReplay = self._connection.read(
                f"{_path(webhook_id)}/Replay",
                method="POST",
                body=_body(**selection),
                expected=200 if preview else 202,
            )
            cards += replay["cards"]
            if "next" not in replay:
                return cards
            selection["after"] = replay["next"]


def _path(webhook_id: str) -> str:
    return f"Webhooks/{quote(webhook_id, safe='')}"


def _attempt_path(webhook_id: str, attempt_id: str) -> str:
    return f"{_path(webhook_id)}/Attempts/{quote(attempt_id, safe='')}"


def _body(**fields: object) -> bytes:
    given = {name: value for name, value in fields.items() if value is not None}
    return json.dumps(given, default=list).encode()
