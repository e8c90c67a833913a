import { isRefused } from '../../src/base/refusal.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cardsOfDeck } from '../../src/rules/card.ts';
import { evolve } from '../../src/table/evolve/evolve.ts';
import { type TableEvent } from '../../src/table/schema/events.ts';
import { type Table } from '../../src/table/state.ts';
import { buildSupervisorView } from '../../src/table/views/supervisorView.ts';
import { buildDealerView } from '../../src/table/views/dealerView.ts';
import { publicView, terminalView } from '../../src/table/views/publicView.ts';
import { parseTableCommand as parsed } from '../../src/table/schema/parseCommand.ts';
import { addToTableMeters, emptyTableMeters } from '../../src/ledger/meters.ts';
import { applyEventsWithPostings, tableDecider } from '../../src/deciders/deciders.ts';
import { decide } from '../../src/table/decide/decide.ts';
import { type TableCommand } from '../../src/table/schema/commands.ts';
import { type Roll, randomCommand, terminals } from './random.ts';
import { type TableSettings } from '../../src/table/schema/settings.ts';
import { ShownOptions } from './shownOptions.ts';
import { times } from '../times.ts';
import {
  TableScenario,
  openedTable,
  checkDeclared,
  deepFreeze,
  readyTable,
  shiftManager,
  type VirtualShoe,
} from './tableScenario.ts';

const begin = 5_000;

type Run = { sit: TableScenario; shoe: VirtualShoe | undefined };

let shortShoe: TableScenario | undefined;

/** A live table whose shoe of four decks holds 7 cards, since face-up cards were burned. Built once. */
function shortShoeTable(): TableScenario {
  if (shortShoe !== undefined) return shortShoe;
  const scenario = openedTable('baccarat', { decks: 4 }).shoe('S1', 6);
  for (let drawn = 0; drawn < 208 - 7; drawn++) {
    scenario.do('ReportIrregularity', { kind: 'face-up-card' });
    scenario.do('DecideReferral', { decision: 'burn', reason: 'x' }, shiftManager);
    scenario.doByTwo('BurnCard', { card: cardsOfDeck('french')[drawn % 52]!, reason: 'x' });
  }
  return (shortShoe = scenario);
}

const starts: { readonly [name: string]: () => Run } = {
  'a live table of Tiger': () => ({ sit: readyTable('tiger'), shoe: undefined }),
  'a live table of Sands Super': () => ({ sit: readyTable('sands-super', { roundsAfterCut: 1 }), shoe: undefined }),
  'a virtual table without staff': () => {
    const scenario = new TableScenario();
    scenario.at += 1;
    scenario.do('OpenTable', { settings: unattended() }, { system: 'floor' });
    return { sit: scenario, shoe: scenario.virtualShoe('9S 2C 9H 4D') };
  },
  'a virtual table with a dealer': () => {
    const scenario = openedTable('super-six', { dealing: 'virtual', chunk: 1 });
    return { sit: scenario, shoe: scenario.virtualShoe('9S 2C 9H 4D') };
  },
  'a live table that pays one slip at a time': () => ({ sit: readyTable('baccarat', { chunk: 1 }), shoe: undefined }),
  'a table near the end of its shoe': () => ({ sit: shortShoeTable(), shoe: undefined }),
  'a felt table': () => ({ sit: readyTable('baccarat', { bets: 'chips' }), shoe: undefined }),
};

function unattended(): TableSettings {
  return { ...structuredClone(openedTable('tiger').table!.settings), dealing: 'virtual', attended: false };
}

/** Checks all invariants after each command. */
function play({ sit: scenario, shoe }: Run, rolls: readonly Roll[]): void {
  const history: TableEvent[] = scenario.entries.map(({ event }) => event);
  const credits: { [terminal: string]: number } = Object.fromEntries(terminals.map((one) => [one, begin]));
  const ended = new Map<string, number>();
  const meters = emptyTableMeters();
  let stakes = 0;
  let owed = 0;
  let table = scenario.table!;
  let now = scenario.at;
  let drawnAtOpening = 0;
  for (const roll of rolls) {
    now += roll.wait;
    // A proposal keeps the credits of its context.
    const command = { ...randomCommand(roll, table, { ...credits }, shoe), at: now } as unknown as TableCommand;
    expect(parsed(command as unknown as { [field: string]: unknown })).toBe(command);
    const decision = decide(command, deepFreeze(table));
    expect(decide(command, deepFreeze(table))).toEqual(decision);
    expect(decision).not.toEqual([]);
    if (isRefused(decision)) {
      expect(decision.message).toMatch(/^\S.*[.]$/);
      checkDeclared(decision);
      continue;
    }
    let mine: Table = structuredClone(table);
    for (const event of decision) {
      if (event.type === 'SettlementPosted') {
        const before = JSON.stringify(meters);
        addToTableMeters(meters, event, mine);
        expectGrowth(JSON.parse(before), meters);
      }
      const before = mine.shoe && { id: mine.shoe.id, drawn: mine.shoe.drawn };
      const { entries, state: after } = applyEventsWithPostings(tableDecider, [event], mine);
      if (event.type === 'BetsOpened') drawnAtOpening = mine.shoe!.drawn - Number(mine.shoe!.carried);
      mine = after!;
      checkCardsOut(before, mine.shoe, event);
      if (event.type === 'RoundVoided' && isVoidByStaff(command, table)) {
        const isCardOut = mine.shoe!.drawn > drawnAtOpening;
        expect(event.second !== undefined || !isCardOut, 'two persons void with a card out').toBe(true);
      }
      for (const { from, to, amount } of entries[0]!.postings) {
        expect(Number.isSafeInteger(amount) && amount > 0).toBe(true);
        const ownerOf = (account: string): string => account.split('/', 2).join('/');
        expect(ownerOf(from), 'property and currency of both accounts').toBe(ownerOf(to));
        for (const [account, sign] of [
          [from, -1],
          [to, 1],
        ] as const) {
          const [, , kind, owner] = account.split('/');
          if (kind === 'terminal') {
            credits[owner!]! += sign * amount;
            expect(credits[owner!]).toBeGreaterThanOrEqual(0);
          } else if (kind === 'shortfall') {
            owed -= sign * amount;
          } else if (kind === 'stakes') {
            stakes += sign * amount;
            expect(stakes).toBeGreaterThanOrEqual(0);
          }
        }
      }
      history.push(event);
      if (event.type === 'RoundSettled' || event.type === 'RoundVoided') {
        ended.set(event.round, (ended.get(event.round) ?? 0) + 1);
      }
    }
    table = mine;
    if (table.phase === 'idle' && table.pendingSettlements.length === 0) expect(stakes).toBe(0);
    // The sum of shortfalls is the debit balance of the shortfall accounts.
    expect(owed).toBe(sumOf(Object.values(table.shortfalls).flatMap((rounds) => Object.values(rounds))));
    if (roll.wait % 4 !== 0) continue;
    checkViews(table);
    expect(new ShownOptions(table).all()).toEqual([]);
  }
  expect([...ended.values()].every((often) => often === 1)).toBe(true);
  for (const round of table.history) expect(ended.get(round.id)).toBe(1);
  // From the events alone, and from a snapshot plus the later events.
  const snapshot = Math.floor(history.length / 2);
  let replayed: Table | undefined;
  let restored: Table | undefined;
  for (const [n, event] of history.entries()) {
    replayed = evolve(replayed, copyOf(event));
    if (n === snapshot) restored = copyOf(replayed);
    else if (restored) restored = evolve(restored, copyOf(event));
  }
  expect(replayed).toEqual(table);
  expect(restored).toEqual(table);
}

/** The cards out are those that were seen, burned or carried; there are no more than the shoe has, and none goes back. */
function checkCardsOut(
  before: { readonly id: string; readonly drawn: number } | null,
  shoe: Table['shoe'],
  { type }: TableEvent,
): void {
  if (shoe === null) return;
  expect(shoe.drawn).toBeLessThanOrEqual(shoe.size);
  expect(sumOf(Object.values(shoe.seen)) + Number(shoe.carried)).toBeLessThanOrEqual(shoe.drawn);
  if (before?.id === shoe.id && type !== 'CardTakenBack') expect(shoe.drawn).toBeGreaterThanOrEqual(before.drawn);
}

/** True for a void that staff rule, not one that follows from a decision or from a computed ruling. */
const isVoidByStaff = (command: TableCommand, { proposal }: Table): boolean =>
  'person' in command.actor &&
  (command.type === 'Approve' ? proposal?.command.type === 'VoidRound' : command.type === 'VoidRound');

const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);

const copyOf = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** Totals of a projection that may only grow. */
function expectGrowth(before: unknown, after: unknown): void {
  if (typeof before === 'number') expect(after).toBeGreaterThanOrEqual(before);
  else if (before !== null && typeof before === 'object') {
    for (const [name, one] of Object.entries(before)) expectGrowth(one, (after as { [name: string]: unknown })[name]);
  }
}

/** No view reveals what its role may not see. */
function checkViews(table: Table): void {
  const visibleCards = new Set((table.round?.cards ?? []).concat(table.history.flatMap(({ cards }) => cards)));
  const { proposal, ...dealerView } = buildDealerView(table);
  // An open proposal shows what it does: its own cards, and whose paid money it changes.
  for (const { paid, due } of proposal?.effects.money?.rows ?? []) expect(paid).not.toBe(due);
  if (proposal?.effects.money?.paid === null) expect(proposal.effects.money.rows).toEqual([]);
  for (const view of [publicView(table), dealerView]) {
    const text = JSON.stringify(view);
    for (const terminal of terminals) expect(text.includes(`"${terminal}"`)).toBe(false);
    expect(text.includes('credit')).toBe(false);
    const salts = text.match(/"salt":"[0-9a-f]{64}"/g) ?? [];
    expect(salts.length).toBeLessThanOrEqual(table.round?.cards.length ?? 0);
    for (const [, card] of text.matchAll(/"card":"(\w\w)"/g)) expect(visibleCards.has(card as never)).toBe(true);
  }
  for (const terminal of terminals) {
    const text = JSON.stringify(terminalView(table, terminal));
    for (const other of terminals) expect(text.includes(`"${other}"`)).toBe(other === terminal);
  }
  const text = JSON.stringify(buildSupervisorView(table));
  // A card order is never visible while a round can be dealt from it.
  if (table.shoe?.root && table.shoe.lockedBy === null) expect(text.includes('"salts"')).toBe(false);
}

const roll = fc.record({
  kind: fc.nat(1000),
  actor: fc.nat(1000),
  a: fc.nat(1000),
  b: fc.nat(100_000),
  wait: fc.oneof(fc.nat(3000), fc.constant(25_000), fc.constant(0)),
});

for (const [name, start] of Object.entries(starts)) {
  test(`any commands in any order by any actor at ${name}: books balance, views reveal nothing, the event log replays`, () => {
    fc.assert(
      fc.property(fc.array(roll, { maxLength: 400, size: 'max' }), (rolls) => {
        play(start(), rolls);
      }),
      { numRuns: times(20), endOnFailure: true },
    );
  });
}
