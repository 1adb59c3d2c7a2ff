"""Errors of the API: every error response has the same form, and shows nothing of the server."""

import logging
from collections.abc import Mapping
from typing import Any

import msgspec
from litestar import Request, Response
from litestar.exceptions import HTTPException, ValidationException
from litestar.types import Send

from benben.core.errors import (
    BadNotation,
    BadOption,
    BenbenError,
    Hidden,
    IllegalMove,
    ImpossiblePosition,
    UnknownGame,
)
from benben.learn.lessons import NoLesson
from benben.learn.opinions import NoOpinion
from benben.learn.puzzles.puzzle import NoPuzzle
from benben.learn.rulebook import NoRulebook, address_of
from benben.live.session import UnknownToken
from benben.store.database import StoreFailed
from benben.store.event_log import NoSuchTable
from benben.table.table import Refused
from benben.web.responses import ErrorBody, ErrorResponse

log = logging.getLogger("benben.web")

_OF_FRAMEWORK = {  # codes, and messages
    404: ("no-such-path", "there is nothing at this path"),
    405: ("no-such-method", "this cannot be done here with this method"),
    413: ("too-large", "the body of the request is too large"),
}
_PLAIN: dict[type, tuple[int, str]] = {  # only their message is sent
    NoRulebook: (404, "no-rulebook"),
    NoLesson: (404, "no-lesson"),
    NoPuzzle: (404, "no-such-puzzle"),
    NoSuchTable: (404, "no-such-table"),
    NoOpinion: (422, "no-opinion"),
    BadNotation: (422, "bad-notation"),
    Hidden: (422, "hidden"),
    BenbenError: (422, "refused"),
}
_STORE_RETRY = "5"  # seconds
_NONE: Mapping[str, str] = {}
_encode = msgspec.json.Encoder().encode


class ApiError(Exception):
    """An error response: raised by routes, and made of all other exceptions."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        detail: dict[str, Any] | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status, self.headers = status, headers or {}
        self.body = ErrorResponse(ErrorBody(code, message, detail or {}))


def no_token(words: str) -> ApiError:
    return ApiError(401, "no-token", words, headers={"WWW-Authenticate": "Bearer"})


def no_such_path() -> ApiError:
    return ApiError(404, *_OF_FRAMEWORK[404])


def as_api_error(error: Exception) -> ApiError:
    """Convert any exception to the error response that is sent for it."""
    match error:
        case ApiError():
            return error
        case Refused():
            status = 404 if error.code == "no-such-seat" else 409
            number = {} if error.number is None else {"number": error.number}
            return ApiError(status, error.code, str(error), number)
        case UnknownToken():
            return no_token(str(error))
        case IllegalMove():
            detail = {"rule": error.rule, "parameters": error.parameters}
            if address := address_of(error.game, error.rule):
                detail["rulebook"] = address
            return ApiError(422, "illegal-move", str(error), detail)
        case ImpossiblePosition():
            return ApiError(422, "impossible-position", str(error), {"offence": error.offence})
        case BadOption():
            return ApiError(422, "bad-option", str(error), {"option": error.option})
        case UnknownGame():
            return ApiError(422, "unknown-game", str(error), {"known": list(error.known)})
        case StoreFailed():
            log.error("the store failed: %s", error)
            words = "the request could not be stored or answered: try again with the same key"
            return ApiError(503, "store-failed", words, headers={"Retry-After": _STORE_RETRY})
        case BenbenError():
            found = (_PLAIN[kind] for kind in type(error).__mro__ if kind in _PLAIN)
            status, code = next(found)
            return ApiError(status, code, str(error))
        case HTTPException() if error.status_code < 500:
            return _of_framework(error)
        case RecursionError():
            return ApiError(400, "bad-request", "the body is nested too deeply")
        case UnicodeDecodeError():
            return ApiError(400, "bad-request", "the request is not UTF-8 text")
    log.error("an answer failed", exc_info=error)
    return ApiError(500, "internal", "something went wrong on the server; it has been logged")


def _of_framework(error: HTTPException) -> ApiError:
    status, detail = error.status_code, {}
    code, words = _OF_FRAMEWORK.get(status, ("bad-request", error.detail))
    if isinstance(error, ValidationException) and isinstance(error.extra, list):
        words = "the request does not have the right form"
        detail = {"wrong": error.extra}
    headers = {name: str(value) for name, value in (error.headers or {}).items()}
    return ApiError(status, code, words, detail, headers)


def handle_exception(_: Request[Any, Any, Any], exception: Exception) -> Response[ErrorResponse]:
    """The exception handler of the application."""
    error = as_api_error(exception)
    return Response(error.body, status_code=error.status, headers=error.headers)


async def send_json(
    status: int, answer: msgspec.Struct, send: Send, headers: Mapping[str, str] = _NONE
) -> None:
    """Send a JSON response without the framework."""
    body = _encode(answer)
    raw = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    raw += (b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))
    await send({"type": "http.response.start", "status": status, "headers": raw})
    await send({"type": "http.response.body", "body": body, "more_body": False})
