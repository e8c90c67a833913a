import { type Static, Type } from 'typebox';
import { OwnView, Tile, View } from './views.ts';

// Everything that crosses the network, both ways. The server checks what comes in by these schemas; a browser takes the
// types alone. Whoever is speaking is known by the connection, so that no message names a terminal.

const closed = { additionalProperties: false } as const;
const tableId = Type.String({ pattern: '^[a-z0-9-]{1,64}$' });
const commandId = Type.String({ pattern: '^[A-Za-z0-9-]{8,64}$' });
const version = Type.Integer({ minimum: 0 });
const time = Type.Integer({ minimum: 0 });

/** All stakes of a terminal in a round, in whole minor units by wager. */
export const Slip = Type.Record(
  Type.String({ pattern: '^[a-z0-9-]{1,64}$' }),
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  { maxProperties: 100, additionalProperties: false },
);

/** What a browser may say, by its type. */
export const asks = {
  /** The first message: the secret is known to this browser alone, and the server keeps no more than its hash. */
  hello: Type.Object(
    { type: Type.Literal('hello'), v: Type.Integer(), secret: Type.String({ pattern: '^[0-9a-f]{64}$' }) },
    closed,
  ),
  /** Sit down at a table; a terminal that is new gets its demo credit. */
  sit: Type.Object({ type: Type.Literal('sit'), table: tableId }, closed),
  /** Back to the lobby. */
  leave: Type.Object({ type: Type.Literal('leave') }, closed),
  /** All stakes for a round. Sent again with the same id it changes nothing. */
  slip: Type.Object(
    {
      type: Type.Literal('slip'),
      id: commandId,
      table: tableId,
      round: Type.String({ minLength: 1, maxLength: 200 }),
      slip: Slip,
    },
    closed,
  ),
  /** A version was missed: send the whole again. */
  whole: Type.Object(
    {
      type: Type.Literal('whole'),
      of: Type.Union([Type.Literal('lobby'), Type.Literal('table'), Type.Literal('own')]),
    },
    closed,
  ),
} as const;

/** What a server may say, by its type. */
export const tells = {
  /** The answer to hello, with the server's time. */
  welcome: Type.Object(
    {
      type: Type.Literal('welcome'),
      v: Type.Integer(),
      at: time,
      /** The terminal behind the secret, once it has sat down anywhere. */
      terminal: Type.Union([Type.String(), Type.Null()]),
      /** All money is demo credit. */
      demo: Type.Boolean(),
    },
    closed,
  ),
  /** Sent while nothing else is, so that a broken link is noticed. */
  beat: Type.Object({ type: Type.Literal('beat'), at: time }, closed),
  /** All tables, or those that changed since the version before. */
  lobby: Type.Object({ type: Type.Literal('lobby'), version, whole: Type.Boolean(), tiles: Type.Array(Tile) }, closed),
  /** What everyone sees of a table: whole, or the fields that changed since the version before. */
  table: Type.Object(
    { type: Type.Literal('table'), table: tableId, version, whole: Type.Boolean(), view: Type.Partial(View) },
    closed,
  ),
  /** What this terminal alone sees: always whole, since it is small. Each is one version on from the last. */
  own: Type.Object({ type: Type.Literal('own'), table: tableId, version, view: OwnView }, closed),
  /** The slip with that id stands in the record. */
  accepted: Type.Object({ type: Type.Literal('accepted'), id: commandId, round: Type.String(), slip: Slip }, closed),
  /** Why not: a code of docs/errors.md, a sentence and, where one says so, the clause. */
  refused: Type.Object(
    {
      type: Type.Literal('refused'),
      id: Type.Union([Type.String(), Type.Null()]),
      code: Type.String(),
      message: Type.String(),
      by: Type.Union([Type.String(), Type.Null()]),
    },
    closed,
  ),
} as const;

export type Ask = { [T in keyof typeof asks]: Static<(typeof asks)[T]> }[keyof typeof asks];
export type AskOf<T extends Ask['type']> = Extract<Ask, { type: T }>;
export type Tell = { [T in keyof typeof tells]: Static<(typeof tells)[T]> }[keyof typeof tells];
export type TellOf<T extends Tell['type']> = Extract<Tell, { type: T }>;
export type Slip = Static<typeof Slip>;
