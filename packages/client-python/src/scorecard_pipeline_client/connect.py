"""A client of the generated requests which retries."""

from base64 import b64encode

from httpx import Timeout
from httpx_retries import Retry, RetryTransport

from .generated import AuthenticatedClient


def connect(api: str, username: str, password: str, *, retry_seconds: float = 120) -> AuthenticatedClient:
    """Makes a client for one vendor account, which all generated requests take.

    Requests are repeated while the API is busy or cannot be reached, after Retry-After if the response has it. Repeating
    is safe, except for `create_webhook`: a lost response leaves an endpoint whose secret nobody knows.

    :param api: base address, `https://{host}/{stage}`, without the API set
    :param retry_seconds: how long a request waits for its retries altogether; 0 sends it once
    """
    retry = Retry(
        total=50 if retry_seconds > 0 else 0,
        total_timeout=retry_seconds or None,
        allowed_methods=["GET", "POST", "PUT", "DELETE"],
        status_forcelist=[429, 503, 504],
        backoff_factor=0.2,
        max_backoff_wait=5,
        backoff_jitter=0.5,
    )
    token = b64encode(f"{username}:{password}".encode()).decode()
    return AuthenticatedClient(
        base_url=api.rstrip("/"),
        token=token,
        prefix="Basic",
        timeout=Timeout(30),
        httpx_args={"transport": RetryTransport(retry=retry)},
    )
