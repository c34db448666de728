"""The protocol underneath: every request gets an answer, whatever a client sends.

pygls answers requests whose parameters it can read, between `initialize` and `shutdown`. The others are answered here,
with the errors that the Language Server Protocol names:
https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#errorCodes
"""

from __future__ import annotations

import logging
from asyncio import Future as AsyncioFuture
from collections.abc import Callable, Generator
from concurrent.futures import Future
from typing import Any, TypeGuard

from lsprotocol import types as lsp
from lsprotocol.types import METHOD_TO_TYPES
from pygls.exceptions import (
    FeatureNotificationError,
    JsonRpcException,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcMethodNotFound,
    JsonRpcParseError,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import JsonRPCResponseMessage, LanguageServerProtocol, lsp_method

from lintpickle.escaping import one_line

_CALL = ("jsonrpc", "id", "method", "params")

log = logging.getLogger(__name__)


class Protocol(LanguageServerProtocol):
    """Reads the messages of a client one by one, and answers those that nothing else answers."""

    def structure_message(self, data: dict[str, Any]) -> dict[str, Any]:
        """pygls calls this for every object inside of a message too, which may look like a message."""
        return data

    def handle_message(self, message: Any) -> None:
        """Take one message, which may be any JSON."""
        if not isinstance(message, dict) or message.get("jsonrpc") != self.VERSION:
            self._refuse(message, JsonRpcInvalidRequest())
        elif "method" in message:
            self._take_call({name: message[name] for name in _CALL if name in message})
        else:
            self._take_answer(message)

    def refuse_unreadable(self) -> None:
        """Answer a message that is no JSON: nobody knows whether it was a request."""
        self._send_error(None, JsonRpcParseError())

    def _take_call(self, call: dict[str, Any]) -> None:
        """Take a request or a notification."""
        method = call["method"]
        if not isinstance(method, str) or ("id" in call and not _is_number(call["id"])):
            self._refuse(call, JsonRpcInvalidRequest())
            return
        problem = self._untimely(method) or self._unknown(method, "id" in call)
        if problem is not None:
            self._refuse(call, problem)
            return
        try:
            structured: Any = self._converter.structure(call, METHOD_TO_TYPES[method][0])
        except Exception:  # Wrong types raise errors of all kinds, deep nesting too.
            self._refuse(call, JsonRpcInvalidParams())
            return
        super().handle_message(structured)

    def _take_answer(self, answer: dict[str, Any]) -> None:
        """Take the client's answer to a request of ours."""
        number = answer.get("id")
        if not _is_number(number) or number not in self._result_types:
            log.info("an answer to no request was ignored")
            return
        expected = self._result_types.pop(number) or JsonRPCResponseMessage
        waiting = self._request_futures.get(number)
        if not isinstance(waiting, Future) or not waiting.set_running_or_notify_cancel():
            self._request_futures.pop(number, None)  # Nobody waits for it any more.
            return
        try:
            structured = self._converter.structure(answer, lsp.ResponseErrorMessage if "error" in answer else expected)
        except Exception:  # As above.
            self._request_futures.pop(number, None)
            waiting.set_exception(JsonRpcInvalidRequest("the client's answer cannot be read"))
            return
        super().handle_message(structured)

    def _untimely(self, method: str) -> JsonRpcException | None:
        """Why nothing of the kind is taken now."""
        if method == lsp.EXIT:
            return None
        if self._shutdown:
            return JsonRpcInvalidRequest("the server was shut down")
        if method == lsp.INITIALIZE:
            return JsonRpcInvalidRequest("the server is initialized already") if self._workspace is not None else None
        return JsonRpcServerNotInitialized() if self._workspace is None else None

    def _unknown(self, method: str, is_request: bool) -> JsonRpcException | None:
        """Why nothing of the kind is ever taken."""
        if method not in (lsp.CANCEL_REQUEST, *self.fm.builtin_features, *self.fm.features):
            return JsonRpcMethodNotFound(f"there is no method {one_line(method[:100])}")
        if is_request == (METHOD_TO_TYPES[method][1] is None):
            return JsonRpcInvalidRequest("a notification has no id, and a request has one")
        return None

    def _refuse(self, message: object, problem: JsonRpcException) -> None:
        """Answer what is or may be a request with an error; a notification gets no answer."""
        if isinstance(message, dict) and "id" not in message and isinstance(message.get("method"), str):
            log.info("a notification was ignored: %s", problem.message)
            return
        number = message.get("id") if isinstance(message, dict) else None
        self._send_error(number if _is_number(number) else None, problem)

    def _send_error(self, number: str | int | None, problem: JsonRpcException) -> None:
        log.info("refused: %s", problem.message)
        error = {"code": problem.code, "message": problem.message}
        self._send_data({"jsonrpc": self.VERSION, "id": number, "error": error})

    def _execute_handler(
        self,
        msg_id: str | int,
        handler: Callable[..., Any],
        callback: Callable[[Future[Any]], None],
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> None:
        def done(future: Future[Any]) -> None:
            # pygls keeps one of these for each notification, for ever.
            if self._request_futures.get(msg_id) is future:
                del self._request_futures[msg_id]
            callback(future)

        super()._execute_handler(msg_id, handler, done, args, kwargs)

    def _check_handler_result(self, future: Future[Any] | AsyncioFuture[Any]) -> None:
        """What failed in a notification is reported as it was raised: nobody waits for an answer."""
        error = None if future.cancelled() else future.exception()
        if isinstance(error, Exception):
            self._server._report_server_error(error, FeatureNotificationError)

    @lsp_method(lsp.SHUTDOWN)
    def lsp_shutdown(self, *args: Any) -> Generator[Any, Any, None]:
        """End all work. What still waits for an answer is told that it was cancelled."""
        yield self.fm.features[lsp.SHUTDOWN], args, None
        for number, future in list(self._request_futures.items()):  # Cancelling one removes it.
            if number != self.msg_id:
                future.cancel()
        self._shutdown = True


def _is_number(number: object) -> TypeGuard[str | int]:
    """Whether requests can be numbered with it."""
    return isinstance(number, (str, int)) and not isinstance(number, bool)
