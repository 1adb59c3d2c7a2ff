// boardgame.io's own server, its matches in memory or in the folder it is given, with a game of the
// same kind as quadrille:
// two pawns on 48 squares, and each step changes the square it leaves. It checks less than
// quadrille and lists no legal moves, so it is no harder for its server.

const { INVALID_MOVE } = require('boardgame.io/core');
const { FlatFile, Server } = require('boardgame.io/server');

const FILES = 8, SQUARES = 48;
const LENGTH = 64; // moves: as long as a random game of quadrille is on average

const near = (a, b) =>
  a !== b &&
  Math.abs((a % FILES) - (b % FILES)) <= 1 &&
  Math.abs(Math.floor(a / FILES) - Math.floor(b / FILES)) <= 1;

const steps = {
  name: 'steps',
  minPlayers: 2,
  maxPlayers: 2,
  setup: () => ({ squares: Array(SQUARES).fill(0), pawns: [0, SQUARES - 1], moves: 0 }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    step: ({ G, playerID }, to) => {
      const from = G.pawns[playerID];
      const on = Number.isInteger(to) && to >= 0 && to < SQUARES;
      if (!on || !near(from, to) || G.pawns.includes(to)) return INVALID_MOVE;
      G.squares[from] += 1;
      G.pawns[playerID] = to;
      G.moves += 1;
    },
  },
  endIf: ({ G }) => (G.moves >= LENGTH ? { draw: true } : undefined),
};

const folder = process.argv[2];
const db = folder ? new FlatFile({ dir: folder }) : undefined;
const server = Server({ games: [steps], origins: [], db });
server.run({ port: 0 }).then(({ appServer }) => {
  process.stdout.write(`boardgame.io is at http://127.0.0.1:${appServer.address().port}\n`);
});
