"""Several requests at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from threading import Event
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def in_parallel(
    items: Iterable[Item], concurrency: int, stop: Event, work: Callable[[Item], Result]
) -> Iterator[Result]:
    """Works on items, several at a time, and yields each result when it is there.

    After an error it begins no further item, yields the results of those in progress, and then raises the error.

    :param stop: is set when nobody waits for results any more, so that `work` ends early
    """
    running: set[Future[Result]] = set()
    failures: list[BaseException] = []

    def ended() -> Iterator[Result]:
        done, _ = wait(running, return_when=FIRST_COMPLETED)
        for future in done:
            running.discard(future)
            error = future.exception()
            if error is None:
                yield future.result()
            else:
                failures.append(error)

    with ThreadPoolExecutor(max_workers=concurrency) as pool:
        try:
            try:
                for item in items:
                    running.add(pool.submit(work, item))
                    while len(running) >= concurrency:
                        yield from ended()
                    if failures:
                        break
            except Exception as error:
                failures.append(error)
            while running:
                yield from ended()
        finally:
            stop.set()
    if failures:
        raise failures[0]
