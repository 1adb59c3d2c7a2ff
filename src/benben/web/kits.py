"""Downloads of kits to print."""

from litestar import Response, get
from litestar.params import FromPath

from benben import kits
from benben.web.errors import ApiError
from benben.web.openapi import route

_A_DAY = "public, max-age=86400"


@get(
    "/kits/{name:str}",
    tags=["games"],
    media_type="application/pdf",
    **route("A kit to print, as a PDF", 404),
)
async def kit(name: FromPath[str]) -> Response[bytes]:
    try:
        content = kits.read(name)
    except kits.NoSuchKit as error:
        raise ApiError(404, "no-such-kit", str(error), {"known": kits.all_names()}) from error
    headers = {"Cache-Control": _A_DAY, "Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type="application/pdf", headers=headers)
