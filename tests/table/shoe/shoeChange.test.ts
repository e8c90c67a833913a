import { expect, test } from 'vitest';
import { cardsOfDeck } from '../../../src/rules/card.ts';
import { buildDealerView } from '../../../src/table/views/dealerView.ts';
import { buildSupervisorView } from '../../../src/table/views/supervisorView.ts';
import { type StaffActor } from '../../../src/access/actor.ts';
import { openedTable, floor, managers, natural, readyTable, supervisor, defaultSettings } from '../tableScenario.ts';

// Shoe change: declared decks, backs and inspection, and an old shoe that leaves sealed.

const others: readonly [StaffActor, StaffActor] = [
  { person: 'd2', role: 'dealer' },
  { person: 's2', role: 'supervisor' },
];
const counted = (decks = 8, deck: 'french' | 'elements' = 'french') =>
  Object.fromEntries(cardsOfDeck(deck).map((card) => [card, decks]));

test('a shoe with declared decks and backs is not ready before its inspection', () => {
  const scenario = openedTable('baccarat');
  expect(scenario.refusal('BringShoe', { shoe: 'S1', seal: 'x', decks: 6, backs: 'red' })).toMatchObject({
    refused: 'wrong-count',
    by: 'BAC 2.1',
    expected: 8,
  });
  expect(scenario.refusal('InspectCards', { match: true })).toMatchObject({ refused: 'shoe-not-ready' });
  expect(scenario.do('BringShoe', { shoe: 'S1', seal: 'x', decks: 8, backs: 'red' })).toMatchObject([
    { decks: 8, backs: 'red' },
  ]);
  expect(buildDealerView(scenario.table!)).toMatchObject({
    next: ['InspectCards', 'CountCards', 'ShuffleShoe', 'CutShoe'],
    shoe: { seal: 'x', decks: 8, backs: 'red', inspected: null },
  });
  scenario.do('CountCards', { cards: 416 });
  scenario.do('CutShoe', { behind: 14 });
  expect(scenario.refusal('VerifyShoe', {})).toMatchObject({
    refused: 'not-inspected',
    by: 'BAC 2.1',
    message: 'The cards have not been inspected; inspect them, or bring others.',
  });
  expect(scenario.do('InspectCards', { match: false, note: 'a marked six' })).toMatchObject([
    { type: 'CardsInspected', match: false, note: 'a marked six', by: 'BAC 2.1' },
  ]);
  expect(scenario.refusal('VerifyShoe', {}).message).toContain('did not pass the inspection');
  scenario.do('InspectCards', { match: true }, supervisor);
  scenario.doByTwo('VerifyShoe', {});
  expect(buildDealerView(scenario.table!).shoe).toMatchObject({ ready: true, inspected: true });
  expect(scenario.refusal('InspectCards', { match: true })).toMatchObject({ refused: 'not-now' });
  expect(openedTable('baccarat', { dealing: 'virtual' }).refusal('InspectCards', { match: true })).toMatchObject({
    refused: 'not-here',
  });
});

test('a shoe without declared decks needs no inspection; a failed one blocks it, and declared backs or decks alone need one', () => {
  expect(readyTable('baccarat').table!.shoe).toMatchObject({ inspected: null, decks: null, backs: null });
  const wrong = openedTable('baccarat');
  wrong.do('BringShoe', { shoe: 'S1', seal: 'x' });
  wrong.do('InspectCards', { match: false });
  wrong.do('CountCards', { cards: 416 });
  wrong.do('CutShoe', { behind: 14 });
  expect(wrong.refusal('VerifyShoe', {})).toMatchObject({ refused: 'not-inspected' });
  wrong.doByTwo('SealShoe', { seal: 'x' });
  wrong.do('BringShoe', { shoe: 'S2', seal: 'x', backs: 'blue' });
  wrong.do('CountCards', { cards: 416 });
  expect(wrong.refusal('VerifyShoe', {})).toMatchObject({ refused: 'not-inspected' });
  const decksAlone = openedTable('baccarat');
  decksAlone.do('BringShoe', { shoe: 'S1', seal: 'x', decks: 8 });
  decksAlone.do('CountCards', { cards: 416 });
  expect(decksAlone.refusal('VerifyShoe', {})).toMatchObject({ refused: 'not-inspected' });
});

test('[HOUSE 7] a live shoe may leave sealed; it is counted later, blind, by two persons who did not seal it', () => {
  const scenario = readyTable('baccarat').bets();
  expect(scenario.refusal('SealShoe', { seal: '88160' })).toMatchObject({ refused: 'not-now', by: 'HOUSE 7' });
  scenario.close().deal(natural).settle();
  scenario.do('SealShoe', { seal: '88159' });
  expect(buildDealerView(scenario.table!).proposal).toMatchObject({
    command: 'SealShoe',
    effects: { changes: [{ type: 'shoe-seal', seal: '88159', to: null }] },
  });
  scenario.do('SealShoe', { seal: '88160', to: 'the card room' });
  expect(buildDealerView(scenario.table!).proposal).toMatchObject({
    effects: { changes: [{ seal: '88160', to: 'the card room' }] },
  });
  expect(scenario.doByTwo('SealShoe', { seal: '88160', to: 'the card room' })[1]).toMatchObject({
    type: 'ShoeSealed',
    shoe: 'S1',
    seal: '88160',
    to: 'the card room',
    second: supervisor,
  });
  expect(buildDealerView(scenario.table!)).toMatchObject({
    shoe: null,
    next: ['BringShoe'],
    sealed: [{ shoe: 'S1', seal: '88160', to: 'the card room', since: scenario.at }],
  });
  expect(scenario.refusal('SealShoe', { seal: 'x' })).toMatchObject({ refused: 'shoe-not-ready', by: null });
  // A shoe keeps its id, also on the next gaming day.
  scenario.table!.shoes = [];
  expect(scenario.refusal('BringShoe', { shoe: 'S1', seal: 'x' })).toMatchObject({ refused: 'shoe-used' });
  // The table deals another game meanwhile.
  scenario.doByTwo('ChangeSettings', { settings: defaultSettings('sands-elements', { decks: 6 }) }, managers);
  scenario.wait(3_600_000).shoe('S2');
  const count = { shoe: 'S1', seen: { ...counted(), AC: 7, KD: 9 } };
  expect(scenario.refusal('CountSealedShoe', count)).toMatchObject({ refused: 'same-person', by: 'HOUSE 2' });
  expect(scenario.refusal('CountSealedShoe', count, supervisor)).toMatchObject({ refused: 'same-person' });
  expect(scenario.refusal('CountSealedShoe', { ...count, shoe: 'S2' }, others[0])).toMatchObject({
    refused: 'no-such-shoe',
    by: 'HOUSE 7',
  });
  expect(scenario.refusal('CountSealedShoe', { ...count, seen: { A1: 8 } }, others[0])).toMatchObject({
    refused: 'wrong-deck',
  });
  scenario.do('CountSealedShoe', count, others[0]);
  const { id, hash } = scenario.table!.proposal!;
  expect(scenario.refusal('Approve', { proposal: id, hash }, supervisor)).toMatchObject({ refused: 'same-person' });
  expect(scenario.do('Approve', { proposal: id, hash }, others[1])).toMatchObject([
    { type: 'Approved' },
    {
      type: 'SealedShoeCounted',
      shoe: 'S1',
      seal: '88160',
      expected: 416,
      seen: 416,
      extra: { KD: 1 },
      missing: { AC: 1 },
      by: 'HOUSE 7',
    },
  ]);
  expect(buildDealerView(scenario.table!).sealed).toEqual([]);
});

test('[HOUSE 7] every blind count of a shoe is on record, and the views say only that it did not agree', () => {
  const scenario = readyTable('baccarat').bets().close().deal(natural).settle();
  const wrong = { ...counted(), AC: 7, KD: 9 };
  const [event] = scenario.do('RecordCount', { shoe: 'S1', seen: wrong });
  const result = { type: 'ShoeCounted', shoe: 'S1', expected: 416, seen: 416, extra: { KD: 1 }, missing: { AC: 1 } };
  expect(event).toMatchObject({ ...result, by: 'HOUSE 7' });
  expect(scenario.do('RecordCount', { shoe: 'S1', seen: counted() })).toMatchObject([{ extra: {}, missing: {} }]);
  expect(scenario.refusal('RecordCount', { shoe: 'S9', seen: wrong })).toMatchObject({ refused: 'no-such-shoe' });
  // A count changes nothing, and the dealer learns neither the cards nor the total.
  const view = buildDealerView(scenario.table!);
  expect(view).toMatchObject({ shoe: { id: 'S1', miscounts: 1 }, phase: 'idle' });
  expect(JSON.stringify({ ...view, deck: null })).not.toMatch(/"(extra|missing)"/);
  scenario.doByTwo('SealShoe', { seal: '88160' });
  expect(scenario.refusal('RecordCount', { shoe: 'S1', seen: wrong }, supervisor)).toMatchObject({
    refused: 'same-person',
  });
  expect(scenario.refusal('RecordCount', { shoe: 'S9', seen: wrong })).toMatchObject({ refused: 'no-such-shoe' });
  expect(scenario.refusal('RecordCount', { shoe: 'S1', seen: { XX: 1 } }, others[0])).toHaveProperty('refused');
  expect(buildDealerView(scenario.table!).sealed).toMatchObject([{ shoe: 'S1', miscounts: 0 }]);
  scenario.do('RecordCount', { shoe: 'S1', seen: wrong }, others[0]);
  scenario.do('RecordCount', { shoe: 'S1', seen: wrong }, others[1]);
  expect(buildDealerView(scenario.table!).sealed).toMatchObject([{ shoe: 'S1', miscounts: 2 }]);
  // The next shoe is played meanwhile.
  scenario.shoe('S2').bets().do('RecordCount', { shoe: 'S1', seen: wrong }, others[0]);
  expect(scenario.entries.filter((entry) => entry.event.type === 'ShoeCounted')).toHaveLength(5);
  const virtual = openedTable('tiger', { dealing: 'virtual' });
  virtual.virtualShoe(natural);
  expect(virtual.refusal('RecordCount', { shoe: 'V1', seen: wrong })).toMatchObject({ refused: 'not-here' });
  const playing = readyTable('baccarat').bets();
  expect(playing.refusal('RecordCount', { shoe: 'S1', seen: wrong })).toMatchObject({ refused: 'not-now' });
});

test('a virtual shoe cannot be sealed, and sealing takes two persons', () => {
  const virtual = openedTable('tiger', { dealing: 'virtual' });
  virtual.virtualShoe(natural);
  expect(virtual.refusal('SealShoe', { seal: 'x' })).toMatchObject({ refused: 'not-here' });
  expect(buildDealerView(virtual.table!).next).toEqual(['OpenBets', 'EndShoe']);
  expect(readyTable('tiger').refusal('SealShoe', { seal: 'x' }, floor)).toMatchObject({ refused: 'not-your-role' });
});

test('[HOUSE 7] a differing closing count stays open until a pit manager records the finding; no round changes', () => {
  const [manager] = managers;
  const by = 'HOUSE 7';
  const scenario = readyTable('baccarat').bets().close().deal(natural).settle();
  const before = structuredClone(scenario.table!.round);
  scenario.doByTwo('EndShoe', { seen: { ...counted(), '7H': 7, '8S': 9 } });
  const since = scenario.at;
  expect(buildSupervisorView(scenario.table!).differences).toEqual([{ shoe: 'S1', expected: 416, seen: 416, since }]);
  expect(scenario.table!.round).toEqual(before);
  scenario.do('BringShoe', { shoe: 'S2', seal: 'x' });
  scenario.doByTwo('SealShoe', { seal: 'y' });
  scenario.do('CountSealedShoe', { shoe: 'S2', seen: { ...counted(), KS: 7 } }, others[0]);
  const { id: proposal, hash } = scenario.table!.proposal!;
  scenario.do('Approve', { proposal, hash }, others[1]);
  expect(buildSupervisorView(scenario.table!).differences).toMatchObject([{ shoe: 'S1' }, { shoe: 'S2', seen: 415 }]);
  const found = { shoe: 'S1', reason: 'two decks were mixed up' };
  expect(scenario.refusal('InvestigateCount', found, supervisor)).toMatchObject({ refused: 'not-your-role' });
  expect(scenario.do('InvestigateCount', found, manager)).toMatchObject([{ type: 'CountInvestigated', ...found, by }]);
  expect(buildSupervisorView(scenario.table!).differences).toMatchObject([{ shoe: 'S2' }]);
  expect(scenario.refusal('InvestigateCount', found, manager)).toMatchObject({ refused: 'not-now', by });
});

test('a count that agrees needs no finding', () => {
  const scenario = readyTable('baccarat').bets().close().deal(natural).settle();
  scenario.doByTwo('EndShoe', { seen: counted() });
  expect(buildSupervisorView(scenario.table!).differences).toEqual([]);
});
