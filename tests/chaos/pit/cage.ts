import { type RandomSource } from '../../../src/runtime/ports/random.ts';
import { type FloorRuntime } from '../../../src/runtime/floorRuntime.ts';
import { seldom } from './acts.ts';
import { type Wish } from './worker.ts';

const pick = <T>(from: readonly T[], { below }: RandomSource): T | undefined => from[below(from.length || 1)];

const terminal = (
  name: string,
  request: { readonly type: string; readonly [field: string]: unknown },
  more = {},
): Wish => ({
  type: 'terminal',
  terminal: name,
  request,
  ...more,
});

/** Those that patrons play at. */
const patrons = ({ terminals }: FloorRuntime): readonly string[] =>
  [...terminals.names].filter((name) => name.startsWith('T'));

/** What a cashier does next: money that waits, tickets that are brought, be they paid or not, and cash for a terminal. */
export function cashierWish(
  floor: FloorRuntime,
  tickets: readonly string[],
  chance: RandomSource,
  isCalm: boolean,
): Wish | undefined {
  const { terminals } = floor;
  if (isCalm) return undefined;
  const owing = pick(
    patrons(floor).filter((name) => terminals.handPayOwed(name) > 0),
    chance,
  );
  if (owing !== undefined && seldom(chance, 2)) {
    const [signature = 1 + chance.below(3)] = Object.keys(terminals.signedAt(owing)).map(Number);
    return terminal(owing, { type: 'PaySigned', signature });
  }
  if (tickets.length > 0 && seldom(chance, 3)) {
    const number = pick(tickets, chance)!;
    // A digit is misread.
    return { type: 'pay', ticket: seldom(chance, 8) ? number.slice(1) + number[0] : number };
  }
  // What came after the end of a session, and now and then what did not.
  const isEnded = (one: { terminal: string; session: number }): boolean =>
    terminals.session(one.terminal) !== `${one.terminal}.${one.session}`;
  const held = pick(
    [...terminals.credits()].filter((one) => isEnded(one) || seldom(chance, 40)),
    chance,
  );
  if (held !== undefined && seldom(chance, 3))
    return terminal(held.terminal, { type: 'PaySession', session: held.session });
  const name = pick(patrons(floor), chance);
  if (name === undefined || !seldom(chance, 8)) return undefined;
  return terminal(name, { type: 'LoadCredit', method: 'cash', amount: 1_000 * (1 + chance.below(50)) });
}

/** What two persons sign that waits to be paid by hand; who has been paid may play on. */
export function signs(floor: FloorRuntime, chance: RandomSource, pin: string): Wish | undefined {
  const { terminals } = floor;
  const locked = patrons(floor).filter((name) => terminals.lockedBy(name) !== null);
  const name = pick(locked, chance);
  if (name === undefined) return undefined;
  const amount = terminals.handPayOwed(name);
  if (amount === 0) return terminal(name, { type: 'UnlockTerminal', reason: 'paid' });
  if (Object.keys(terminals.signedAt(name)).length > 0 && !seldom(chance, 4)) return undefined;
  const second = { number: seldom(chance, 6) ? 'D-1' : 'M-1', pin };
  if (seldom(chance, 6)) return terminal(name, { type: 'PayByHand', what: 'cancelled-credit', amount }, second);
  // One proposes, and now and then thinks better of it; another signs at the same console.
  const proposed = terminals.proposedAt(name);
  if (proposed === null) return terminal(name, { type: 'ProposeHandPay', what: 'cancelled-credit', amount });
  const { id: proposal, hash } = proposed;
  if (seldom(chance, 8)) return terminal(name, { type: 'WithdrawHandPayProposal', proposal });
  return terminal(name, { type: 'ApproveHandPay', proposal, hash }, second);
}
