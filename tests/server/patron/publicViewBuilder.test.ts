import { expect, onTestFinished, test, vi } from 'vitest';
import { PublicViewBuilder } from '../../../src/server/tables/publicViewBuilder.ts';
import { type StoredEntry } from '../../../src/store/store.ts';
import { applyDelta } from '../../../src/wire/viewDelta.ts';
import { type ServerMessageOf, serverMessageSchemas } from '../../../src/wire/messages.ts';
import { discardingMetrics } from '../../../src/metrics/metrics.ts';
import { type FloorRuntime } from '../../../src/runtime/floorRuntime.ts';
import { type TableRuntime } from '../../../src/runtime/tables/tableRuntime.ts';
import { TableViewsPublisher } from '../../../src/server/patron/tableViewsPublisher.ts';
import { type DeviceConnection } from '../../../src/server/socket/deviceConnection.ts';
import { unpackProofs } from '../../../src/wire/cardProofCodec.ts';
import { nextSlot } from '../../../src/rules/play.ts';
import { type SlipsByTerminal } from '../../../src/table/schema/fieldTypes.ts';
import {
  type TableScenario,
  type VirtualShoe,
  openedTable,
  floor,
  managers,
  shiftManager,
  supervisor,
} from '../../table/tableScenario.ts';

/** Entries of a scenario from an index on, as an event store has them. */
const storedEntries = (scenario: TableScenario, from = 0): readonly StoredEntry[] =>
  scenario.entries
    .map((entry, slot) => ({ ...structuredClone(entry), sequence: slot + 1 }) as unknown as StoredEntry)
    .slice(from);

const builderOf = (scenario: TableScenario): PublicViewBuilder =>
  new PublicViewBuilder(
    { table: structuredClone(scenario.table!), sequence: scenario.entries.length },
    storedEntries(scenario),
  );

/** Deals a whole round from a virtual shoe. */
function dealRound(scenario: TableScenario, shoe: VirtualShoe, slips: SlipsByTerminal = {}): void {
  scenario.bets(slips).close();
  for (;;) {
    const slot = nextSlot(scenario.table!.round!.cards);
    if (slot === undefined) break;
    scenario.do('DealCard', { slot, ...shoe.at(scenario.table!.shoe!.drawn) });
  }
  scenario.settle();
  while (scenario.table!.pendingSettlements.length > 0) scenario.do('PostSettlement', {}, floor);
}

type Whole = ServerMessageOf<'table'>;
type Delta = ServerMessageOf<'change'>;

test("the public view builder's deltas over a shoe lead to its full view", () => {
  const scenario = openedTable('tiger', { dealing: 'virtual' });
  const shoe = scenario.virtualShoe('9S 2C 9H 4D KC QD 7S 5H 9C');
  const builder = builderOf(scenario);
  let readCount = scenario.entries.length;
  let page = (JSON.parse(builder.fullMessage()) as Whole).view;
  let tile = builder.tile;
  for (let n = 0; n < 12; n++) dealRound(scenario, shoe, { T1: { tie: 100 } });
  const sizes: number[] = [];
  for (const entry of storedEntries(scenario, readCount)) {
    readCount += 1;
    builder.add([entry]);
    const text = builder.takeDelta();
    if (text === undefined) continue;
    const message = JSON.parse(text) as Delta;
    expect(serverMessageSchemas.change.check(message)).toBeUndefined();
    expect(message.version).toBe(builder.version);
    page = applyDelta(page, message);
    const whole = JSON.parse(builder.fullMessage()) as Whole;
    expect(serverMessageSchemas.table.check(whole)).toBeUndefined();
    expect(page).toEqual(whole.view);
    tile = applyDelta(tile, builder.takeTileDelta() ?? {});
    expect(tile).toEqual(builder.tile);
    expect(tile).toMatchObject({ phase: page.phase, results: page.results });
    if (entry.event.type !== 'CardDealt') continue;
    expect(message.lists?.cards?.items).toHaveLength(1);
    expect(message.lists).not.toHaveProperty('results');
    sizes.push(Buffer.byteLength(text));
  }
  expect(page.results).toHaveLength(12);
  expect(unpackProofs(page.cards)).toEqual(
    scenario.table!.round!.cards.map((card, slot) => ({ card, ...scenario.table!.round!.proofs[slot] })),
  );
  // The first card of a round has its whole proof; the others share most of it.
  expect(Math.max(...sizes)).toBeLessThan(1000);
  expect(sizes.toSorted((a, b) => a - b)[sizes.length >> 1]).toBeLessThan(500);
});

test('the public view builder skips entries that it has seen and asserts that none is missing', () => {
  const scenario = openedTable('tiger').shoe();
  const builder = builderOf(scenario);
  const readCount = scenario.entries.length;
  scenario.bets({ T1: { tie: 100 } }).slip('T2', { banker: 200 });
  const entries = storedEntries(scenario);
  expect(builder.add(entries.slice(0, readCount))).toEqual({
    sessions: new Set(),
    isRoundChanged: false,
    isStakesOnly: true,
    isPaid: false,
    isReviewChanged: false,
  });
  expect(builder.takeDelta()).toBeUndefined();
  expect(() => builder.add(entries.slice(readCount + 1))).toThrow('without gaps');
  expect(builder.add(entries)).toMatchObject({
    sessions: new Set(['T1', 'T2']),
    isRoundChanged: true,
    isStakesOnly: false,
  });
  expect((JSON.parse(builder.takeDelta()!) as Delta).fields?.staked).toEqual({
    tie: { stake: 100, bettors: 1 },
    banker: { stake: 200, bettors: 1 },
  });
});

test('the public view builder rejects events of an unknown version, at start and later', () => {
  const scenario = openedTable('tiger').shoe();
  const builder = builderOf(scenario);
  const readCount = scenario.entries.length;
  scenario.bets({ T1: { tie: 100 } });
  const [next] = storedEntries(scenario, readCount);
  const newer = { ...next!, event: { ...next!.event, v: 2 } };
  const message = `${newer.event.type} has version 2; this program reads versions up to 1, so use a newer program`;
  expect(() => builder.add([newer])).toThrow(message);
  const committedState = { table: structuredClone(scenario.table!), sequence: scenario.entries.length };
  expect(() => new PublicViewBuilder(committedState, [newer])).toThrow(message);
});

test('the published view does not follow the pending state', () => {
  const scenario = openedTable('tiger').shoe().bets();
  const builder = builderOf(scenario);
  const before = builder.fullMessage();
  scenario.slip('T1', { tie: 100 });
  scenario.close().deal('9S 2C');
  expect(builder.takeDelta()).toBeUndefined();
  expect(builder.fullMessage()).toBe(before);
  expect(builder.terminalTableView('T1', 'T1', 500)).toMatchObject({ slip: {}, stake: 0, credit: 500 });
});

test('stakes can be repeated in the next round, also by a builder that starts in between', () => {
  const scenario = openedTable('tiger')
    .shoe()
    .playRound('9S 2C 9H 4D', { T1: { tie: 100 }, T2: {} });
  while (scenario.table!.pendingSettlements.length > 0) scenario.do('PostSettlement', {}, floor);
  const builder = builderOf(scenario);
  const readCount = scenario.entries.length;
  expect(builder.terminalTableView('T1', 'T1', 0)).toMatchObject({
    slip: { tie: 100 },
    rebet: {},
    paid: [{ wager: 'tie' }],
  });
  scenario.bets();
  builder.add(storedEntries(scenario, readCount));
  const laterBuilder = builderOf(scenario);
  for (const one of [builder, laterBuilder]) {
    expect(one.terminalTableView('T1', 'T1', 0)).toMatchObject({ slip: {}, rebet: { tie: 100 }, paid: null });
    expect(one.terminalTableView('T2', 'T2', 0).rebet).toEqual({});
  }
});

test('[HOUSE 6] the notice of a void stays until the next round is over, also in a builder that starts in between', () => {
  const scenario = openedTable('baccarat').shoe().bets();
  const builder = builderOf(scenario);
  const readCount = scenario.entries.length;
  scenario.do('VoidRound', { reason: 'the lights went out' });
  const notices: unknown[] = [];
  const checkNotice = (): void => {
    builder.add(storedEntries(scenario, readCount));
    const message = builder.takeDelta();
    expect(message).toBeDefined();
    const { notice } = (JSON.parse(builder.fullMessage()) as Whole).view;
    expect((JSON.parse(builderOf(scenario).fullMessage()) as Whole).view.notice).toEqual(notice);
    notices.push(notice?.number);
  };
  checkNotice();
  scenario.bets();
  checkNotice();
  scenario.do('VoidRound', { reason: 'again' });
  scenario.bets();
  checkNotice();
  scenario.close().deal('9S 2C 9H 4D').settle();
  scenario.bets();
  checkNotice();
  expect(notices).toEqual([1, 1, 2, undefined]);
});

test('a stopped table shows who decides: the supervisor or, after a referral, the Gaming Shift Manager', () => {
  const scenario = openedTable('tiger').shoe().bets().close().deal('9S 2C');
  const stoppedAt = (): unknown => (JSON.parse(builderOf(scenario).fullMessage()) as Whole).view.stopped;
  scenario.do('ReportIrregularity', { kind: 'wrong-order' });
  expect(stoppedAt()).toEqual({ kind: 'wrong-order', by: 'ETG 5.7' });
  scenario.do('Refer', { reason: 'nobody agrees' });
  expect(stoppedAt()).toEqual({ kind: 'referred', by: 'ETG 6.1' });
  // A report during a referral is ruled on before the decision. [READING 59]
  scenario.do('ReportIrregularity', { kind: 'foreign-card' });
  expect(stoppedAt()).toEqual({ kind: 'foreign-card', by: 'ETG 5.1' });
});

test('a crashed table is shown as broken', () => {
  const builder = builderOf(openedTable('tiger').shoe());
  builder.markBroken();
  expect(JSON.parse(builder.takeDelta()!)).toMatchObject({ fields: { stopped: { kind: 'broken', by: null } } });
  expect(builder.takeTileDelta()).toEqual({ fields: { stopped: 'broken' } });
  builder.setPaused(false);
  expect(builder.takeDelta()).toBeUndefined();
});

test('a table is shown as cannot-record only while it cannot append', () => {
  const builder = builderOf(openedTable('tiger').shoe());
  builder.setPaused(true);
  expect(JSON.parse(builder.takeDelta()!)).toMatchObject({
    fields: { stopped: { kind: 'cannot-record', by: null } },
  });
  expect(builder.takeTileDelta()).toEqual({ fields: { stopped: 'cannot-record' } });
  builder.setPaused(false);
  expect(JSON.parse(builder.takeDelta()!)).toMatchObject({ fields: { stopped: null } });
  expect(builder.takeTileDelta()).toEqual({ fields: { stopped: null } });
});

const viewOf = (builder: PublicViewBuilder): Whole['view'] => {
  builder.takeDelta();
  return (JSON.parse(builder.fullMessage()) as Whole).view;
};

test('the previous round stays visible with its results, also in a builder that starts in between', () => {
  const scenario = openedTable('tiger')
    .shoe()
    .playRound('9S 2C 9H 4D', { T1: { tie: 100, player: 200 } });
  const builder = builderOf(scenario);
  const readCount = scenario.entries.length;
  expect(viewOf(builder)).toMatchObject({
    last: null,
    round: { winner: 'player', won: ['player', 'tiger-pair'], pushed: [], voidBy: null, settledAgain: false },
    results: ['Ppn'],
    counts: { rounds: 1, player: 1, banker: 0, tie: 0, naturals: 1, wagers: { player: 1, tie: 0, 'tiger-pair': 1 } },
  });
  expect(builder.terminalTableView('T1', 'T1', 0).last).toBeNull();
  while (scenario.table!.pendingSettlements.length > 0) scenario.do('PostSettlement', {}, floor);
  scenario.bets();
  builder.add(storedEntries(scenario, readCount));
  for (const one of [builder, builderOf(scenario)]) {
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

const mains = ['player', 'banker'];
const fourWins = ['banker-fabulous-4', 'banker-precious-pair', 'player-precious-pair'];
test.each([
  ['ETG 1.1.10', 'tiger', '9S 9C KH QD', ['tie'], mains],
  ['ETG 1.1.10', 'super-6', '9S 9C KH QD', ['tie'], [...mains, 'player-dragon-bonus', 'banker-dragon-bonus']],
  ['FAB 4.1.note', 'fabulous-4', 'AC 2H AS 2D KC', fourWins, ['banker']],
])('[%s] a push at %s on %s is shown as a push and is not counted as a win', (_, game, cards, won, pushed) => {
  const { round, counts } = viewOf(builderOf(openedTable(game).shoe().playRound(cards)));
  expect([round!.won!.toSorted(), round!.pushed!.toSorted()]).toEqual([won.toSorted(), pushed.toSorted()]);
  expect(Object.values(counts.wagers).reduce((sum, count) => sum + count, 0)).toBe(won.length);
  for (const wager of pushed) expect(counts.wagers[wager]).toBe(0);
});

test('a resettled round has a notice with its clause and shows its new result', () => {
  const scenario = openedTable('tiger').shoe().playRound('9S 2C 9H 4D');
  const builder = builderOf(scenario);
  const readCount = scenario.entries.length;
  scenario.bets();
  const { id } = scenario.table!.history.at(-1)!;
  scenario.do('CorrectCard', { round: id, place: 4, card: '7D', reason: 'misread', slips: {} }, supervisor);
  const { id: proposal, hash } = scenario.table!.proposal!;
  scenario.do('Approve', { proposal, hash, credits: {} }, shiftManager);
  builder.add(storedEntries(scenario, readCount));
  for (const one of [builder, builderOf(scenario)]) {
    expect(viewOf(one)).toMatchObject({
      notice: { kind: 'corrected', round: id, number: 1, by: scenario.events('RoundResettled')[0]!.by },
      last: { winner: 'banker', banker: { cards: ['2C', '7D'], total: 9 }, won: ['banker', 'tiger-pair'] },
      results: ['Bpn'],
    });
  }
});

test('an unattended table shows when its next bets open, while that is known', () => {
  const scenario = openedTable('tiger', { attended: false, dealing: 'virtual' });
  const committedState = () => ({ table: structuredClone(scenario.table!), sequence: scenario.entries.length });
  const opensAt = (between?: number): number | null =>
    viewOf(
      new PublicViewBuilder(committedState(), [], between === undefined ? {} : { opensAt: (since) => since + between }),
    ).opensAt;
  expect(opensAt(3_000)).toBeNull();
  scenario.virtualShoe('9S 2C 9H 4D');
  expect(opensAt(3_000)).toBe(scenario.table!.at + 3_000);
  expect(opensAt()).toBeNull();
  scenario.bets();
  expect(opensAt(3_000)).toBeNull();
});

test.each([
  ['BAC 2.2', 'baccarat', 'emerald'],
  ['ELM 2.2', 'sands-elements', 'plum'],
  ['FAB 2.2', 'fabulous-4', 'umber'],
])('[%s] a table of %s has the theme of its game unless configured; nothing else changes', (_, id, felt) => {
  const scenario = openedTable(id).shoe();
  const committedState = { table: scenario.table!, sequence: scenario.entries.length };
  const { theme, ...others } = viewOf(new PublicViewBuilder(structuredClone(committedState), []));
  expect(theme).toEqual({ felt, emblem: '' });
  const configured = { felt: 'petrol', emblem: 'Harbour' } as const;
  const { theme: own, ...rest } = viewOf(
    new PublicViewBuilder(structuredClone(committedState), [], { theme: configured }),
  );
  expect(own).toEqual(configured);
  expect(rest).toEqual(others);
});

test('the lobby tile has limits, patron count and the last hands', () => {
  const scenario = openedTable('tiger').shoe().playRound('9S 2C 9H 4D');
  const builder = builderOf(scenario);
  const readCount = scenario.entries.length;
  const { limits } = scenario.table!.settings;
  expect(builder.tile).toMatchObject({
    limits: { main: limits['player'], sides: limits['tie'] },
    patrons: 0,
    winner: 'player',
    totals: { player: 8, banker: 6 },
  });
  builder.setPatronCount(3);
  expect(builder.takeTileDelta()).toEqual({ fields: { patrons: 3 } });
  scenario.bets();
  builder.add(storedEntries(scenario, readCount));
  builder.takeDelta();
  expect(builder.takeTileDelta()).toMatchObject({ fields: { phase: 'betting', number: 2 } });
  expect(builder.tile).toMatchObject({ winner: 'player', totals: { player: 8, banker: 6 } });
});

test('[ETG layout-3] the view of a new phase is sent with its commit: only stakes wait for others', async () => {
  const scenario = openedTable('tiger', { dealing: 'virtual' });
  const shoe = scenario.virtualShoe('9S 2C 9H 4D');
  let readCount = scenario.entries.length;
  const state = structuredClone(scenario.table!);
  const processor = {
    committed: () => ({ state, sequence: readCount }),
    lastEntries: () => Promise.resolve(storedEntries(scenario)),
    canAppend: true,
  };
  const table = { id: 'B1', processor } as unknown as TableRuntime;
  const publisher = new TableViewsPublisher({
    metrics: discardingMetrics,
    displayInfoOf: () => ({}),
    warn: (subject, error) => {
      throw new Error(subject, { cause: error });
    },
    onChange: () => {},
  });
  await publisher.open({ tables: new Map([[table.id, table]]) } as unknown as FloorRuntime);
  const sent: Delta[] = [];
  const patron = { sendText: (text: Buffer) => sent.push(JSON.parse(text.toString('utf8')) as Delta) };
  publisher.subscribers(table.id).add(patron as unknown as DeviceConnection);
  dealRound(scenario, shoe, { T1: { tie: 100 } });
  scenario.bets().do('VoidRound', { reason: 'x' });
  scenario.doByTwo('EndShoe', { cards: shoe.cards, salts: shoe.salts });
  scenario.doByTwo('CloseTable', { reason: 'the end of the night' }, managers);
  onTestFinished(() => void vi.useRealTimers());
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const phases: string[] = [];
  const waiting = new Set<string>();
  for (const entry of storedEntries(scenario, readCount)) {
    readCount += 1;
    sent.length = 0;
    publisher.publish(table, [entry]);
    const atOnce = [...sent];
    vi.advanceTimersByTime(500);
    if (sent.length > atOnce.length) waiting.add(entry.event.type);
    const { phase } = (JSON.parse(publisher.builder(table.id)!.fullMessage()) as Whole).view;
    if (phase === phases.at(-1)) continue;
    phases.push(phase);
    expect(atOnce, phase).toMatchObject([{ type: 'change', fields: { phase } }]);
  }
  publisher.close();
  expect(phases).toEqual(['betting', 'closing', 'dealing', 'result', 'paying', 'idle', 'betting', 'idle', 'closed']);
  expect([...waiting]).toEqual(['SlipSet']);
});
