"""The error of a request that the API refuses."""

from json import JSONDecodeError

from httpx import Response

from .generated.models import Problem


class ApiError(Exception):
    """The API refused a request. It has neither credentials nor the request's path."""

    def __init__(self, response: Response) -> None:
        self.status = response.status_code
        self.problem = _read_problem(response)
        """The API's problem document, with the faults of refused cards; None if the response has none."""
        text = "" if self.problem is None else f": {self.problem.title}. {self.problem.detail}"
        super().__init__(f"HTTP {self.status}{text}")


def _read_problem(response: Response) -> Problem | None:
    try:
        return Problem.from_dict(response.json())
    except (JSONDecodeError, UnicodeDecodeError, AttributeError, KeyError, TypeError, ValueError):
        return None
