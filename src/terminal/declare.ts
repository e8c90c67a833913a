import { type Post } from '../games/posts.ts';
import { type FieldsOf, type Form, kind, plainKinds } from '../rules/fields.ts';
import { type Refusal } from '../rules/refusal.ts';
import { type Who } from '../table/declare/posts.ts';
import { kinds } from '../table/declare/kinds.ts';

/** The ways in which credit comes to a terminal. */
export const waysIn = ['cash', 'bill', 'ticket', 'transfer', 'promotion'] as const;
/** The ways in which it leaves one; by hand it waits until two persons have paid it. */
export const waysOut = ['cash', 'ticket', 'transfer', 'promotion', 'hand'] as const;
export const handPays = ['jackpot', 'cancelled-credit'] as const;

const oneOf = <const T extends readonly string[]>(values: T) =>
  kind<T[number]>(`one of ${values.join(', ')}`, (value) => (values as readonly unknown[]).includes(value));
const some = kind<number>(
  'a whole number of minor units, one at least',
  (value) => Number.isSafeInteger(value) && (value as number) >= 1,
);

export const terminalKinds = {
  ...plainKinds,
  id: kinds.id,
  time: kinds.time,
  who: kinds.who,
  person: kinds.person,
  amount: kinds.amount,
  some,
  reason: kinds.reason,
  currency: kind<string>('three capital letters such as SGD', (value) => /^[A-Z]{3}$/.test(String(value))),
  'way in': oneOf(waysIn),
  'way out': oneOf(waysOut),
  'hand pay': oneOf(handPays),
} as const;

type Declaration = {
  readonly says: string;
  /** The post it takes; without one only the service that runs the terminal gives it. */
  readonly post?: Post;
  /** Whether the service that runs the terminal may give it. */
  readonly service?: true;
  /** What is brought to it: not asked, but known to whoever runs the terminal. */
  readonly brings?: readonly string[];
  readonly fields: Form<typeof terminalKinds>;
};

/** All that can be asked of a terminal's credit, beside `type`, `at` and `who`. */
export const terminalCommands = {
  SeatTerminal: {
    says: 'A terminal begins.',
    service: true,
    fields: { terminal: 'id', property: 'id', currency: 'currency' },
  },
  LoadCredit: {
    says: 'Credit comes in; the first load begins a session. `bill` is what a bill is worth.',
    post: 'cage',
    service: true,
    fields: { way: 'way in', amount: 'some', bill: 'some?' },
  },
  CollectCredit: {
    says: 'The whole credit goes out and the session ends; not while a stake of it stands or money of it is in question.',
    post: 'cage',
    service: true,
    brings: ['credit', 'staked', 'inQuestion'],
    fields: { way: 'way out', credit: 'amount', staked: 'amount', inQuestion: 'amount' },
  },
  PaySession: {
    says: 'What came to a session after its end is paid at the cage.',
    post: 'cage',
    brings: ['credit'],
    fields: { session: 'some', credit: 'amount' },
  },
  PayByHand: {
    says: 'What waits to be paid by hand is paid; the second person is named with it.',
    post: 'supervisor',
    brings: ['waiting'],
    fields: { what: 'hand pay', amount: 'some', second: 'person', waiting: 'amount' },
  },
  LockTerminal: {
    says: 'Take the terminal out of use.',
    post: 'supervisor',
    service: true,
    fields: { reason: 'reason' },
  },
  UnlockTerminal: { says: 'Put the terminal into use again.', post: 'supervisor', fields: { reason: 'reason' } },
} as const satisfies { readonly [name: string]: Declaration };

/** All that can happen to a terminal's credit, beside `type`, `v`, `at` and `who`. */
export const terminalEvents = {
  TerminalSeated: { fields: { terminal: 'id', property: 'id', currency: 'currency' } },
  CreditLoaded: { fields: { session: 'some', way: 'way in', amount: 'some', bill: 'some?' } },
  CreditCollected: { fields: { session: 'some', way: 'way out', amount: 'amount' } },
  SessionPaid: { fields: { session: 'some', amount: 'some' } },
  HandPaid: { fields: { what: 'hand pay', amount: 'some', second: 'person' } },
  TerminalLocked: { fields: { reason: 'reason' } },
  TerminalUnlocked: { fields: { reason: 'reason' } },
} as const satisfies { readonly [name: string]: { readonly fields: Form<typeof terminalKinds> } };

type CommandName = keyof typeof terminalCommands;
export type TerminalCommandOf<N extends CommandName> = {
  readonly type: N;
  readonly at: number;
  readonly who: Who;
} & FieldsOf<(typeof terminalCommands)[N]['fields'], typeof terminalKinds>;
export type TerminalCommand = { [N in CommandName]: TerminalCommandOf<N> }[CommandName];

type EventName = keyof typeof terminalEvents;
export type TerminalEventOf<N extends EventName> = {
  readonly type: N;
  readonly v: 1;
  readonly at: number;
  readonly who: Who;
} & FieldsOf<(typeof terminalEvents)[N]['fields'], typeof terminalKinds>;
export type TerminalEvent = { [N in EventName]: TerminalEventOf<N> }[EventName];

/** Why nothing became of it. A closed list, explained one by one in docs/errors.md. */
export const terminalRefusals = [
  'already-seated',
  'clock-ran-back',
  'credit-in-question',
  'no-such-session',
  'not-your-post',
  'nothing-to-collect',
  'over-waiting',
  'same-person',
  'stakes-stand',
  'terminal-locked',
  'terminal-not-seated',
] as const;
export type TerminalRefusal = Refusal<(typeof terminalRefusals)[number]> & { readonly by: string | null };
