"""The balance reports that are shipped with Benben."""

import asyncio
from functools import cache
from typing import Any

import msgspec
from litestar import Response, get
from litestar.params import FromPath

from benben.lab.balance.files import as_json
from benben.lab.balance.pages import body_of, title_of
from benben.lab.balance.report import Comparison, Report
from benben.lab.balance.shipped import NoSuchReport, game_of, report_named, shipped
from benben.web.errors import ApiError
from benben.web.openapi import route
from benben.web.responses import LabGallery, LabPage, ReportCard
from benben.web.routes.games import Language


@get("/lab", **route("The balance reports there are"))
async def reports(language: Language) -> Response[LabGallery]:
    return _json(await asyncio.to_thread(_gallery, language))


@get("/lab/{name:str}", **route("A balance report as HTML, with its pictures", 404))
async def report(name: FromPath[str], language: Language) -> Response[LabPage]:
    return _json(await asyncio.to_thread(_page, name, language))


@get(
    "/lab/{name:str}/data", media_type="application/json", **route("A balance report as data", 404)
)
async def report_data(name: FromPath[str]) -> Response[bytes]:
    return _json(await asyncio.to_thread(_data, name))


def _json(body: bytes) -> Response[Any]:
    return Response(body, media_type="application/json")


# Reports are shipped and never change, and to write one takes long: each is encoded once.


@cache
def _gallery(language: str) -> bytes:
    cards = [_card(name, made, language) for name, made in shipped().items()]
    return msgspec.json.encode(LabGallery(cards))


@cache
def _page(name: str, language: str) -> bytes:
    made = _found(name)
    return msgspec.json.encode(LabPage(title_of(made, language), body_of(made, language)))


@cache
def _data(name: str) -> bytes:
    return as_json(_found(name))


def _found(name: str) -> Report | Comparison:
    try:
        return report_named(name)
    except NoSuchReport as error:
        raise ApiError(404, "no-such-report", str(error), {"known": list(shipped())}) from error


def _card(name: str, made: Report | Comparison, language: str) -> ReportCard:
    game, players = game_of(made)
    compared = isinstance(made, Comparison)
    settings = made.rows if isinstance(made, Comparison) else [made.setting]
    games = sum(each.games for each in settings)
    return ReportCard(name, game, players, title_of(made, language), compared, games)
