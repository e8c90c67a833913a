import { type RandomSource } from '../../../src/runtime/ports/random.ts';
import { type FloorRuntime } from '../../../src/runtime/floorRuntime.ts';
import { oneIn } from './tableActions.ts';
import { type NewRequest } from './staffMember.ts';

const pick = <T>(from: readonly T[], { below }: RandomSource): T | undefined => from[below(from.length || 1)];

const terminal = (
  name: string,
  request: { readonly type: string; readonly [field: string]: unknown },
  more = {},
): NewRequest => ({
  type: 'terminal',
  terminal: name,
  request,
  ...more,
});

/** Terminals of patrons. */
const patronTerminals = ({ terminals }: FloorRuntime): readonly string[] =>
  [...terminals.names].filter((name) => name.startsWith('T'));

/** Next request of a cashier: signed hand-pays, tickets, paid or not, unclaimed credit, and cash for a terminal. */
export function cashierRequest(
  floor: FloorRuntime,
  tickets: readonly string[],
  random: RandomSource,
  isFinishing: boolean,
): NewRequest | undefined {
  const { terminals } = floor;
  if (isFinishing) return undefined;
  const owed = pick(
    patronTerminals(floor).filter((name) => terminals.handPayOwed(name) > 0),
    random,
  );
  if (owed !== undefined && oneIn(random, 2)) {
    const [signature = 1 + random.below(3)] = Object.keys(terminals.signedAt(owed)).map(Number);
    return terminal(owed, { type: 'PaySigned', signature });
  }
  if (tickets.length > 0 && oneIn(random, 3)) {
    const number = pick(tickets, random)!;
    // A misread digit.
    return { type: 'pay', ticket: oneIn(random, 8) ? number.slice(1) + number[0] : number };
  }
  // Unclaimed credit of ended sessions; now and then of an open one.
  const isEnded = (credit: { terminal: string; session: number }): boolean =>
    terminals.session(credit.terminal) !== `${credit.terminal}.${credit.session}`;
  const unclaimed = pick(
    [...terminals.credits()].filter((credit) => isEnded(credit) || oneIn(random, 40)),
    random,
  );
  if (unclaimed !== undefined && oneIn(random, 3))
    return terminal(unclaimed.terminal, { type: 'PaySession', session: unclaimed.session });
  const name = pick(patronTerminals(floor), random);
  if (name === undefined || !oneIn(random, 8)) return undefined;
  return terminal(name, { type: 'LoadCredit', method: 'cash', amount: 1_000 * (1 + random.below(50)) });
}

/** Hand-pay with two signatures; a paid terminal is unlocked. */
export function handPayRequest(floor: FloorRuntime, random: RandomSource, pin: string): NewRequest | undefined {
  const { terminals } = floor;
  const locked = patronTerminals(floor).filter((name) => terminals.lockedBy(name) !== null);
  const name = pick(locked, random);
  if (name === undefined) return undefined;
  const amount = terminals.handPayOwed(name);
  if (amount === 0) return terminal(name, { type: 'UnlockTerminal', reason: 'paid' });
  if (Object.keys(terminals.signedAt(name)).length > 0 && !oneIn(random, 4)) return undefined;
  const second = { number: oneIn(random, 6) ? 'D-1' : 'M-1', pin };
  if (oneIn(random, 6)) return terminal(name, { type: 'PayByHand', what: 'cancelled-credit', amount }, second);
  // One person proposes or withdraws; another signs at the same console.
  const proposed = terminals.proposedAt(name);
  if (proposed === null) return terminal(name, { type: 'ProposeHandPay', what: 'cancelled-credit', amount });
  const { id: proposal, hash } = proposed;
  if (oneIn(random, 8)) return terminal(name, { type: 'WithdrawHandPayProposal', proposal });
  return terminal(name, { type: 'ApproveHandPay', proposal, hash }, second);
}
