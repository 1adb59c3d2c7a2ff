"""Reports for people: as HTML, with pictures and the numbers they are drawn from."""

from collections.abc import Sequence
from html import escape
from importlib.resources import files

from benben.lab.balance import plots
from benben.lab.balance.plots import Point, Span
from benben.lab.balance.report import Comparison, Report, Row, Skill, Spread
from benben.lab.balance.speech import Speech
from benben.lab.balance.watching import MOMENTS

_STEP = 100  # Elo between two ticks
_OFTEN = 30  # throws that are worth a sentence
_COLOURS = """\
:root { color-scheme: light dark;
  --ground: light-dark(#f4efe6, #1d1a17); --sunk: light-dark(#e9e1d3, #151311);
  --text: light-dark(#2b251d, #f1e9dc); --soft: light-dark(#655a4b, #b9ad9c);
  --line: light-dark(#cfc3ae, #4a4239); --accent: light-dark(#8a4b16, #e7b064);
  --seat-2: light-dark(#944600, #f0bd5e); }
body { margin: 0 auto; padding: 1rem; max-width: 72rem; font: 1.1rem/1.4 system-ui, sans-serif;
  background: var(--ground); color: var(--text); }
:is(h1, h2, p) { margin: 0 0 0.5rem; }
h2 { font-size: 1.25rem; }
"""


def title_of(made: Report | Comparison, language: str) -> str:
    speech = Speech(language)
    if isinstance(made, Comparison):
        game = speech.game(made.game)
        return speech.say("compare.title", game=game, players=made.players)
    return speech.title(made.setting.game, made.setting.players, made.setting.option)


def body_of(made: Report | Comparison, language: str) -> str:
    """What is below the title."""
    speech = Speech(language)
    parts = _compared(made, speech) if isinstance(made, Comparison) else _told(made, speech)
    return f'<div class="report">{"".join(part for part in parts if part)}</div>'


def document_of(made: Report | Comparison, language: str) -> str:
    """A page of its own, that needs nothing else."""
    title = title_of(made, language)
    head = escape(Speech(language).say("file.title", title=title))
    css = (files(__package__) / "report.css").read_text("utf-8")
    return (
        f'<!doctype html>\n<html lang="{language}">\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{head}</title>\n<style>\n{_COLOURS}{css}</style>\n"
        f"<h1>{escape(title)}</h1>\n{body_of(made, language)}\n</html>\n"
    )


# ---- A report


def _told(report: Report, speech: Speech) -> list[str]:
    return [
        _setting(report, speech),
        _order(report, speech),
        _exact(report, speech),
        _lead(report, speech),
        _length(report, speech),
        _choices(report, speech),
        _reasons(report, speech),
        _special(report, speech),
        _busts(report, speech),
        _skill(report.skill, speech) if report.skill else "",
    ]


def _setting(report: Report, speech: Speech) -> str:
    setting = report.setting
    bots = [speech.bot(bot) for bot in setting.bots]
    if len(bots) == 1:
        told = speech.say("bots.alone", bot=bots[0])
    else:
        listed = f"{', '.join(bots[:-1])} {speech.say('and')} {bots[-1]}"
        told = speech.say("bots.several", bots=listed)
    lines = [
        speech.say(
            "setting",
            games=speech.number(setting.games),
            bots=told,
        )
    ]
    if setting.games > setting.rounds:
        lines.append(speech.say("setting.round", rounds=speech.number(setting.rounds)))
    if setting.openings:
        lines.append(speech.say("openings.says", n=setting.openings))
    return (
        f'<section class="whole"><p>{escape(" ".join(lines))}</p>'
        f'<p class="soft">{escape(speech.say("command"))}</p>'
        f"<code>{escape(setting.command)}</code></section>"
    )


def _order(report: Report, speech: Speech) -> str:
    players = report.setting.players
    par = 1 / players
    says = []
    for at, share in enumerate(report.by_order):
        if not share.low <= par <= share.high:
            key = "order.more" if share.value > par else "order.less"
            place = speech.place(at, players)
            told = speech.with_interval(share)
            says.append(speech.say(key, place=place, par=speech.percent(par), share=told))
    if not says:
        says = [speech.say("order.even", par=speech.percent(par))]
    if report.sides:
        sides = report.sides
        won = speech.with_interval(sides.won)
        says.append(speech.say("matches.says", won=won, matches=speech.number(sides.matches)))
    items = [(speech.place(at, players), _span(share)) for at, share in enumerate(report.by_order)]
    title = speech.say("order.plot")
    picture = plots.rows(title, items, _round_up(report.by_order), speech.round_percent, par)
    seats = [(speech.say("seat", n=n), share) for n, share in enumerate(report.by_seat, 1)]
    bots = list(zip(map(speech.bot, report.setting.bots), report.by_bot, strict=True))
    shares = [(speech.place(at, players), s) for at, s in enumerate(report.by_order)] + seats
    numbers = _shares(shares + (bots if len(bots) > 1 else []), speech)
    return _section(speech.say("order.title"), " ".join(says), picture, numbers, speech)


def _exact(report: Report, speech: Speech) -> str:
    if report.exact is None:
        return ""
    chances = [
        speech.say(
            "exact.chance",
            place=speech.place(at, report.setting.players),
            share=speech.percent(chance, 4),
        )
        for at, chance in enumerate(report.exact.chances)
    ]
    says = speech.say("exact.says", chances=", ".join(chances))
    return (
        f"<section><h2>{escape(speech.say('exact.title'))}</h2><p>{escape(says)}</p>"
        f"<code>{escape(report.exact.command)}</code></section>"
    )


def _lead(report: Report, speech: Speech) -> str:
    lead = report.lead
    says = speech.say(
        "lead.says",
        half=speech.percent(lead.leader_wins[MOMENTS // 2].value, 0),
        late=speech.percent(lead.leader_wins[MOMENTS - 1].value, 0),
        changes=speech.number(lead.changes, 1),
        median=speech.percent(lead.settled.median if lead.settled else 1.0, 0),
    )
    how = speech.say("lead.exact" if lead.exact else "lead.estimated")
    points = [Point(at / MOMENTS, _span(share)) for at, share in enumerate(lead.leader_wins)]
    picture = plots.line(
        speech.say("lead.plot"),
        points,
        [(at / 4, speech.percent(at / 4, 0)) for at in range(5)],
        1.0,
        speech.round_percent,
        speech.say("lead.below"),
        1 / report.setting.players,
    )
    numbers = _shares(
        [(speech.percent(at / MOMENTS, 0), s) for at, s in enumerate(lead.leader_wins)], speech
    )
    return _section(speech.say("lead.title"), says, picture, numbers, speech, how)


def _length(report: Report, speech: Speech) -> str:
    length = report.length
    title = speech.say("length.title")
    if length.least == length.most:
        return _section(title, speech.say("length.always", n=speech.number(length.least)))
    says = speech.say(
        "length.says",
        mean=speech.number(length.mean, 1),
        **{key: speech.number(getattr(length, key)) for key in ("lower", "upper", "least", "most")},
    )
    items = [(speech.number(each.least), float(each.games)) for each in report.lengths]
    picture = plots.bars(title, items, speech.number, speech.say("length.below"))
    head = [speech.say("length.below"), speech.say("count.games")]
    bins = [
        [
            speech.number(each.least)
            if each.least == each.most
            else speech.say("times", low=speech.number(each.least), high=speech.number(each.most)),
            speech.number(each.games),
        ]
        for each in report.lengths
    ]
    return _section(title, says, picture, _table(head, bins), speech)


def _choices(report: Report, speech: Speech) -> str:
    choices = report.choices
    says = speech.say(
        "choices.says",
        mean=speech.number(choices.mean, 1),
        **{key: speech.number(getattr(choices, key)) for key in ("lower", "upper", "most")},
    )
    values = report.choices_over_time
    points = [
        Point((at + 0.5) / MOMENTS, Span(value, value, value)) for at, value in enumerate(values)
    ]
    most = _nice(max(values))
    across = [(at / 4, speech.percent(at / 4, 0)) for at in range(5)]
    below = speech.say("choices.below")
    plot = speech.say("choices.plot")
    picture = plots.line(plot, points, across, most, lambda x: speech.number(x, 1), below)
    table = [
        [
            speech.say(
                "times", low=speech.percent(at / 10, 0), high=speech.percent((at + 1) / 10, 0)
            ),
            speech.number(value, 1),
        ]
        for at, value in enumerate(values)
    ]
    numbers = _table([below, speech.say("compare.choices")], table)
    return _section(speech.say("choices.title"), says, picture, numbers, speech)


def _reasons(report: Report, speech: Speech) -> str:
    setting = report.setting
    draws = speech.with_interval(report.draws)
    says = [
        speech.say("reasons.draws", draws=draws)
        if report.draws.value
        else speech.say("reasons.no-draws")
    ]
    if setting.game == "objectif":  # its reasons are a rule and the tie-breaks after it
        says.append(speech.say("reasons.ties", ties=speech.with_interval(report.ties)))
    head = [speech.say("reasons.title"), speech.say("count.games"), speech.say("share")]
    table = [
        [
            speech.known(f"reason.{setting.game}.{each.reason}", each.reason),
            speech.number(each.games),
            speech.with_interval(each.share),
        ]
        for each in report.reasons
    ]
    return _section(speech.say("reasons.title"), " ".join(says), "", _table(head, table))


def _special(report: Report, speech: Speech) -> str:
    if not report.special:
        return ""
    head = [speech.say(f"special.{key}") for key in ("event", "a-game", "most", "games")]
    table = [
        [
            speech.known(f"event.{each.event}", each.event),
            speech.number(each.a_game, 2),
            speech.number(each.most),
            speech.with_interval(each.games),
        ]
        for each in report.special
    ]
    return _section(speech.say("special.title"), "", "", _table(head, table))


def _busts(report: Report, speech: Speech) -> str:
    if not report.busts:
        return ""
    title = speech.say("busts.title")
    often = [each for each in report.busts if each.throws >= _OFTEN] or report.busts
    first, last = often[-1], often[0]
    says = speech.say(
        "busts.says",
        most=first.dice,
        high=speech.with_interval(first.share),
        least=last.dice,
        low=speech.with_interval(last.share),
    )
    named = [(speech.say("busts.dice", n=each.dice), each.share) for each in report.busts]
    shares = [share for _, share in named]
    picture = plots.rows(
        title,
        [(name, _span(share)) for name, share in named],
        _round_up(shares),
        speech.round_percent,
        None,
    )
    return _section(title, says, picture, _shares(named, speech), speech)


def _skill(skill: Skill, speech: Speech) -> str:
    bottom, top = skill.levels[0], skill.levels[-1]
    widest = next(p for p in skill.pairings if (p.weaker, p.stronger) == (bottom.bot, top.bot))
    says = speech.say(
        "skill.says",
        top=top.bot,
        bottom=bottom.bot,
        span=f"{speech.number(top.elo.value)} ({_elo(top.elo, speech)})",
        share=speech.percent(widest.share, 0),
        games=speech.number(skill.games),
    )
    least = min(0.0, *(pair.gap.value for pair in skill.pairings))
    most = max(pair.gap.value for pair in skill.pairings)
    step = _STEP * (1 + int(most) // (6 * _STEP))
    ticks = range(int(least // step) * step, int(most // step + 1) * step + 1, step)
    title = speech.say("skill.plot")
    picture = plots.scatter(
        title,
        [(p.gap.value, p.share, f"{p.weaker}–{p.stronger}") for p in skill.pairings],
        [(x, 1 / (1 + 10 ** (-x / 400))) for x in range(ticks[0], ticks[-1] + 1, 10)],
        [(float(x), speech.number(x)) for x in ticks],
        speech.round_percent,
        speech.say("skill.below"),
    )
    head = [title, "Elo", speech.say("interval"), speech.say("share")]
    table = [
        [
            f"{p.weaker}–{p.stronger}",
            speech.number(p.gap.value),
            _elo(p.gap, speech),
            speech.percent(p.share),
        ]
        for p in skill.pairings
    ]
    return _section(speech.say("skill.title"), says, picture, _table(head, table), speech)


def _elo(gap: Spread, speech: Speech) -> str:
    return speech.say("times", low=speech.number(gap.low), high=speech.number(gap.high))


# ---- A comparison


def _compared(made: Comparison, speech: Speech) -> list[str]:
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
        items = [(_kind(made, row, speech), _span(row.by_order[at])) for row in made.rows]
        most = _round_up([row.by_order[at] for row in made.rows])
        title = speech.say(key)
        picture = plots.rows(title, items, most, speech.round_percent, 1 / made.players)
        parts.append(_section(title, "", picture))
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
    return f'<section class="whole"><h2>{title}</h2>{_table(head, table)}</section>'


def _kind(made: Comparison, row: Row, speech: Speech) -> str:
    """Only what differs."""
    words = []
    if len({each.option for each in made.rows}) > 1:
        words.append(speech.option(made.game, row.option))
    if len({tuple(each.bots) for each in made.rows}) > 1:
        words.append(row.bots[0])
    return ", ".join(words)


# ---- Parts


def _section(
    title: str,
    says: str,
    picture: str = "",
    numbers: str = "",
    speech: Speech | None = None,
    note: str = "",
) -> str:
    """With a picture, the numbers are there for whoever wants them."""
    if picture and numbers and speech:
        summary = escape(speech.say("numbers"))
        numbers = f"<details><summary>{summary}</summary>{numbers}</details>"
    return (
        f"<section><h2>{escape(title)}</h2>"
        + (f"<p>{escape(says)}</p>" if says else "")
        + picture
        + numbers
        + (f'<p class="soft">{escape(note)}</p>' if note else "")
        + "</section>"
    )


def _shares(named: Sequence[tuple[str, Spread]], speech: Speech) -> str:
    head = ["", speech.say("share"), speech.say("interval")]
    table = [[name, speech.percent(s.value), speech.between(s)] for name, s in named]
    return _table(head, table)


def _table(head: Sequence[str], table: Sequence[Sequence[str]]) -> str:
    """Rows are named by their first cell. One that is too wide can be scrolled, by keys too."""
    heads = "".join(
        f'<th scope="col">{escape(cell)}</th>' if cell else "<td></td>" for cell in head
    )
    lines = "".join(
        f'<tr><th scope="row">{escape(name)}</th>'
        + "".join(f"<td>{escape(cell)}</td>" for cell in cells)
        + "</tr>"
        for name, *cells in table
    )
    return (
        '<div class="wide" tabindex="0"><table>'
        f"<thead><tr>{heads}</tr></thead><tbody>{lines}</tbody></table></div>"
    )


def _span(spread: Spread) -> Span:
    return Span(spread.value, spread.low, spread.high)


def _round_up(spreads: Sequence[Spread]) -> float:
    """A round share that is not less than any of them, at least a fifth."""
    return next(
        (most for most in (0.2, 0.4, 0.6, 0.8) if all(each.high <= most for each in spreads)), 1.0
    )


def _nice(value: float) -> float:
    """A round number above, that can be cut in four."""
    return next(most for most in (4, 8, 12, 20, 40, 60, 80, 100, 160, 400) if most >= value)
