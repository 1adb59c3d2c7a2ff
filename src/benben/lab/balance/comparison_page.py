"""A comparison for people: who begins and who is last in each way to play, and a table of all.

Where both options and bots differ, every value of the option has its own picture and table.
"""

from html import escape

from benben.core.registry import game as find
from benben.lab.balance import plots
from benben.lab.balance.parts import cards_of, command, round_up, section, span
from benben.lab.balance.report import Comparison, Row
from benben.lab.balance.speech import Speech


def compared(made: Comparison, speech: Speech) -> list[str]:
    games = sorted({row.games for row in made.rows})
    counted = speech.number(games[0])
    if len(games) > 1:
        counted = speech.say("times", low=counted, high=speech.number(games[-1]))
    about = [speech.say("compare.about", games=counted)]
    bots = list(dict.fromkeys(bot for row in made.rows for bot in row.bots))
    if len(bots) == 1:
        about.append(speech.say("compare.bot", bot=speech.bot(bots[0])))
    else:
        about.append(speech.say("compare.bots"))
    parts = [
        f'<section class="whole"><p>{escape(" ".join(about))}</p>'
        f'<p class="soft">{escape(speech.say("pictures"))}</p>'
        f'<p class="soft">{escape(speech.say("command"))}</p>'
        f"{command(made.command)}</section>"
    ]
    ends = ((0, "compare.first"), (made.players - 1, "compare.last"))
    most = round_up([row.by_order[at] for at, _ in ends for row in made.rows])  # one scale for all
    for at, key in ends:
        title = speech.say(key)
        pictures = []
        for name, rows in _groups(made, speech):
            items = [(_kind(made, row, speech), span(row.by_order[at])) for row in rows]
            picture = plots.rows(
                f"{title}, {name}" if name else title,
                items,
                most,
                speech.round_percent,
                speech.roughly,
                1 / made.players,
            )
            pictures.append(_headed(name, picture))
        parts.append(section(title, "", "".join(pictures)))
    parts.append(_all(made, speech))
    return parts


def _all(made: Comparison, speech: Speech) -> str:
    places = [speech.place(at, made.players) for at in range(made.players)]
    drawn = len(find(made.game, players=made.players).rules.REASONS) > 1  # else it cannot happen
    tied = any(row.ties.value != row.draws.value for row in made.rows)
    keys = [*(["draws"] if drawn else []), *(["ties"] if tied else [])]
    keys += ["length", "choices", "settled", "halfway"]
    solved = any(row.exact for row in made.rows)
    head = [speech.say("compare.kind"), speech.say("count.games"), *places]
    head += [speech.say(f"compare.{key}") for key in keys]
    if solved:
        head.append(speech.say("compare.exact"))
    tables = []
    for name, rows in _groups(made, speech):
        table = []
        for row in rows:
            cells = [_kind(made, row, speech), speech.number(row.games)]
            cells += [speech.with_interval(share) for share in row.by_order]
            cells += [
                *([speech.with_interval(row.draws)] if drawn else []),
                *([speech.with_interval(row.ties)] if tied else []),
                speech.decimal(row.length.mean),
                speech.decimal(row.choices),
                "–" if row.settled is None else speech.percent(row.settled, 0),
                speech.with_interval(row.leader_wins_halfway),
            ]
            if solved:
                cells.append(" ".join(speech.percent(chance, 2) for chance in row.exact) or "–")
            table.append(cells)
        tables.append(_headed(name, cards_of(head, table)))
    title = escape(speech.say("compare.table"))
    return f'<section class="whole"><h2>{title}</h2>{"".join(tables)}</section>'


def _groups(made: Comparison, speech: Speech) -> list[tuple[str, list[Row]]]:
    """The rows of each value of the option, with its name; all of them if one thing differs."""
    values = list(dict.fromkeys(row.option for row in made.rows))
    if len(values) == 1 or not _bots_differ(made):
        return [("", made.rows)]
    return [
        (speech.option(made.game, value), [row for row in made.rows if row.option == value])
        for value in values
    ]


def _kind(made: Comparison, row: Row, speech: Speech) -> str:
    """What a row is called in its group."""
    return (
        speech.short_bot(row.bots[0])
        if _bots_differ(made)
        else speech.option(made.game, row.option)
    )


def _bots_differ(made: Comparison) -> bool:
    return len({tuple(row.bots) for row in made.rows}) > 1


def _headed(name: str, content: str) -> str:
    return f"<h3>{escape(name)}</h3>{content}" if name else content
