import { expect, test } from 'vitest';
import { Feed } from '../../src/server/feed.ts';
import { type StoredEntry } from '../../src/store/store.ts';
import { changed } from '../../src/wire/changes.ts';
import { type ServerMessageOf, serverMessages } from '../../src/wire/messages.ts';
import { lengthened } from '../../src/wire/proofs.ts';
import { nextSlot } from '../../src/rules/play.ts';
import { type Slips } from '../../src/table/declare/kinds.ts';
import { type Sitting, type VirtualShoe, at, floor } from '../table/sitting.ts';

/** The entries of a sitting from a place on, as a record has them. */
const recorded = (sit: Sitting, from = 0): readonly StoredEntry[] =>
  sit.entries
    .map((entry, place) => ({ ...structuredClone(entry), sequence: place + 1 }) as unknown as StoredEntry)
    .slice(from);

const feedOf = (sit: Sitting): Feed =>
  new Feed({ table: structuredClone(sit.table!), sequence: sit.entries.length }, recorded(sit));

/** Deals a round from a virtual shoe to its end. */
function dealt(sit: Sitting, shoe: VirtualShoe, slips: Slips = {}): void {
  sit.bets(slips).close();
  for (;;) {
    const slot = nextSlot(sit.table!.round!.cards);
    if (slot === undefined) break;
    sit.do('DealCard', { slot, ...shoe.at(sit.table!.shoe!.drawn) });
  }
  sit.settle();
  while (sit.table!.jobs.length > 0) sit.do('PostSettlement', {}, floor);
}

type Whole = ServerMessageOf<'table'>;
type Told = ServerMessageOf<'change'>;

test('the changes of a shoe, entry by entry, lead to what is sent as a whole', () => {
  const sit = at('tiger', { dealing: 'virtual' });
  const shoe = sit.virtualShoe('9S 2C 9H 4D KC QD 7S 5H 9C');
  const feed = feedOf(sit);
  let seen = sit.entries.length;
  let page = (JSON.parse(feed.whole()) as Whole).view;
  let tile = feed.tile;
  for (let n = 0; n < 12; n++) dealt(sit, shoe, { T1: { tie: 100 } });
  const sizes: number[] = [];
  for (const entry of recorded(sit, seen)) {
    seen += 1;
    feed.add([entry]);
    const text = feed.change();
    if (text === undefined) continue;
    const told = JSON.parse(text) as Told;
    expect(serverMessages.change.check(told)).toBeUndefined();
    expect(told.version).toBe(feed.version);
    page = changed(page, told);
    const whole = JSON.parse(feed.whole()) as Whole;
    expect(serverMessages.table.check(whole)).toBeUndefined();
    expect(page).toEqual(whole.view);
    tile = changed(tile, feed.tileChange() ?? {});
    expect(tile).toEqual(feed.tile);
    expect(tile).toMatchObject({ phase: page.phase, big: page.big });
    if (entry.event.type !== 'CardDealt') continue;
    expect(told.lists?.cards?.items).toHaveLength(1);
    expect(told.lists).not.toHaveProperty('big');
    sizes.push(Buffer.byteLength(text));
  }
  expect(page.bead).toHaveLength(12);
  expect(lengthened(page.cards)).toEqual(
    sit.table!.round!.cards.map((card, place) => ({ card, ...sit.table!.round!.proofs[place] })),
  );
  // The first card of a round has its whole proof; the others share most of it.
  expect(Math.max(...sizes)).toBeLessThan(1000);
  expect(sizes.toSorted((a, b) => a - b)[sizes.length >> 1]).toBeLessThan(500);
});

test('a feed is told every entry once and in order: what it has seen is passed over, and a gap is a fault', () => {
  const sit = at('tiger').shoe();
  const feed = feedOf(sit);
  const seen = sit.entries.length;
  sit.bets({ T1: { tie: 100 } }).slip('T2', { banker: 200 });
  const entries = recorded(sit);
  expect(feed.add(entries.slice(0, seen))).toEqual({ holders: new Set(), turned: false, stakesOnly: true });
  expect(feed.change()).toBeUndefined();
  expect(() => feed.add(entries.slice(seen + 1))).toThrow('entry by entry');
  expect(feed.add(entries)).toEqual({ holders: new Set(['T1', 'T2']), turned: true, stakesOnly: false });
  expect((JSON.parse(feed.change()!) as Told).fields?.staked).toEqual({
    tie: { stake: 100, bettors: 1 },
    banker: { stake: 200, bettors: 1 },
  });
});

test('a feed reads no event of a form that it does not know, neither at its beginning nor later', () => {
  const sit = at('tiger').shoe();
  const feed = feedOf(sit);
  const seen = sit.entries.length;
  sit.bets({ T1: { tie: 100 } });
  const [next] = recorded(sit, seen);
  const newer = { ...next!, event: { ...next!.event, v: 2 } };
  const message = `${newer.event.type} is of version 2, and this program knows versions up to 1`;
  expect(() => feed.add([newer])).toThrow(message);
  const stand = { table: structuredClone(sit.table!), sequence: sit.entries.length };
  expect(() => new Feed(stand, [newer])).toThrow(message);
});

test('what is told does not follow the table that decides', () => {
  const sit = at('tiger').shoe().bets();
  const feed = feedOf(sit);
  const before = feed.whole();
  sit.slip('T1', { tie: 100 });
  sit.close().deal('9S 2C');
  expect(feed.change()).toBeUndefined();
  expect(feed.whole()).toBe(before);
  expect(feed.own('T1', 'T1', 500)).toMatchObject({ slip: {}, stake: 0, credit: 500 });
});

test('stakes can be staked again in the next round, also by a feed that begins in between', () => {
  const sit = at('tiger')
    .shoe()
    .played('9S 2C 9H 4D', { T1: { tie: 100 }, T2: {} });
  while (sit.table!.jobs.length > 0) sit.do('PostSettlement', {}, floor);
  const feed = feedOf(sit);
  const seen = sit.entries.length;
  expect(feed.own('T1', 'T1', 0)).toMatchObject({ slip: { tie: 100 }, again: {}, paid: [{ wager: 'tie' }] });
  sit.bets();
  feed.add(recorded(sit, seen));
  const late = feedOf(sit);
  for (const one of [feed, late]) {
    expect(one.own('T1', 'T1', 0)).toMatchObject({ slip: {}, again: { tie: 100 }, paid: null });
    expect(one.own('T2', 'T2', 0).again).toEqual({});
  }
});

test('[HOUSE 6] a void is told until the round after it is over, also by a feed that begins in between', () => {
  const sit = at('baccarat').shoe().bets();
  const feed = feedOf(sit);
  const seen = sit.entries.length;
  sit.do('VoidRound', { reason: 'the lights went out' });
  const notices: unknown[] = [];
  const look = (): void => {
    feed.add(recorded(sit, seen));
    const told = feed.change();
    expect(told).toBeDefined();
    const { notice } = (JSON.parse(feed.whole()) as Whole).view;
    expect((JSON.parse(feedOf(sit).whole()) as Whole).view.notice).toEqual(notice);
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

test('a table that cannot go on says so', () => {
  const feed = feedOf(at('tiger').shoe());
  feed.stop();
  expect(JSON.parse(feed.change()!)).toMatchObject({ fields: { stopped: { kind: 'broken', by: null } } });
  expect(feed.tileChange()).toEqual({ fields: { stopped: 'broken' } });
  feed.halt(false);
  expect(feed.change()).toBeUndefined();
});

test('a table that cannot record says so, and no longer than that', () => {
  const feed = feedOf(at('tiger').shoe());
  feed.halt(true);
  expect(JSON.parse(feed.change()!)).toMatchObject({ fields: { stopped: { kind: 'cannot-record', by: null } } });
  expect(feed.tileChange()).toEqual({ fields: { stopped: 'cannot-record' } });
  feed.halt(false);
  expect(JSON.parse(feed.change()!)).toMatchObject({ fields: { stopped: null } });
  expect(feed.tileChange()).toEqual({ fields: { stopped: null } });
});
