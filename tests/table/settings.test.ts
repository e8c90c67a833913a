import { expect, test } from 'vitest';
import { type TableSettingsInput, parseSettings } from '../../src/table/schema/settings.ts';
import { gamingDayOf } from '../../src/table/schema/gamingDay.ts';
import { buildDealerView } from '../../src/table/views/dealerView.ts';
import { publicView } from '../../src/table/views/publicView.ts';
import {
  openedTable,
  dealer,
  floor,
  morning,
  pitManager,
  readyTable,
  shiftManager,
  TableScenario,
  supervisor,
  defaultSettings,
} from './tableScenario.ts';

const refusal = (game: string, changes: { readonly [field: string]: unknown }, now = morning) =>
  parseSettings(defaultSettings(game, changes), now);

test('parseSettings fills in every default', () => {
  expect(parseSettings(defaultSettings('tiger'), morning)).toEqual({
    ...defaultSettings('tiger'),
    game: 'tiger@2021-10-28',
    decks: 8,
    offered: Object.keys(defaultSettings('tiger').limits),
    step: 100,
    tray: [100, 500, 2500, 10_000, 50_000],
    totalMinimum: 100,
    bettingTime: 20_000,
    grace: 500,
    pause: 2_000,
    interruption: 10_000,
    roundsAfterCut: 0,
    behind: 14,
    burn: 'none',
    bets: 'terminals',
    attended: true,
    chunk: 1000,
  });
});

test('[READING 9] a chip step that could make an inexact payout is refused with the exact one', () => {
  expect(refusal('baccarat', { step: 10 })).toMatchObject({ refused: 'inexact-step', step: 20, by: 'HOUSE 10' });
  expect(refusal('super-six', { step: 1 })).toMatchObject({ refused: 'inexact-step', step: 2 });
  expect(refusal('baccarat', { step: 20 })).not.toHaveProperty('refused');
});

test('a setting that offers what its game does not have, or leaves off what it must offer, is refused', () => {
  expect(refusal('tiger', { offered: ['player', 'banker', 'tie', 'player-pair'] })).toMatchObject({
    refused: 'unknown-wager',
  });
  expect(refusal('tiger', { offered: ['player', 'banker', 'tiger'] })).toMatchObject({ refused: 'wager-not-optional' });
  expect(refusal('tiger', { game: 'lion' })).toMatchObject({ refused: 'unknown-game' });
  expect(refusal('tiger', { decks: 3 })).toMatchObject({ refused: 'bad-decks' });
});

test('[READING 23] too few cards behind the cutting card are refused: six, or twelve where a round follows it', () => {
  expect(refusal('tiger', { behind: 5 })).toMatchObject({ refused: 'too-few-behind-cut', minimum: 6, by: 'ETG 3.10' });
  expect(refusal('baccarat', { behind: 11, roundsAfterCut: 1 })).toMatchObject({ minimum: 12, by: 'HOUSE 3' });
  expect(refusal('tiger', { behind: 6 })).not.toHaveProperty('refused');
  expect(refusal('tiger', { behind: 410 })).not.toHaveProperty('refused');
  expect(refusal('tiger', { behind: 411 })).toMatchObject({ refused: 'bad-settings', field: 'behind' });
  expect(refusal('tiger', { behind: 400, burn: 'first-card' })).toMatchObject({
    refused: 'bad-settings',
    field: 'behind',
  });
});

test('[ETG preamble] a table opens only on a version that the profile approves and that is in force', () => {
  const profile = defaultSettings('tiger').profile;
  expect(refusal('tiger', { profile: { ...profile, approved: ['baccarat@1.5'] } })).toMatchObject({
    refused: 'game-not-approved',
    by: null,
  });
  expect(refusal('tiger', { profile: { ...profile, approved: [] } })).toMatchObject({ refused: 'game-not-approved' });
  const before = Date.parse('2021-10-27T23:59:59.999+08:00');
  expect(refusal('tiger', { game: 'tiger@2021-10-28' }, before)).toMatchObject({ refused: 'game-not-in-force' });
  expect(refusal('tiger', {}, before)).toMatchObject({ refused: 'game-not-in-force' });
  expect(refusal('tiger', {}, before + 1)).not.toHaveProperty('refused');
});

test('limits, tray and total minimum fit the step, the offer and exact payment', () => {
  const { limits } = defaultSettings('tiger');
  const bad = (changes: { readonly [field: string]: unknown }) => refusal('tiger', changes);
  const { tie: _tie, ...noTie } = limits;
  expect(bad({ limits: noTie })).toMatchObject({ refused: 'bad-settings', field: 'limits' });
  expect(bad({ limits: { ...limits, lion: [100, 200] } })).toMatchObject({ refused: 'bad-settings', field: 'limits' });
  for (const tie of [
    [200, 100],
    [150, 300],
    [100, 350],
    [0, 300],
    [100, 9_000_000_000_000_000],
  ]) {
    expect(bad({ limits: { ...limits, tie } })).toMatchObject({ refused: 'bad-settings', field: 'limits' });
  }
  expect(bad({ tray: [100, 250] })).toMatchObject({ refused: 'bad-settings', field: 'tray' });
  expect(bad({ totalMinimum: 150 })).toMatchObject({ refused: 'bad-settings', field: 'totalMinimum' });
});

test('fields of the wrong kind, missing or unknown are refused by name', () => {
  for (const changes of [
    { property: 'a b' },
    { currency: 'sgd' },
    { profile: {} },
    { profile: { ...defaultSettings('tiger').profile, dayStartHour: 24 } },
    { tray: [] },
    { tray: [500, 100] },
    { limits: [1] },
    { bettingTime: -1 },
    { grace: 3_600_001 },
    { roundsAfterCut: 2 },
    { burn: 'all' },
    { dealing: 'by hand' },
    { attended: 'yes' },
    { step: 0 },
  ]) {
    expect(refusal('tiger', changes)).toMatchObject({ refused: 'bad-request', by: null });
  }
  expect(refusal('tiger', { colour: 'green' })).toMatchObject({ refused: 'unknown-field' });
  const zone = { ...defaultSettings('tiger').profile, timeZone: 'Asia/Atlantis' };
  expect(refusal('tiger', { profile: zone })).toMatchObject({ refused: 'bad-settings', field: 'profile' });
});

test('[READING 48] chips on a felt are for the four live books only', () => {
  expect(refusal('tiger', { bets: 'chips' })).toMatchObject({ refused: 'bad-settings', field: 'bets' });
  expect(refusal('fabulous-4', { bets: 'chips' })).not.toHaveProperty('refused');
});

test('a table without staff has a virtual shoe and terminals', () => {
  expect(refusal('tiger', { attended: false })).toMatchObject({ refused: 'bad-settings', field: 'attended' });
  const chips = { attended: false, dealing: 'virtual', bets: 'chips' };
  expect(refusal('baccarat', chips)).toMatchObject({ refused: 'bad-settings', field: 'attended' });
  expect(refusal('tiger', { attended: false, dealing: 'virtual' })).not.toHaveProperty('refused');
});

test('a table is opened by pit manager and gaming shift manager, or by the system where it has no staff', () => {
  const settings = defaultSettings('tiger');
  const refused = (who: object, second?: object) => {
    const sit = new TableScenario();
    return sit.submit('OpenTable', { settings, ...(second && { second }) } as never, who as never);
  };
  expect(refused(pitManager)).toMatchObject({ refused: 'not-your-role', by: 'ETG 6.2' });
  expect(refused(supervisor, shiftManager)).toMatchObject({ refused: 'not-your-role' });
  expect(refused(pitManager, supervisor)).toMatchObject({ refused: 'not-your-role' });
  const real = defaultSettings('tiger', { profile: { ...settings.profile, name: 'house' } });
  expect(new TableScenario().submit('OpenTable', { settings: real }, floor)).toMatchObject({
    refused: 'not-your-role',
  });
  // A demo opens all of its tables.
  expect(refused(floor)).not.toHaveProperty('refused');
  expect(refused({ terminal: 'T1' })).toMatchObject({ refused: 'not-your-role' });
  expect(refused({ ...shiftManager }, shiftManager)).toMatchObject({ refused: 'same-person' });
  const alone = new TableScenario();
  alone.do('OpenTable', { settings: defaultSettings('tiger', { attended: false, dealing: 'virtual' }) }, floor);
  expect(alone.table!.phase).toBe('idle');
  expect(new TableScenario().refusal('OpenBets', {})).toMatchObject({ refused: 'not-open' });
  expect(new TableScenario().refusal('OpenTable', { settings: {} as TableSettingsInput }, pitManager)).toMatchObject({
    refused: 'bad-request',
  });
});

const managers = [pitManager, shiftManager] as const;

test('[READING 49] limits and timing change with no round open, by two persons', () => {
  const sit = readyTable('tiger');
  const settings = defaultSettings('tiger', { bettingTime: 5_000, totalMinimum: 300 });
  sit.bets();
  expect(sit.refusal('ChangeSettings', { settings }, pitManager)).toMatchObject({ refused: 'not-now', by: 'HOUSE 10' });
  sit.do('VoidRound', { reason: 'limits change' });
  expect(sit.refusal('ChangeSettings', { settings }, supervisor)).toMatchObject({ refused: 'not-your-role' });
  sit.doByTwo('ChangeSettings', { settings }, managers);
  expect(sit.table!.settings).toMatchObject({ bettingTime: 5_000, totalMinimum: 300 });
  expect(sit.bets().table!.round!.closesAt).toBe(sit.at + 5_000);
});

test('[READING 49] game, decks and offer change between shoes only', () => {
  const sit = readyTable('tiger');
  for (const changes of [{ decks: 6 }, { behind: 20 }, { burn: 'first-card' }, { dealing: 'scanned' }]) {
    expect(sit.refusal('ChangeSettings', { settings: defaultSettings('tiger', changes) }, pitManager)).toMatchObject({
      refused: 'not-now',
      by: 'HOUSE 10',
    });
  }
  const fresh = openedTable('tiger');
  fresh.doByTwo('ChangeSettings', { settings: defaultSettings('super-six') }, managers);
  expect(fresh.table!.settings.game).toBe('super-six@2021-10-28');
  expect(fresh.shoe().bets().do('CallClose', {})).toHaveLength(1);
});

test('a changed setting is checked like the first one; property, table and currency stay', () => {
  const sit = openedTable('tiger');
  const change = (changes: object) =>
    sit.refusal('ChangeSettings', { settings: defaultSettings('tiger', { ...changes }) }, pitManager);
  expect(change({ table: 'B2' })).toMatchObject({ refused: 'bad-settings', field: 'table', by: 'HOUSE 10' });
  expect(change({ currency: 'USD' })).toMatchObject({ field: 'currency' });
  expect(change({ step: 1 })).toMatchObject({ refused: 'inexact-step' });
  expect(sit.refusal('ChangeSettings', { settings: {} as TableSettingsInput }, dealer)).toMatchObject({
    refused: 'not-your-role',
  });
});

test('the gaming day turns at its hour also where the clock is put forward or back', () => {
  const london = { name: 'demo', version: '1', approved: [], timeZone: 'Europe/London', dayStartHour: 6 };
  const day = (time: string): string => gamingDayOf(Date.parse(time), london);
  expect(day('2026-03-29T05:59:59+01:00')).toBe('2026-03-28');
  expect(day('2026-03-29T06:00:00+01:00')).toBe('2026-03-29');
  expect(day('2026-10-25T05:59:59Z')).toBe('2026-10-24');
  expect(day('2026-10-25T06:00:00Z')).toBe('2026-10-25');
  expect(day('2026-10-26T00:30:00Z')).toBe('2026-10-25');
  expect(day('2026-03-30T00:30:00+01:00')).toBe('2026-03-29');
  expect(gamingDayOf(0, london)).toBe('1970-01-01');
});

test('a total minimum that no slip could reach is refused', () => {
  const limits = { player: [100, 500], banker: [100, 500], tie: [100, 200] };
  const offer = { offered: Object.keys(limits), limits };
  expect(refusal('tiger', { ...offer, totalMinimum: 1300 })).toMatchObject({
    refused: 'bad-settings',
    by: 'HOUSE 10',
    field: 'totalMinimum',
  });
  expect(openedTable('tiger', { ...offer, totalMinimum: 1200 }).table!.settings.totalMinimum).toBe(1200);
});

test('[HOUSE 2] a table is closed and opened again by two persons', () => {
  const sit = readyTable('tiger').bets({ T1: { tie: 100 } });
  expect(sit.refusal('CloseTable', { reason: 'x' })).toMatchObject({ refused: 'not-your-role' });
  expect(sit.refusal('ReopenTable', { reason: 'x' }, pitManager)).toMatchObject({ refused: 'already-open' });
  sit.close().deal('9S 2C 9H 4D').settle();
  expect(sit.doByTwo('CloseTable', { reason: 'the end of the night' }, managers)[1]).toMatchObject({
    type: 'TableClosed',
    reason: 'the end of the night',
  });
  expect(publicView(sit.table!).phase).toBe('closed');
  expect(buildDealerView(sit.table!).next).toEqual(['ReopenTable']);
  expect(sit.refusal('OpenBets', {})).toMatchObject({ refused: 'table-closed', by: null });
  expect(sit.refusal('CloseTable', { reason: 'x' }, pitManager)).toMatchObject({ refused: 'table-closed' });
  // Other work than rounds goes on: cards are counted, mistakes are corrected.
  sit.doByTwo('EndShoe', { seen: {} });
  sit.doByTwo('ReopenTable', { reason: 'the morning' }, managers);
  expect(publicView(sit.table!).phase).toBe('idle');
  sit.shoe('S2').bets();
});

test('[HOUSE 2] closed while a round is played, it plays that round to its end and opens no other', () => {
  const sit = readyTable('tiger').bets({ T1: { player: 1000 } });
  sit.do('CloseTable', { reason: 'the end of the night' }, pitManager);
  const { id: proposal, hash } = sit.table!.proposal!;
  // Bets and cards go on between proposal and approval.
  sit.slip('T2', { tie: 100 });
  sit.close().deal('9S');
  expect(sit.do('Approve', { proposal, hash }, shiftManager)).toMatchObject([
    { type: 'Approved' },
    { type: 'TableClosed', actor: pitManager, second: shiftManager },
  ]);
  expect(publicView(sit.table!).phase).toBe('dealing');
  sit.deal('2C 9H 4D').settle();
  expect([sit.balance('T1'), sit.balance('T2')]).toEqual([1000, -100]);
  expect(publicView(sit.table!).phase).toBe('closed');
  expect(sit.refusal('OpenBets', {})).toMatchObject({ refused: 'table-closed' });
  sit.doByTwo('ReopenTable', { reason: 'the morning' }, managers);
  sit.bets();
});

test('[HOUSE 2] closed by mistake, it is opened again while its round goes on', () => {
  const sit = readyTable('tiger').bets();
  sit.doByTwo('CloseTable', { reason: 'the wrong table' }, managers);
  sit.do('ReopenTable', { reason: 'the wrong table' }, pitManager);
  const { id: proposal, hash } = sit.table!.proposal!;
  sit.slip('T1', { player: 1000 });
  sit.do('Approve', { proposal, hash }, shiftManager);
  sit.close().deal('9S 2C 9H 4D').settle();
  expect(sit.do('OpenBets', {})).toMatchObject([{ type: 'BetsOpened', number: 2 }]);
});

test('[HOUSE 2] what was consented to is what was proposed: another reason, or a table that is closed by then, is not', () => {
  const sit = readyTable('tiger');
  sit.do('CloseTable', { reason: 'the end of the night' }, pitManager);
  const { id: proposal, hash } = sit.table!.proposal!;
  const other = `sha256:${'0'.repeat(64)}`;
  expect(sit.refusal('Approve', { proposal, hash: other }, shiftManager)).toMatchObject({
    refused: 'changed-proposal',
  });
  sit.do('ReportIrregularity', { kind: 'order-altered' });
  expect(sit.refusal('Approve', { proposal, hash }, shiftManager)).toMatchObject({ refused: 'awaiting-ruling' });
});
