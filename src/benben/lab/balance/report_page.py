"""A report for people, section by section: a sentence, a picture, and the numbers behind it."""

from collections.abc import Sequence
from html import escape

from benben.core.game import Game
from benben.core.registry import game as find
from benben.lab.balance import plots
from benben.lab.balance.parts import (
    cards_of,
    command,
    round_up,
    section,
    span,
    table_of,
    table_of_shares,
)
from benben.lab.balance.plots import Point, Span
from benben.lab.balance.report import Report, Setting, Skill, Spread
from benben.lab.balance.speech import Speech
from benben.lab.balance.study import has_deals
from benben.lab.balance.watching import MOMENTS

_STEPS = (50, 100, 200, 300, 400, 500, 1000, 2000, 5000)  # Elo between two ticks
_MOST_STEPS = 4
_OFTEN = 30  # throws that are worth a sentence


def told(report: Report, speech: Speech) -> list[str]:
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
        key = "setting.round.dealt" if has_deals(_game(setting)) else "setting.round"
        lines.append(speech.say(key, rounds=speech.number(setting.rounds)))
    if setting.openings:
        lines.append(speech.say("openings.says", n=setting.openings))
    return (
        f'<section class="whole"><p>{escape(" ".join(lines))}</p>'
        f'<p class="soft">{escape(speech.say("pictures"))}</p>'
        f'<p class="soft">{escape(speech.say("command"))}</p>'
        f"{command(setting.command)}</section>"
    )


def _order(report: Report, speech: Speech) -> str:
    players = report.setting.players
    par = 1 / players
    fair = speech.fair_share(players)
    says = []
    for at, share in enumerate(report.by_order):
        if not share.low <= par <= share.high:
            more = share.value > par
            if players == 2 and not more:
                continue  # what one of two has less, the other has more
            key = "order.more" if more else "order.less"
            place = speech.place(at, players)
            says.append(speech.say(key, place=place, par=fair, share=speech.roughly(share)))
    if not says:
        says = [speech.say("order.even", par=fair)]
    if report.sides:
        key = "matches.says.dealt" if has_deals(_game(report.setting)) else "matches.says"
        won = speech.roughly(report.sides.won)
        says.append(speech.say(key, won=won, matches=speech.number(report.sides.matches)))
    items = [(speech.place(at, players), span(share)) for at, share in enumerate(report.by_order)]
    title = speech.say("order.plot")
    most = round_up(report.by_order)
    picture = plots.rows(title, items, most, speech.round_percent, speech.roughly, par)
    seats = [(speech.say("seat", n=n), share) for n, share in enumerate(report.by_seat, 1)]
    bots = list(zip(map(speech.bot, report.setting.bots), report.by_bot, strict=True))
    shares = [(speech.place(at, players), s) for at, s in enumerate(report.by_order)] + seats
    numbers = table_of_shares(shares + (bots if len(bots) > 1 else []), speech)
    return section(speech.say("order.title"), " ".join(says), picture, numbers, speech)


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
        f"{command(report.exact.command)}</section>"
    )


def _lead(report: Report, speech: Speech) -> str:
    lead = report.lead
    says = speech.say(
        "lead.says",
        half=speech.roughly(lead.leader_wins[MOMENTS // 2]),
        late=speech.roughly(lead.leader_wins[MOMENTS - 1]),
        changes=speech.number(lead.changes, 1),
    )
    if lead.settled:
        says += " " + speech.say("lead.settled", median=speech.percent(lead.settled.median, 0))
    how = speech.say("lead.exact" if lead.exact else "lead.estimated")
    if not lead.exact and _has_secrets(_game(report.setting)):
        how += " " + speech.say("lead.secrets")
    points = [Point(at / MOMENTS, span(share)) for at, share in enumerate(lead.leader_wins)]
    picture = plots.line(
        speech.say("lead.plot"),
        points,
        [(at / 4, speech.percent(at / 4, 0)) for at in range(5)],
        1.0,
        speech.round_percent,
        speech.say("lead.below"),
        1 / report.setting.players,
    )
    numbers = table_of_shares(
        [(speech.percent(at / MOMENTS, 0), s) for at, s in enumerate(lead.leader_wins)], speech
    )
    return section(speech.say("lead.title"), says, picture, numbers, speech, how)


def _length(report: Report, speech: Speech) -> str:
    length = report.length
    title = speech.say("length.title")
    if length.least == length.most:
        return section(title, speech.say("length.always", n=speech.number(length.least)))
    says = speech.say(
        "length.says",
        mean=speech.number(length.mean, 1),
        **{key: speech.number(getattr(length, key)) for key in ("lower", "upper", "least", "most")},
    )
    items = [(speech.number(each.least), float(each.games)) for each in report.lengths]
    between = any(each.least < each.most for each in report.lengths)
    picture = plots.bars(title, items, between, speech.number, speech.say("length.below"))
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
    return section(title, says, picture, table_of(head, bins), speech)


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
            speech.decimal(value),
        ]
        for at, value in enumerate(values)
    ]
    numbers = table_of([below, speech.say("compare.choices")], table)
    return section(speech.say("choices.title"), says, picture, numbers, speech)


def _reasons(report: Report, speech: Speech) -> str:
    setting = report.setting
    if len(report.reasons) == 1:
        return ""  # that is a rule of the game, and not found out
    draws = speech.roughly(report.draws)
    says = [
        speech.say("reasons.draws", draws=draws)
        if report.draws.value
        else speech.say("reasons.no-draws")
    ]
    if setting.game == "objectif":  # its reasons are a rule and the tie-breaks after it
        says.append(speech.say("reasons.ties", ties=speech.roughly(report.ties)))
    head = ["", speech.say("count.games"), speech.say("share")]
    table = [
        [
            speech.known(f"reason.{setting.game}.{each.reason}", each.reason),
            speech.number(each.games),
            speech.with_interval(each.share),
        ]
        for each in report.reasons
    ]
    return section(speech.say("reasons.title"), " ".join(says), "", table_of(head, table))


def _special(report: Report, speech: Speech) -> str:
    if not report.special:
        return ""
    head = [speech.say(f"special.{key}") for key in ("event", "a-game", "most", "games")]
    table = [
        [
            speech.known(f"event.{each.event}", each.event),
            speech.decimal(each.a_game, 2),
            speech.number(each.most),
            speech.with_interval(each.games),
        ]
        for each in report.special
    ]
    return section(speech.say("special.title"), "", "", cards_of(head, table))


def _busts(report: Report, speech: Speech) -> str:
    if not report.busts:
        return ""
    title = speech.say("busts.title")
    often = [each for each in report.busts if each.throws >= _OFTEN] or report.busts
    first, last = often[-1], often[0]
    says = speech.say(
        "busts.says",
        most=speech.say("busts.dice", n=first.dice),
        high=speech.roughly(first.share),
        least=speech.say("busts.dice", n=last.dice),
        low=speech.roughly(last.share),
    )
    named = [(speech.say("busts.dice", n=each.dice), each.share) for each in report.busts]
    shares = [share for _, share in named]
    picture = plots.rows(
        title,
        [(name, span(share)) for name, share in named],
        round_up(shares),
        speech.round_percent,
        speech.roughly,
        None,
    )
    return section(title, says, picture, table_of_shares(named, speech), speech)


def _skill(skill: Skill, speech: Speech) -> str:
    bottom, top = skill.levels[0], skill.levels[-1]
    widest = next(p for p in skill.pairings if (p.weaker, p.stronger) == (bottom.bot, top.bot))
    says = speech.say(
        "skill.says",
        top=top.bot,
        bottom=bottom.bot,
        span=f"{speech.number(top.elo.value)} ({_elo(top.elo, speech)})",
        share=speech.roughly(widest.share),
        games=speech.number(skill.games),
    )
    ticks = _elo_ticks([pair.gap.value for pair in skill.pairings])
    title = speech.say("skill.plot")
    picture = plots.scatter(
        title,
        [(p.gap.value, span(p.share), f"{p.weaker}–{p.stronger}") for p in skill.pairings],
        [
            (x, 1 / (1 + 10 ** (-x / 400)))
            for x in range(ticks[0], ticks[-1] + 1, (ticks[-1] - ticks[0]) // 40)
        ],
        [(float(x), speech.number(x)) for x in ticks],
        speech.round_percent,
        speech.say("skill.below"),
    )
    head = [speech.say("skill.levels"), speech.say("skill.gap"), speech.say("skill.share")]
    table = [
        [
            f"{p.weaker}–{p.stronger}",
            f"{speech.number(p.gap.value)} ({_elo(p.gap, speech)})",
            speech.with_interval(p.share),
        ]
        for p in skill.pairings
    ]
    return section(speech.say("skill.title"), says, picture, table_of(head, table), speech)


def _elo(gap: Spread, speech: Speech) -> str:
    return speech.say("times", low=speech.number(gap.low), high=speech.number(gap.high))


def _elo_ticks(gaps: Sequence[float]) -> range:
    """From nothing, or less if the levels are not in order, to the first tick past all of them."""
    least, most = min(0.0, *gaps), max(1.0, *gaps)
    for step in _STEPS:
        start, end = int(least // step), int(-(-most // step))
        if end - start <= _MOST_STEPS:
            break
    return range(start * step, end * step + 1, step)


def _game(setting: Setting) -> Game:
    game = find(setting.game, players=setting.players)
    own = {game.info.option.name: setting.option} if setting.option else {}
    return find(setting.game, players=setting.players, first=1, **own)  # a drawn one is no deal


def _has_secrets(game: Game) -> bool:
    """Whether a view hides something: a text form has `?` for it."""
    return "?" in str(game.deal(seed=0).view(None))


def _nice(value: float) -> float:
    """A round number above, that can be cut in four."""
    return next(most for most in (4, 8, 12, 20, 40, 60, 80, 100, 160, 400) if most >= value)
