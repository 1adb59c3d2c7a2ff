"""A small learned evaluation: one hidden layer over the features a game sees in a position.

Features are present or not, and few are present at once, so the hidden layer is a sum of the rows
of those that are. Weights are data beside this file, one file a game and number of players, made
by `benben.lab.training`. A net is handed to kernels as an argument: Numba would freeze a global,
and the kernels kept on disk would not notice that it was trained again.
"""

import math
from functools import cache
from importlib import import_module
from importlib.resources import files
from typing import IO, Any, NamedTuple, TypeAlias

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload
from numpy.typing import NDArray

from benben.core.game import Game
from benben.core.kernel import PLAIN_PYTHON, Floats, Ints, State, kernel
from benben.core.rules import features, to_move

Singles: TypeAlias = NDArray[np.float32]

STEP = np.float32(1 / 64)  # what the weights of features are rounded to in a file
LANES = 16  # hidden units come in multiples of so many: what a processor adds at a stroke


class Net(NamedTuple):
    """Weights. The logistic of what comes out is the share the seat can expect."""

    rows: Singles  # of each feature, to each hidden unit
    bias: Singles  # of each hidden unit
    out: Singles  # of each hidden unit, to the logit
    base: Singles  # of the logit, an array of one


class Scratch(NamedTuple):
    """What a net works in: for one thread at a time."""

    present: Ints
    hidden: Singles


def blank_net(features: int, hidden: int) -> Net:
    """A net that knows nothing."""
    if hidden < LANES or hidden % LANES:
        raise ValueError(f"hidden units come in multiples of {LANES}, not {hidden}")
    return Net(
        np.zeros((features, hidden), np.float32),
        np.zeros(hidden, np.float32),
        np.zeros(hidden, np.float32),
        np.zeros(1, np.float32),
    )


def scratch(net: Net, most_features: int) -> Scratch:
    return Scratch(np.zeros(most_features, np.int64), np.zeros(len(net.bias), np.float32))


def scratch_for(net: Net, game: Game) -> Scratch:
    """Room for all that may be present in a game at once."""
    return scratch(net, import_module(f"{game.rules.__package__}.evaluation").MOST_FEATURES)


@cache
def load(game: str, players: int) -> Net | None:
    """What was learnt about a game for so many players; None if nothing was."""
    path = files("benben.bots") / "nets" / f"{game}-{players}.npz"
    if not path.is_file():
        return None
    with path.open("rb") as file:
        return read(file)


def read(file: IO[bytes]) -> Net:
    with np.load(file) as kept:
        rows = kept["rows"].astype(np.float32) * STEP
        unseen = np.zeros((int(kept["features"]) - len(rows), rows.shape[1]), np.float32)
        return Net(np.concatenate((rows, unseen)), kept["bias"], kept["out"], kept["base"])


def write(net: Net, file: IO[bytes], made_by: str) -> None:
    """Keep a net, its rows in whole steps and only up to the last feature ever seen."""
    seen = np.flatnonzero(net.rows.any(axis=1))
    rows = net.rows[: seen[-1] + 1 if len(seen) else 0]
    np.savez_compressed(
        file,
        allow_pickle=False,
        rows=np.round(rows / STEP).astype(np.int16),
        bias=net.bias,
        out=net.out,
        base=net.base,
        features=np.array(len(net.rows)),
        made_by=np.array(made_by),
    )


@kernel(counted=False)
def logit(net: Net, s: State, seat: int, work: Scratch) -> float:
    """The logit of the share that the seat can expect."""
    return weigh(net, work, features(s, seat, work.present))


@kernel
def expect(s: State, net: Net, work: Scratch, shares: Floats) -> None:
    """What the net expects for every seat; together one game. For two, the mover is asked."""
    if len(shares) == 2:
        turn = to_move(s)
        shares[turn] = logistic(logit(net, s, turn, work))
        shares[1 - turn] = 1 - shares[turn]
        return
    total = 0.0
    for seat in range(len(shares)):
        shares[seat] = logistic(logit(net, s, seat, work))
        total += shares[seat]
    for seat in range(len(shares)):
        shares[seat] /= total


@kernel
def logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x))


def weigh(net: Net, work: Scratch, n: int) -> float:
    """The logit of n features `present`; leaves the hidden layer, before it is clipped, too."""
    total = net.base[0]
    for lane in range(0, len(net.bias), LANES):
        lanes = slice(lane, lane + LANES)
        hidden = net.bias[lanes].copy()
        for i in range(n):
            hidden += net.rows[work.present[i], lanes]
        work.hidden[lanes] = hidden
        weighed = np.clip(hidden, 0, 1) * net.out[lanes]
        while len(weighed) > 1:
            weighed = weighed[: len(weighed) // 2] + weighed[len(weighed) // 2 :]
        total += weighed[0]
    return float(total)


@kernel
def learn(net: Net, work: Scratch, n: int, error: float, gradient: Net) -> None:
    """Add to a gradient what a sample teaches, just weighed: its logit was too high by `error`.

    The hidden layer in `work` is spent by it.
    """
    wrong = np.float32(error)
    gradient.base[0] += wrong
    hidden = work.hidden
    for unit in range(len(hidden)):
        x = hidden[unit]
        gradient.out[unit] += wrong * min(max(x, np.float32(0)), np.float32(1))
        hidden[unit] = wrong * net.out[unit] if 0 < x < 1 else np.float32(0)
        gradient.bias[unit] += hidden[unit]
    for i in range(n):
        row = gradient.rows[work.present[i]]
        for unit in range(len(hidden)):
            row[unit] += hidden[unit]


if not PLAIN_PYTHON:
    # The same, sum for sum, in vectors: Numba unrolls loops as short as these before it could see
    # that they are vectors, and counts references to every array it takes out of a tuple. A logit
    # of 24 features and 32 hidden units takes 28 ns, and 125 ns by plain loops (106 without counts
    # of references). tests/bots/test_net.py compares the sums, and fails if Numba changes here.

    @overload(weigh, strict=False)
    def _weigh(net: Any, work: Any, n: Any) -> Any:
        return lambda net, work, n: _weigh_vectors(net, work, n)  # type: ignore[call-arg]

    @intrinsic
    def _weigh_vectors(context: Any, net: Any, work: Any, n: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            weights, places, count = arguments

            def array(kind: Any, values: Any, name: str) -> Any:
                i = kind.fields.index(name)
                value = builder.extract_value(values, i)
                return context.make_array(kind.types[i])(context, builder, value)

            def load(pointer: Any, at: Any) -> Any:
                return builder.load(_vector_at(builder, pointer, at), align=4)

            rows, bias, out, base = (array(net, weights, name) for name in Net._fields)
            present, hidden = (array(work, places, name) for name in Scratch._fields)
            width = builder.extract_value(bias.shape, 0)
            total, sums = (_variable(builder, kind) for kind in (ir.FloatType(), _VECTOR))
            builder.store(builder.load(base.data), total)
            with cgutils.for_range_slice(
                builder, width.type(0), width, width.type(LANES), inc=True
            ) as (lane, _):
                builder.store(load(bias.data, lane), sums)
                with cgutils.for_range(builder, count) as loop:
                    feature = builder.load(builder.gep(present.data, [loop.index]))
                    row = load(rows.data, builder.add(builder.mul(feature, width), lane))
                    builder.store(builder.fadd(builder.load(sums), row), sums)
                x = builder.load(sums)
                builder.store(x, _vector_at(builder, hidden.data, lane), align=4)
                x = builder.fmul(_clip(builder, x), load(out.data, lane))
                builder.store(builder.fadd(builder.load(total), _add_up(builder, x)), total)
            return builder.load(total)

        return types.float32(net, work, n), generate

    _VECTOR = ir.VectorType(ir.FloatType(), LANES)

    def _variable(builder: Any, kind: Any) -> Any:
        return cgutils.alloca_once(builder, kind)  # type: ignore[no-untyped-call]

    def _vector_at(builder: Any, pointer: Any, at: Any) -> Any:
        return builder.bitcast(builder.gep(pointer, [at]), _VECTOR.as_pointer())

    def _clip(builder: Any, x: Any) -> Any:
        for sign, limit in ((">", 0.0), ("<", 1.0)):
            limits = ir.Constant(_VECTOR, [limit] * LANES)
            x = builder.select(builder.fcmp_ordered(sign, x, limits), x, limits)
        return x

    def _add_up(builder: Any, x: Any) -> Any:
        half = LANES
        while half > 1:
            half //= 2
            lanes = ir.VectorType(ir.IntType(32), half)
            lower = builder.shuffle_vector(x, x, ir.Constant(lanes, list(range(half))))
            upper = builder.shuffle_vector(x, x, ir.Constant(lanes, list(range(half, 2 * half))))
            x = builder.fadd(lower, upper)
        return builder.extract_element(x, ir.Constant(ir.IntType(32), 0))
