"""A comparison for people: who begins and who is last in each way to play, and a table of all."""

from html import escape

from benben.lab.balance import plots
from benben.lab.balance.parts import round_up, section, span, table_of
from benben.lab.balance.report import Comparison, Row
from benben.lab.balance.speech import Speech


def compared(made: Comparison, speech: Speech) -> list[str]:
    games = sorted({row.games for row in made.rows})
    counted = speech.number(games[0])
    if len(games) > 1:
        counted = speech.say("times", low=counted, high=speech.number(games[-1]))
    about = speech.say("compare.about", players=made.players, games=counted)
    parts = [
        f'<section class="whole"><p>{escape(about)}</p>'
        f'<p class="soft">{escape(speech.say("command"))}</p>'
        f"<code>{escape(made.command)}</code></section>"
    ]
    for at, key in ((0, "compare.first"), (made.players - 1, "compare.last")):
        items = [(_kind(made, row, speech), span(row.by_order[at])) for row in made.rows]
        most = round_up([row.by_order[at] for row in made.rows])
        title = speech.say(key)
        picture = plots.rows(title, items, most, speech.round_percent, 1 / made.players)
        parts.append(section(title, "", picture))
    parts.append(_all(made, speech))
    return parts


def _all(made: Comparison, speech: Speech) -> str:
    places = [speech.place(at, made.players) for at in range(made.players)]
    keys = ["draws", "ties", "length", "choices", "settled", "halfway"]
    solved = any(row.exact for row in made.rows)
    head = [speech.say("compare.kind"), speech.say("count.games"), *places]
    head += [speech.say(f"compare.{key}") for key in keys]
    if solved:
        head.append(speech.say("compare.exact"))
    table = []
    for row in made.rows:
        cells = [_kind(made, row, speech), speech.number(row.games)]
        cells += [speech.with_interval(share) for share in row.by_order]
        cells += [
            speech.percent(row.draws.value),
            speech.percent(row.ties.value),
            speech.number(row.length.mean, 1),
            speech.number(row.choices, 1),
            "–" if row.settled is None else speech.percent(row.settled, 0),
            speech.percent(row.leader_wins_halfway.value, 0),
        ]
        if solved:
            cells.append(" · ".join(speech.percent(chance, 2) for chance in row.exact) or "–")
        table.append(cells)
    title = escape(speech.say("compare.table"))
    return f'<section class="whole"><h2>{title}</h2>{table_of(head, table)}</section>'


def _kind(made: Comparison, row: Row, speech: Speech) -> str:
    """Only what differs."""
    words = []
    if len({each.option for each in made.rows}) > 1:
        words.append(speech.option(made.game, row.option))
    if len({tuple(each.bots) for each in made.rows}) > 1:
        words.append(row.bots[0])
    return ", ".join(words)
