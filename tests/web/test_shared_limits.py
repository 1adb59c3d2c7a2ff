"""What one server lets through counts at the others, also if it could not be told at once."""

from contextlib import ExitStack
from pathlib import Path

import pytest

from benben.store.store import Store, StoreFailed
from benben.web.limits import Counts, Limits
from benben.web.shared_limits import SharedLimits
from tests.live.servers import run


def test_limits_that_could_not_be_told_are_told_later(tmp_path: Path) -> None:
    counts = Counts(Limits())

    async def play() -> None:
        with Store.open(f"sqlite:///{tmp_path / 'x.sqlite3'}") as store:
            limits, told = SharedLimits(counts, store), []
            fails = False

            async def tell(messages: list[str]) -> None:
                if fails:
                    raise StoreFailed("the database", "it is away")
                told.extend(messages)

            store.servers.notify = tell  # type: ignore[method-assign, assignment]
            ours = store.server
            limits.share({"another"})
            with ExitStack() as streams:
                for key in "ab":
                    for _ in range(30):
                        streams.enter_context(counts.streams.taken(key))
                await limits.tell()
                assert told == ["asks -", f"streams {ours} a:30 b:30"]
            counts.addresses.wait("c", 100)
            fails = True
            for _ in range(2):
                with pytest.raises(StoreFailed):
                    await limits.tell()
            limits._tell_again()  # another server comes meanwhile
            counts.addresses.wait("c", 50)
            fails = False
            told.clear()
            await limits.tell()
            assert told == [
                "taken address:c:150",
                f"streams {ours} a:0 b:0",
            ]
            told.clear()
            await limits.tell()
            assert told == []

    run(play())
