"""Questions to the client, which may have no answer, or give none."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable
from typing import TypeVar

ANSWER_SECONDS = 3.0
"""So long is an answer waited for."""

ReplyValue = TypeVar("ReplyValue")
log = logging.getLogger(__name__)


async def patiently(question: Awaitable[ReplyValue]) -> ReplyValue | None:
    """The client's answer; None if it has none, or does not give it soon."""
    try:
        return await asyncio.wait_for(question, ANSWER_SECONDS)
    except Exception as error:
        # Whatever a client does with a question that it announced to understand, the session can do without.
        log.warning("the client did not answer: %r", error)
        return None
