"""Requests that the pipeline posts to your endpoint."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import time
from base64 import b64decode
from collections.abc import Mapping, Sequence
from typing import cast

from .api_types import WebhookEvent
from .errors import WebhookSignatureError

_SECRET_PREFIX = "whsec_"


def verify_webhook(
    headers: Mapping[str, str],
    body: bytes | str,
    secret: str | Sequence[str],
    *,
    tolerance_seconds: float = 300,
    now: float | None = None,
) -> WebhookEvent:
    """Verifies a request as Standard Webhooks have it, in constant time, and returns its event.

    Ignore events of a `type` that you do not know, which may be added.

    :param headers: names in any case
    :param body: as it was received, because a body that was parsed and written again has another signature
    :param secret: `whsec_` and base64; several while a secret is replaced
    :param tolerance_seconds: how much older or newer than now a signature may be, so that nobody sends a request again later
    :param now: seconds since 1970; by default the current time
    :raises WebhookSignatureError: if nobody with the secret signed it lately
    :raises ValueError: if a secret is none
    """
    keys = [_key_of(one) for one in ([secret] if isinstance(secret, str) else secret)]
    lower = {name.lower(): value for name, value in headers.items()}
    identifier, timestamp, signatures = (
        _header(lower, f"webhook-{name}") for name in ("id", "timestamp", "signature")
    )
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        raise WebhookSignatureError("The header webhook-timestamp is not in seconds since 1970.")
    if abs((time.time() if now is None else now) - int(timestamp)) > tolerance_seconds:
        raise WebhookSignatureError(
            f"The webhook's timestamp is more than {tolerance_seconds:g} seconds away. Check this machine's clock."
        )
    raw = body.encode() if isinstance(body, str) else bytes(body)
    signed = f"{identifier}.{timestamp}.".encode() + raw
    given = [_from_base64(one[3:]) for one in signatures.split(" ") if one.startswith("v1,")]
    for key in keys:
        expected = hmac.new(key, signed, hashlib.sha256).digest()
        if any(one is not None and hmac.compare_digest(expected, one) for one in given):
            return cast(WebhookEvent, json.loads(raw))
    raise WebhookSignatureError(
        "No signature of the webhook is valid. Check the secret, and pass the body unchanged."
    )


def _header(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(name)
    if not value:
        raise WebhookSignatureError(f"The header {name} is missing.")
    return value


def _key_of(secret: str) -> bytes:
    key = _from_base64(secret[len(_SECRET_PREFIX) :]) if secret.startswith(_SECRET_PREFIX) else None
    if not key:
        raise ValueError("A webhook's secret is whsec_ and base64.")
    return key


def _from_base64(text: str) -> bytes | None:
    try:
        return b64decode(text, validate=True)
    except ValueError:
        return None
