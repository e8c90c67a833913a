import { type Static, type TSchema, Type } from 'typebox';

// What is shown: of a table to everyone, of itself to a terminal, of all tables in the lobby.

const closed = { additionalProperties: false } as const;
const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);
const amount = Type.Integer({ minimum: 0 });
const ratio = Type.Tuple([Type.Integer(), Type.Integer()]);
const time = Type.Integer({ minimum: 0 });

const Phase = Type.Enum(['idle', 'betting', 'closing', 'dealing', 'result', 'paying', 'closed']);
const winner = Type.Enum(['player', 'banker', 'tie']);
const place = { column: Type.Integer(), row: Type.Integer() };
const pairs = { playerPair: Type.Boolean(), bankerPair: Type.Boolean() };

const Bead = Type.Object({ ...place, ...pairs, winner }, closed);
const Cell = Type.Object({ ...place, ...pairs, winner: Type.Enum(['player', 'banker']), ties: Type.Integer() }, closed);
const Hand = Type.Object({ cards: Type.Array(Type.String()), total: Type.Integer() }, closed);

const DealtCard = Type.Object(
  {
    card: Type.String(),
    /** Its place in the committed order, and what proves it. */
    index: Type.Optional(Type.Integer()),
    salt: Type.Optional(Type.String()),
    proof: Type.Optional(Type.Array(Type.String())),
  },
  closed,
);

const Round = Type.Object(
  {
    id: Type.String(),
    number: Type.Integer(),
    closesAt: time,
    deadline: orNull(time),
    player: Hand,
    banker: Hand,
    cards: Type.Array(DealtCard),
    next: orNull(Type.String()),
    winner: orNull(winner),
    results: orNull(
      Type.Record(
        Type.String(),
        Type.Object(
          { result: Type.Enum(['win', 'push', 'lose']), pays: ratio, commission: ratio, by: Type.String() },
          closed,
        ),
      ),
    ),
    voidBy: orNull(Type.String()),
    settledAgain: Type.Boolean(),
  },
  closed,
);

const ShoeView = Type.Object(
  {
    id: Type.String(),
    cards: Type.Integer(),
    out: Type.Integer(),
    rounds: Type.Integer(),
    ready: Type.Boolean(),
    root: orNull(Type.String()),
    turn: orNull(Type.Integer()),
    cuttingCardOut: Type.Boolean(),
    roundsLeft: orNull(Type.Integer()),
    lockedBy: orNull(Type.String()),
  },
  closed,
);

const Spot = Type.Object({ wager: Type.String(), name: Type.String(), least: amount, most: amount }, closed);

/** What happened to an interrupted round, by which clause. */
const Notice = Type.Object(
  { kind: Type.Enum(['void', 'resumed']), number: Type.Integer(), by: Type.String(), reason: Type.String() },
  closed,
);

/** A table as everyone sees it. */
export const View = Type.Object(
  {
    table: Type.String(),
    currency: Type.String(),
    game: Type.Object(
      { name: Type.String(), version: Type.String(), book: Type.String(), electronicApproval: Type.Boolean() },
      closed,
    ),
    layout: Type.Array(Spot),
    tray: Type.Array(amount),
    step: amount,
    totalMinimum: amount,
    phase: Phase,
    call: orNull(Type.String()),
    round: orNull(Round),
    /** All stakes on each wager; they change at most twice a second. */
    staked: Type.Record(Type.String(), Type.Object({ stake: amount, bettors: Type.Integer() }, closed)),
    shoe: orNull(ShoeView),
    /** Waits for a ruling or a decision, or cannot go on. */
    stopped: orNull(Type.Object({ kind: Type.String(), by: orNull(Type.String()) }, closed)),
    notice: orNull(Notice),
    bead: Type.Array(Bead),
    big: Type.Array(Cell),
  },
  closed,
);

/** What becomes of one stake. */
const Paid = Type.Object(
  {
    wager: Type.String(),
    stake: amount,
    result: Type.Enum(['win', 'push', 'lose', 'void']),
    won: amount,
    commission: amount,
    returned: amount,
    by: Type.String(),
  },
  closed,
);

const stakes = Type.Record(Type.String(), amount);

/** What a terminal sees of itself. */
export const OwnView = Type.Object(
  {
    terminal: Type.String(),
    credit: amount,
    round: orNull(Type.Object({ id: Type.String(), number: Type.Integer() }, closed)),
    slip: stakes,
    stake: amount,
    /** The stakes of the last round before this one in which it had any. */
    again: stakes,
    paid: orNull(Type.Array(Paid)),
  },
  closed,
);

/** A table in the lobby. */
export const Tile = Type.Object(
  {
    table: Type.String(),
    name: Type.String(),
    phase: Phase,
    number: orNull(Type.Integer()),
    closesAt: orNull(time),
    winner: orNull(winner),
    stopped: Type.Boolean(),
    big: Type.Array(Cell),
  },
  closed,
);

export type View = Static<typeof View>;
export type OwnView = Static<typeof OwnView>;
export type Tile = Static<typeof Tile>;
export type Spot = Static<typeof Spot>;
export type Cell = Static<typeof Cell>;
export type Bead = Static<typeof Bead>;
export type Paid = Static<typeof Paid>;
