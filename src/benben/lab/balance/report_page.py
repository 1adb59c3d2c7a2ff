"""A report for people, section by section: a sentence, a picture, and the numbers behind it."""

from html import escape

from benben.lab.balance import plots
from benben.lab.balance.parts import round_up, section, span, table_of, table_of_shares
from benben.lab.balance.plots import Point, Span
from benben.lab.balance.report import Report, Skill, Spread
from benben.lab.balance.speech import Speech
from benben.lab.balance.watching import MOMENTS

_STEP = 100  # Elo between two ticks
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
    items = [(speech.place(at, players), span(share)) for at, share in enumerate(report.by_order)]
    title = speech.say("order.plot")
    picture = plots.rows(title, items, round_up(report.by_order), speech.round_percent, par)
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
            speech.number(value, 1),
        ]
        for at, value in enumerate(values)
    ]
    numbers = table_of([below, speech.say("compare.choices")], table)
    return section(speech.say("choices.title"), says, picture, numbers, speech)


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
    return section(speech.say("reasons.title"), " ".join(says), "", table_of(head, table))


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
    return section(speech.say("special.title"), "", "", table_of(head, table))


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
        [(name, span(share)) for name, share in named],
        round_up(shares),
        speech.round_percent,
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
        share=speech.with_interval(widest.share),
        games=speech.number(skill.games),
    )
    least = min(0.0, *(pair.gap.value for pair in skill.pairings))
    most = max(pair.gap.value for pair in skill.pairings)
    step = _STEP * (1 + int(most) // (6 * _STEP))
    ticks = range(int(least // step) * step, int(most // step + 1) * step + 1, step)
    title = speech.say("skill.plot")
    picture = plots.scatter(
        title,
        [(p.gap.value, p.share.value, f"{p.weaker}–{p.stronger}") for p in skill.pairings],
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
            speech.with_interval(p.share),
        ]
        for p in skill.pairings
    ]
    return section(speech.say("skill.title"), says, picture, table_of(head, table), speech)


def _elo(gap: Spread, speech: Speech) -> str:
    return speech.say("times", low=speech.number(gap.low), high=speech.number(gap.high))


def _nice(value: float) -> float:
    """A round number above, that can be cut in four."""
    return next(most for most in (4, 8, 12, 20, 40, 60, 80, 100, 160, 400) if most >= value)
