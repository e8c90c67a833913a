import { expect, test } from 'vitest';
import { TablePublisher } from '../../src/server/tables/tablePublisher.ts';
import { type StoredEntry } from '../../src/store/store.ts';
import { applyDelta } from '../../src/wire/viewDelta.ts';
import { type ServerMessageOf, serverMessages } from '../../src/wire/messages.ts';
import { unpackProofs } from '../../src/wire/cardProofCodec.ts';
import { nextSlot } from '../../src/rules/play.ts';
import { type Slips } from '../../src/table/schema/fieldTypes.ts';
import {
  type TableScenario,
  type VirtualShoe,
  openedTable,
  floor,
  shiftManager,
  supervisor,
} from '../table/tableScenario.ts';

/** The entries of a sitting from a place on, as a record has them. */
const recorded = (sit: TableScenario, from = 0): readonly StoredEntry[] =>
  sit.entries
    .map((entry, place) => ({ ...structuredClone(entry), sequence: place + 1 }) as unknown as StoredEntry)
    .slice(from);

const feedOf = (sit: TableScenario): TablePublisher =>
  new TablePublisher({ table: structuredClone(sit.table!), sequence: sit.entries.length }, recorded(sit));

/** Deals a round from a virtual shoe to its end. */
function dealt(sit: TableScenario, shoe: VirtualShoe, slips: Slips = {}): void {
  sit.bets(slips).close();
  for (;;) {
    const slot = nextSlot(sit.table!.round!.cards);
    if (slot === undefined) break;
    sit.do('DealCard', { slot, ...shoe.at(sit.table!.shoe!.drawn) });
  }
  sit.settle();
  while (sit.table!.pendingSettlements.length > 0) sit.do('PostSettlement', {}, floor);
}

type Whole = ServerMessageOf<'table'>;
type Told = ServerMessageOf<'change'>;

test("the table publisher's deltas over a shoe lead to its full view", () => {
  const sit = openedTable('tiger', { dealing: 'virtual' });
  const shoe = sit.virtualShoe('9S 2C 9H 4D KC QD 7S 5H 9C');
  const feed = feedOf(sit);
  let seen = sit.entries.length;
  let page = (JSON.parse(feed.fullMessage()) as Whole).view;
  let tile = feed.tile;
  for (let n = 0; n < 12; n++) dealt(sit, shoe, { T1: { tie: 100 } });
  const sizes: number[] = [];
  for (const entry of recorded(sit, seen)) {
    seen += 1;
    feed.add([entry]);
    const text = feed.takeDelta();
    if (text === undefined) continue;
    const told = JSON.parse(text) as Told;
    expect(serverMessages.change.check(told)).toBeUndefined();
    expect(told.version).toBe(feed.version);
    page = applyDelta(page, told);
    const whole = JSON.parse(feed.fullMessage()) as Whole;
    expect(serverMessages.table.check(whole)).toBeUndefined();
    expect(page).toEqual(whole.view);
    tile = applyDelta(tile, feed.takeTileDelta() ?? {});
    expect(tile).toEqual(feed.tile);
    expect(tile).toMatchObject({ phase: page.phase, results: page.results });
    if (entry.event.type !== 'CardDealt') continue;
    expect(told.lists?.cards?.items).toHaveLength(1);
    expect(told.lists).not.toHaveProperty('results');
    sizes.push(Buffer.byteLength(text));
  }
  expect(page.results).toHaveLength(12);
  expect(unpackProofs(page.cards)).toEqual(
    sit.table!.round!.cards.map((card, place) => ({ card, ...sit.table!.round!.proofs[place] })),
  );
  // The first card of a round has its whole proof; the others share most of it.
  expect(Math.max(...sizes)).toBeLessThan(1000);
  expect(sizes.toSorted((a, b) => a - b)[sizes.length >> 1]).toBeLessThan(500);
});

test('the table publisher skips entries that it has seen and asserts that none is missing', () => {
  const sit = openedTable('tiger').shoe();
  const feed = feedOf(sit);
  const seen = sit.entries.length;
  sit.bets({ T1: { tie: 100 } }).slip('T2', { banker: 200 });
  const entries = recorded(sit);
  expect(feed.add(entries.slice(0, seen))).toEqual({
    sessions: new Set(),
    isRoundChanged: false,
    isStakesOnly: true,
    isPaid: false,
    isReviewChanged: false,
  });
  expect(feed.takeDelta()).toBeUndefined();
  expect(() => feed.add(entries.slice(seen + 1))).toThrow('without gaps');
  expect(feed.add(entries)).toMatchObject({
    sessions: new Set(['T1', 'T2']),
    isRoundChanged: true,
    isStakesOnly: false,
  });
  expect((JSON.parse(feed.takeDelta()!) as Told).fields?.staked).toEqual({
    tie: { stake: 100, bettors: 1 },
    banker: { stake: 200, bettors: 1 },
  });
});

test('the table publisher rejects events of an unknown version, at start and later', () => {
  const sit = openedTable('tiger').shoe();
  const feed = feedOf(sit);
  const seen = sit.entries.length;
  sit.bets({ T1: { tie: 100 } });
  const [next] = recorded(sit, seen);
  const newer = { ...next!, event: { ...next!.event, v: 2 } };
  const message = `${newer.event.type} is of version 2, and this program knows versions up to 1`;
  expect(() => feed.add([newer])).toThrow(message);
  const stand = { table: structuredClone(sit.table!), sequence: sit.entries.length };
  expect(() => new TablePublisher(stand, [newer])).toThrow(message);
});

test('the published view does not follow the pending state', () => {
  const sit = openedTable('tiger').shoe().bets();
  const feed = feedOf(sit);
  const before = feed.fullMessage();
  sit.slip('T1', { tie: 100 });
  sit.close().deal('9S 2C');
  expect(feed.takeDelta()).toBeUndefined();
  expect(feed.fullMessage()).toBe(before);
  expect(feed.terminalTableView('T1', 'T1', 500)).toMatchObject({ slip: {}, stake: 0, credit: 500 });
});

test('stakes can be repeated in the next round, also by a publisher that starts in between', () => {
  const sit = openedTable('tiger')
    .shoe()
    .playRound('9S 2C 9H 4D', { T1: { tie: 100 }, T2: {} });
  while (sit.table!.pendingSettlements.length > 0) sit.do('PostSettlement', {}, floor);
  const feed = feedOf(sit);
  const seen = sit.entries.length;
  expect(feed.terminalTableView('T1', 'T1', 0)).toMatchObject({
    slip: { tie: 100 },
    rebet: {},
    paid: [{ wager: 'tie' }],
  });
  sit.bets();
  feed.add(recorded(sit, seen));
  const late = feedOf(sit);
  for (const one of [feed, late]) {
    expect(one.terminalTableView('T1', 'T1', 0)).toMatchObject({ slip: {}, rebet: { tie: 100 }, paid: null });
    expect(one.terminalTableView('T2', 'T2', 0).rebet).toEqual({});
  }
});

test('[HOUSE 6] the notice of a void stays until the next round is over, also in a publisher that starts in between', () => {
  const sit = openedTable('baccarat').shoe().bets();
  const feed = feedOf(sit);
  const seen = sit.entries.length;
  sit.do('VoidRound', { reason: 'the lights went out' });
  const notices: unknown[] = [];
  const look = (): void => {
    feed.add(recorded(sit, seen));
    const told = feed.takeDelta();
    expect(told).toBeDefined();
    const { notice } = (JSON.parse(feed.fullMessage()) as Whole).view;
    expect((JSON.parse(feedOf(sit).fullMessage()) as Whole).view.notice).toEqual(notice);
    notices.push(notice?.number);
  };
  look();
  sit.bets();
  look();
  sit.do('VoidRound', { reason: 'again' });
  sit.bets();
  look();
  sit.close().deal('9S 2C 9H 4D').settle();
  sit.bets();
  look();
  expect(notices).toEqual([1, 1, 2, undefined]);
});

test('a stopped table shows who decides: the supervisor or, after a referral, the Gaming Shift Manager', () => {
  const sit = openedTable('tiger').shoe().bets().close().deal('9S 2C');
  const stoppedAt = (): unknown => (JSON.parse(feedOf(sit).fullMessage()) as Whole).view.stopped;
  sit.do('ReportIrregularity', { kind: 'wrong-order' });
  expect(stoppedAt()).toEqual({ kind: 'wrong-order', by: 'ETG 5.7' });
  sit.do('Refer', { reason: 'nobody agrees' });
  expect(stoppedAt()).toEqual({ kind: 'referred', by: 'ETG 6.1' });
  // What is reported while it is referred is ruled on before that is decided. [READING 59]
  sit.do('ReportIrregularity', { kind: 'foreign-card' });
  expect(stoppedAt()).toEqual({ kind: 'foreign-card', by: 'ETG 5.1' });
});

test('a crashed table is shown as broken', () => {
  const feed = feedOf(openedTable('tiger').shoe());
  feed.markBroken();
  expect(JSON.parse(feed.takeDelta()!)).toMatchObject({ fields: { stopped: { kind: 'broken', by: null } } });
  expect(feed.takeTileDelta()).toEqual({ fields: { stopped: 'broken' } });
  feed.setPaused(false);
  expect(feed.takeDelta()).toBeUndefined();
});

test('a table is shown as cannot-record only while it cannot append', () => {
  const feed = feedOf(openedTable('tiger').shoe());
  feed.setPaused(true);
  expect(JSON.parse(feed.takeDelta()!)).toMatchObject({ fields: { stopped: { kind: 'cannot-record', by: null } } });
  expect(feed.takeTileDelta()).toEqual({ fields: { stopped: 'cannot-record' } });
  feed.setPaused(false);
  expect(JSON.parse(feed.takeDelta()!)).toMatchObject({ fields: { stopped: null } });
  expect(feed.takeTileDelta()).toEqual({ fields: { stopped: null } });
});

const viewOf = (feed: TablePublisher): Whole['view'] => {
  feed.takeDelta();
  return (JSON.parse(feed.fullMessage()) as Whole).view;
};

test('the previous round stays visible with its results, also in a publisher that starts in between', () => {
  const sit = openedTable('tiger')
    .shoe()
    .playRound('9S 2C 9H 4D', { T1: { tie: 100, player: 200 } });
  const feed = feedOf(sit);
  const seen = sit.entries.length;
  expect(viewOf(feed)).toMatchObject({
    last: null,
    round: { winner: 'player', won: ['player', 'tiger-pair'], pushed: [], voidBy: null, settledAgain: false },
    results: ['Ppn'],
    counts: { rounds: 1, player: 1, banker: 0, tie: 0, naturals: 1, wagers: { player: 1, tie: 0, 'tiger-pair': 1 } },
  });
  expect(feed.terminalTableView('T1', 'T1', 0).last).toBeNull();
  while (sit.table!.pendingSettlements.length > 0) sit.do('PostSettlement', {}, floor);
  sit.bets();
  feed.add(recorded(sit, seen));
  for (const one of [feed, feedOf(sit)]) {
    const { round, last } = viewOf(one);
    expect(round).toMatchObject({ number: 2, won: null, pushed: null, player: { cards: [], total: 0 } });
    expect(last).toMatchObject({ number: 1, winner: 'player', player: { cards: ['9S', '9H'], total: 8 } });
    expect(one.terminalTableView('T1', 'T1', 0).last).toMatchObject({
      number: 1,
      slip: { tie: 100, player: 200 },
      paid: [
        { wager: 'tie', result: 'lose', returned: 0 },
        { wager: 'player', result: 'win', won: 200, returned: 400 },
      ],
    });
    expect(one.terminalTableView('T2', 'T2', 0).last).toBeNull();
  }
});

test('a push is shown as a push and is not counted as a win', () => {
  const sit = openedTable('tiger').shoe().playRound('9S 9C KH QD');
  const { round, counts } = viewOf(feedOf(sit));
  expect(round).toMatchObject({ winner: 'tie', won: ['tie'], pushed: ['player', 'banker'] });
  expect(counts).toMatchObject({ tie: 1, wagers: { tie: 1, player: 0, banker: 0 } });
});

test('a resettled round has a notice with its clause and shows its new result', () => {
  const sit = openedTable('tiger').shoe().playRound('9S 2C 9H 4D');
  const feed = feedOf(sit);
  const seen = sit.entries.length;
  sit.bets();
  const { id } = sit.table!.history.at(-1)!;
  sit.do('CorrectCard', { round: id, place: 4, card: '7D', reason: 'misread', slips: {} }, supervisor);
  const { id: proposal, hash } = sit.table!.proposal!;
  sit.do('Approve', { proposal, hash, credits: {} }, shiftManager);
  feed.add(recorded(sit, seen));
  for (const one of [feed, feedOf(sit)]) {
    expect(viewOf(one)).toMatchObject({
      notice: { kind: 'corrected', round: id, number: 1, by: sit.events('RoundResettled')[0]!.by },
      last: { winner: 'banker', banker: { cards: ['2C', '7D'], total: 9 }, won: ['banker', 'tiger-pair'] },
      results: ['Bpn'],
    });
  }
});

test('an unattended table shows when its next bets open, while that is known', () => {
  const sit = openedTable('tiger', { attended: false, dealing: 'virtual' });
  const stand = () => ({ table: structuredClone(sit.table!), sequence: sit.entries.length });
  const opensAt = (between?: number): number | null =>
    viewOf(new TablePublisher(stand(), [], between === undefined ? {} : { opensAt: (since) => since + between }))
      .opensAt;
  expect(opensAt(3_000)).toBeNull();
  sit.virtualShoe('9S 2C 9H 4D');
  expect(opensAt(3_000)).toBe(sit.table!.at + 3_000);
  expect(opensAt()).toBeNull();
  sit.bets();
  expect(opensAt(3_000)).toBeNull();
});

test('a table has the theme of its game unless configured; nothing else changes', () => {
  const sit = openedTable('sands-super').shoe();
  const stand = { table: sit.table!, sequence: sit.entries.length };
  const { theme, ...others } = viewOf(new TablePublisher(structuredClone(stand), []));
  expect(theme).toEqual({ felt: 'petrol', emblem: '' });
  const told = { felt: 'umber', emblem: 'Harbour' } as const;
  const { theme: own, ...rest } = viewOf(new TablePublisher(structuredClone(stand), [], { theme: told }));
  expect(own).toEqual(told);
  expect(rest).toEqual(others);
});

test('the lobby tile has limits, patron count and the last hands', () => {
  const sit = openedTable('tiger').shoe().playRound('9S 2C 9H 4D');
  const feed = feedOf(sit);
  const seen = sit.entries.length;
  const { limits } = sit.table!.settings;
  expect(feed.tile).toMatchObject({
    limits: { main: limits['player'], sides: limits['tie'] },
    patrons: 0,
    winner: 'player',
    totals: { player: 8, banker: 6 },
  });
  feed.setPatronCount(3);
  expect(feed.takeTileDelta()).toEqual({ fields: { patrons: 3 } });
  sit.bets();
  feed.add(recorded(sit, seen));
  feed.takeDelta();
  expect(feed.takeTileDelta()).toMatchObject({ fields: { phase: 'betting', number: 2 } });
  expect(feed.tile).toMatchObject({ winner: 'player', totals: { player: 8, banker: 6 } });
});
