import { expect, test } from 'vitest';
import { type Account } from '../../src/ledger/accounts.ts';
import { validationNumberFor, ticketId } from '../../src/terminal/ticketNumbers.ts';
import { type StreamSummary } from '../../src/verify/verifyStream.ts';
import { type TicketEntry, verifyTickets } from '../../src/verify/tickets.ts';

const key = 'ab'.repeat(32);
const stream = 'sg1/terminal/T7';
const salt = '7e'.repeat(16);
const ticket = ticketId(key, validationNumberFor(key, 'T7', 'c1', salt));
const issued: TicketEntry = { stream, sequence: 3, at: 100, isIssued: true, ticket, amount: 500, command: 'c1', salt };
const paid: TicketEntry = { ...issued, sequence: 4, at: 200, isIssued: false, command: 'r1', salt: undefined };

/** The problem of terminals with these ticket events and of accounts with these balances. */
function verifyMoves(
  moves: readonly TicketEntry[],
  balance: number,
  keys?: readonly string[],
  rollbacks: readonly number[] = [],
) {
  const floor = { retiredKeys: rollbacks.map((at) => ({ at, keys: 1 })) };
  const summary = { owner: { property: 'sg1', currency: 'SGD' }, tickets: moves, floor } as unknown as StreamSummary;
  const account: Account = `sg1/SGD/ticket/${ticket}`;
  const balances = {
    accounts: [account, 'sg1/SGD/cage/T7' as Account],
    of: (one: Account) => (one === account ? balance : 7),
  };
  return verifyTickets(new Map([[stream, summary]]), balances, keys);
}

test('verify counts issued, paid and outstanding tickets', () => {
  expect(verifyMoves([issued], 500)).toEqual({ issued: 500, paid: 0, outstanding: 500 });
  expect(verifyMoves([issued, paid], 0, [key])).toEqual({ issued: 500, paid: 500, outstanding: 0 });
});

test.each([
  [
    'issued twice',
    [issued, { ...issued, sequence: 9 }],
    500,
    /Entry 9 .* issues the ticket .*, which entry 3 of .* also issues/,
  ],
  [
    'paid twice',
    [issued, paid, { ...paid, sequence: 9 }],
    0,
    /Entry 9 .* pays the ticket .*, which entry 4 of .* also pays/,
  ],
  ['paid in part', [issued, { ...paid, amount: 400 }], 100, /pays 400 for the ticket .* issued for 500/],
  ['paid and never issued', [paid], 0, /pays 500 for the ticket .* never issued/],
  ['left with less than it is worth', [issued], 400, /has the balance 400, but its ticket is worth 500/],
  ['left with something after it was paid', [issued, paid], 1, /has the balance 1, but its ticket is worth 0/],
] as const)('verify finds a ticket that is %s', (_, moves, balance, problem) => {
  expect(() => verifyMoves(moves, balance)).toThrow(problem);
});

test('verify finds a payment of a ticket issued before a rollback', () => {
  expect(() => verifyMoves([issued, paid], 0, undefined, [50, 150])).toThrow(
    /Entry 4 .* pays the ticket .*, which was blocked at terminals when the event store was rolled back/,
  );
  const whole = { issued: 500, paid: 500, outstanding: 0 };
  expect(verifyMoves([issued, paid], 0, undefined, [50, 250])).toEqual(whole);
  // At the cage, staff have checked it.
  const atCage = { ...paid, stream: `sg1/terminal/cage-${ticket}` };
  expect(verifyMoves([issued, atCage], 0, undefined, [150])).toEqual(whole);
});

test('verify finds a ticket without its account', () => {
  const summary = { owner: { property: 'sg1', currency: 'SGD' }, tickets: [issued] } as unknown as StreamSummary;
  expect(() => verifyTickets(new Map([[stream, summary]]), { accounts: [], of: () => 0 }, undefined)).toThrow(
    'Tickets for 500 were issued and for 0 paid, but 0 is outstanding.',
  );
});

test('verify with the keys finds a ticket without validation number', () => {
  expect(() => verifyMoves([issued], 500, ['cd'.repeat(32)])).toThrow('which belongs to no validation number');
  for (const other of [{ command: 'c2' }, { salt: 'e7'.repeat(16) }, { salt: undefined }]) {
    expect(() => verifyMoves([{ ...issued, ...other }], 500, [key])).toThrow('which belongs to no validation number');
  }
});
