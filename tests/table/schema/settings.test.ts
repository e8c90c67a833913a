import { expect, test } from 'vitest';
import { findGame, games } from '../../../src/games/registry.ts';
import { versionedGameId } from '../../../src/rules/game.ts';
import { settle } from '../../../src/rules/settle.ts';
import { isFixedDuringShoe, isFixedForTable } from '../../../src/table/decide/settings.ts';
import { type TableSettings, type TableSettingsInput, parseSettings } from '../../../src/table/schema/settings.ts';
import { gamingDayOf } from '../../../src/table/schema/gamingDay.ts';
import { buildDealerView } from '../../../src/table/views/dealerView.ts';
import { publicView } from '../../../src/table/views/publicView.ts';
import { everyOutcome } from '../../rulebook/deals.ts';
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
} from '../tableScenario.ts';

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

test('[READING 9] chips step by 1.00 unless configured, and every payout of a game at its least step is in whole cents', () => {
  const outcomes = { french: everyOutcome('french'), elements: everyOutcome('elements') };
  for (const game of games) {
    const settings = parseSettings(defaultSettings(game.id), morning);
    expect(settings, game.id).toMatchObject({ step: 100 });
    const results = (stake: number) =>
      Object.keys(game.wagers).flatMap((wager) =>
        outcomes[game.deck].map(({ facts }) => settle(game, wager, facts, stake)),
      );
    const least = [1, 2, 20].find((step) => !('refused' in refusal(game.id, { step })))!;
    for (const result of [...results(least), ...results(100)]) {
      if ('refused' in result) throw new Error(result.message);
      const { stake, won, commission, returned } = result;
      expect([won, commission, returned].every(Number.isSafeInteger)).toBe(true);
      expect(returned === 0 || returned === stake + won).toBe(true);
    }
    // At one cent less some payout would be a part of a cent, and the stake is refused.
    if (least > 1) expect(results(least - 1).some((result) => 'refused' in result)).toBe(true);
  }
});

test('settings that offer an unknown wager, or omit a required one, are refused', () => {
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

test.each(['ETG preamble', 'READING 47'])(
  '[%s] a table opens only on a version that the profile approves and that is in force',
  () => {
    const profile = defaultSettings('tiger').profile;
    expect(refusal('tiger', { profile: { ...profile, approved: ['baccarat@1.5'] } })).toMatchObject({
      refused: 'game-not-approved',
      by: null,
    });
    expect(refusal('tiger', { profile: { ...profile, approved: [] } })).toMatchObject({ refused: 'game-not-approved' });
    const before = Date.parse('2021-10-27T23:59:59.999+08:00');
    expect(refusal('tiger', { game: 'tiger@2021-10-28' }, before)).toMatchObject({ refused: 'game-not-in-force' });
    const open = (id: string, at: number, approved?: readonly string[]) => {
      const scenario = new TableScenario();
      scenario.at = at;
      const settings = defaultSettings(id, approved && { profile: { ...profile, approved } });
      return scenario.submit('OpenTable', { settings, second: shiftManager }, pitManager);
    };
    const versions = games.map(versionedGameId);
    for (const { id, book, effective } of games) {
      const first = Date.parse(`${effective}${effective.includes('T') ? ':00' : 'T00:00:00'}+08:00`);
      if (book === 'ETG') expect(first).toBe(before + 1);
      expect(open(id, first - 1), id).toMatchObject({ refused: 'game-not-in-force' });
      expect(open(id, first), id).toMatchObject([{ type: 'TableOpened' }]);
      const others = versions.filter((version) => !version.startsWith(`${id}@`));
      for (const approved of [[], others]) {
        expect(open(id, morning, approved), id).toMatchObject({ refused: 'game-not-approved' });
        // Nor does an open table change to it.
        const change = { settings: defaultSettings(id, { profile: { ...profile, approved } }) };
        expect(openedTable('tiger').refusal('ChangeSettings', change, pitManager), id).toMatchObject({
          refused: 'game-not-approved',
        });
      }
    }
  },
);

test.each(games.map((game) => [game.id, game] as const))(
  '[ETG preamble] a table of %s names its approved version, its first day, and whether its book is for terminals',
  (id, game) => {
    const isElectronic = game.book === 'ETG';
    if (isElectronic) expect(findGame(id, '2021-10-28T00:00:00')).toMatchObject({ effective: '2021-10-28' });
    const { table } = openedTable(id);
    expect(table!.settings.profile.approved).toEqual([versionedGameId(game)]);
    expect(publicView(table!).game).toMatchObject({
      version: versionedGameId(game),
      rulebook: game.book,
      electronicApproval: isElectronic,
    });
  },
);

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

test('an unattended table has a virtual shoe and terminals', () => {
  expect(refusal('tiger', { attended: false })).toMatchObject({ refused: 'bad-settings', field: 'attended' });
  const chips = { attended: false, dealing: 'virtual', bets: 'chips' };
  expect(refusal('baccarat', chips)).toMatchObject({ refused: 'bad-settings', field: 'attended' });
  expect(refusal('tiger', { attended: false, dealing: 'virtual' })).not.toHaveProperty('refused');
});

test('a table is opened by pit manager and gaming shift manager, or by the system when it is unattended', () => {
  const settings = defaultSettings('tiger');
  const refused = (who: object, second?: object) => {
    const scenario = new TableScenario();
    return scenario.submit('OpenTable', { settings, ...(second && { second }) } as never, who as never);
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

test.each(['READING 49', 'HOUSE 10'])('[%s] limits and timing change with no round open, by two persons', () => {
  const scenario = readyTable('tiger');
  const settings = defaultSettings('tiger', { bettingTime: 5_000, totalMinimum: 300 });
  scenario.bets();
  expect(scenario.refusal('ChangeSettings', { settings }, pitManager)).toMatchObject({
    refused: 'not-now',
    by: 'HOUSE 10',
  });
  scenario.do('VoidRound', { reason: 'limits change' });
  expect(scenario.refusal('ChangeSettings', { settings }, supervisor)).toMatchObject({ refused: 'not-your-role' });
  scenario.doByTwo('ChangeSettings', { settings }, managers);
  expect(scenario.table!.settings).toMatchObject({ bettingTime: 5_000, totalMinimum: 300 });
  expect(scenario.bets().table!.round!.closesAt).toBe(scenario.at + 5_000);
});

test.each(['READING 49', 'HOUSE 10'])('[%s] game, decks and offer change between shoes only', () => {
  const scenario = readyTable('tiger');
  const { tiger: _tiger, ...limits } = defaultSettings('tiger').limits;
  for (const changes of [
    { decks: 6 },
    { behind: 20 },
    { burn: 'first-card' },
    { dealing: 'scanned' },
    { offered: Object.keys(limits), limits },
  ]) {
    expect(
      scenario.refusal('ChangeSettings', { settings: defaultSettings('tiger', changes) }, pitManager),
    ).toMatchObject({
      refused: 'not-now',
      by: 'HOUSE 10',
    });
  }
  const other = { settings: defaultSettings('super-six') };
  expect(scenario.refusal('ChangeSettings', other, pitManager)).toMatchObject({ refused: 'not-now', by: 'HOUSE 10' });
  // Between shoes one of the two alone changes nothing.
  const fresh = openedTable('tiger');
  fresh.do('ChangeSettings', other, pitManager);
  expect(fresh.table!.settings.game).toBe('tiger@2021-10-28');
  fresh.doByTwo('ChangeSettings', { settings: defaultSettings('super-six') }, managers);
  expect(fresh.table!.settings.game).toBe('super-six@2021-10-28');
  expect(fresh.shoe().bets().do('CallClose', {})).toHaveLength(1);
});

test('the system replaces the settings of a demo by those of a demo, and no others', () => {
  const house = { profile: { ...defaultSettings('tiger').profile, name: 'house' } };
  const refusedTo = (scenario: TableScenario, settings: TableSettingsInput) =>
    scenario.refusal('ChangeSettings', { settings }, floor);
  const byTwo = {
    refused: 'not-your-role',
    by: 'ETG 6.2',
    message: 'A pit-manager changes the settings and a gaming-shift-manager approves them; ask them.',
  };
  const demo = openedTable('tiger');
  demo.do('ChangeSettings', { settings: defaultSettings('tiger', { bettingTime: 5_000 }) }, floor);
  expect(demo.table!.settings.bettingTime).toBe(5_000);
  expect(refusedTo(demo, {} as TableSettingsInput)).toMatchObject({ refused: 'bad-request' });
  expect(refusedTo(demo, defaultSettings('tiger', house))).toMatchObject(byTwo);
  const real = openedTable('tiger', house);
  const quicker = defaultSettings('tiger', { ...house, bettingTime: 5_000 });
  for (const settings of [quicker, defaultSettings('tiger'), {} as TableSettingsInput])
    expect(refusedTo(real, settings)).toMatchObject(byTwo);
  real.doByTwo('ChangeSettings', { settings: quicker }, managers);
  expect(real.table!.settings.bettingTime).toBe(5_000);
});

test('three settings never change, ten change between shoes, and the others between rounds', () => {
  const fields = Object.keys(openedTable('tiger').table!.settings) as (keyof TableSettings)[];
  expect(fields.filter(isFixedForTable)).toEqual(['property', 'table', 'currency']);
  expect(fields.filter(isFixedDuringShoe).toSorted()).toEqual(
    [
      'profile',
      'game',
      'decks',
      'offered',
      'roundsAfterCut',
      'behind',
      'burn',
      'dealing',
      'bets',
      'attended',
    ].toSorted(),
  );
});

test('changed settings are checked like the first ones; property, table and currency stay', () => {
  const scenario = openedTable('tiger');
  const change = (changes: object) =>
    scenario.refusal('ChangeSettings', { settings: defaultSettings('tiger', { ...changes }) }, pitManager);
  expect(change({ table: 'B2' })).toMatchObject({ refused: 'bad-settings', field: 'table', by: 'HOUSE 10' });
  expect(change({ currency: 'USD' })).toMatchObject({ field: 'currency' });
  expect(change({ step: 1 })).toMatchObject({ refused: 'inexact-step' });
  expect(scenario.refusal('ChangeSettings', { settings: {} as TableSettingsInput }, dealer)).toMatchObject({
    refused: 'not-your-role',
  });
});

test('the gaming day begins at its hour also on days with a clock change', () => {
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

test.each(['HOUSE 2', 'HOUSE 10'])('[%s] a table is closed and opened again by two persons', () => {
  const scenario = readyTable('tiger').bets({ T1: { tie: 100 } });
  expect(scenario.refusal('CloseTable', { reason: 'x' })).toMatchObject({ refused: 'not-your-role' });
  expect(scenario.refusal('ReopenTable', { reason: 'x' }, pitManager)).toMatchObject({ refused: 'already-open' });
  scenario.close().deal('9S 2C 9H 4D').settle();
  expect(scenario.doByTwo('CloseTable', { reason: 'the end of the night' }, managers)[1]).toMatchObject({
    type: 'TableClosed',
    reason: 'the end of the night',
  });
  expect(publicView(scenario.table!).phase).toBe('closed');
  expect(buildDealerView(scenario.table!).next).toEqual(['ReopenTable']);
  expect(scenario.refusal('OpenBets', {})).toMatchObject({ refused: 'table-closed', by: null });
  expect(scenario.refusal('CloseTable', { reason: 'x' }, pitManager)).toMatchObject({ refused: 'table-closed' });
  // Other work than rounds goes on: cards are counted, mistakes are corrected.
  scenario.doByTwo('EndShoe', { seen: {} });
  scenario.doByTwo('ReopenTable', { reason: 'the morning' }, managers);
  expect(publicView(scenario.table!).phase).toBe('idle');
  scenario.shoe('S2').bets();
});

test('[HOUSE 2] a table that is closed during a round plays it to its end and opens no other', () => {
  const scenario = readyTable('tiger').bets({ T1: { player: 1000 } });
  scenario.do('CloseTable', { reason: 'the end of the night' }, pitManager);
  const { id: proposal, hash } = scenario.table!.proposal!;
  // Bets and cards go on between proposal and approval.
  scenario.slip('T2', { tie: 100 });
  scenario.close().deal('9S');
  expect(scenario.do('Approve', { proposal, hash }, shiftManager)).toMatchObject([
    { type: 'Approved' },
    { type: 'TableClosed', actor: pitManager, second: shiftManager },
  ]);
  expect(publicView(scenario.table!).phase).toBe('dealing');
  scenario.deal('2C 9H 4D').settle();
  expect([scenario.balance('T1'), scenario.balance('T2')]).toEqual([1000, -100]);
  expect(publicView(scenario.table!).phase).toBe('closed');
  expect(scenario.refusal('OpenBets', {})).toMatchObject({ refused: 'table-closed' });
  scenario.doByTwo('ReopenTable', { reason: 'the morning' }, managers);
  scenario.bets();
});

test('[HOUSE 2] a table that was closed by mistake is reopened during its round', () => {
  const scenario = readyTable('tiger').bets();
  scenario.doByTwo('CloseTable', { reason: 'the wrong table' }, managers);
  scenario.do('ReopenTable', { reason: 'the wrong table' }, pitManager);
  const { id: proposal, hash } = scenario.table!.proposal!;
  scenario.slip('T1', { player: 1000 });
  scenario.do('Approve', { proposal, hash }, shiftManager);
  scenario.close().deal('9S 2C 9H 4D').settle();
  expect(scenario.do('OpenBets', {})).toMatchObject([{ type: 'BetsOpened', number: 2 }]);
});

test('[HOUSE 2] an approval is refused for another reason text, or when the table is closed by then', () => {
  const scenario = readyTable('tiger');
  scenario.do('CloseTable', { reason: 'the end of the night' }, pitManager);
  const { id: proposal, hash } = scenario.table!.proposal!;
  const other = `sha256:${'0'.repeat(64)}`;
  expect(scenario.refusal('Approve', { proposal, hash: other }, shiftManager)).toMatchObject({
    refused: 'changed-proposal',
  });
  scenario.do('ReportIrregularity', { kind: 'order-altered' });
  expect(scenario.refusal('Approve', { proposal, hash }, shiftManager)).toMatchObject({ refused: 'awaiting-ruling' });
});
