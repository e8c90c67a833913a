import { expect, test } from 'vitest';
import { type StaffActor } from '../../../src/access/actor.ts';
import { isRefused } from '../../../src/base/refusal.ts';
import { buildDealerView } from '../../../src/table/views/dealerView.ts';
import { type TableScenario, cardsIn, dealer, floor, readyTable, shiftManager, supervisor } from '../tableScenario.ts';

const stakes = { T1: { banker: 1000, tie: 100 }, T2: { player: 500 } };
const dealt = (cards: string, game = 'tiger'): TableScenario => readyTable(game).bets(stakes).close().deal(cards);

test('[READING 61] one approval covers all cards of the felt, and the ruling is computed from all of them', () => {
  const scenario = dealt('9S', 'baccarat');
  scenario.do('ReportInterruption', { since: 0, stateLost: true }, floor);
  const { drawn } = scenario.table!.shoe!;
  const cards = cardsIn('2C 9H 4D');
  expect(scenario.do('ConfirmFelt', { cards })).toMatchObject([
    {
      type: 'Proposed',
      command: { type: 'ConfirmFelt', cards },
      effects: [
        { type: 'CardDealt', slot: 'B1', card: '2C', complete: false, afterwards: true },
        { type: 'CardDealt', slot: 'P2', card: '9H', complete: false },
        { type: 'CardDealt', slot: 'B2', card: '4D', complete: true },
        { type: 'FeltConfirmed', cards: ['9S', '2C', '9H', '4D'] },
      ],
    },
  ]);
  // Nothing is on record, and nothing is computed, before the approval.
  expect(scenario.table!.round!.cards).toEqual(['9S']);
  expect(scenario.refusal('ConfirmRuling', {}, supervisor)).toMatchObject({ refused: 'felt-first' });
  const { id: proposal, hash } = scenario.table!.proposal!;
  const events = scenario.do('Approve', { proposal, hash }, supervisor);
  expect(events.map(({ type }) => type)).toEqual(['Approved', 'CardDealt', 'CardDealt', 'CardDealt', 'FeltConfirmed']);
  expect(scenario.table).toMatchObject({ phase: 'result', shoe: { drawn: drawn + 3 } });
  expect(buildDealerView(scenario.table!)).toMatchObject({
    next: ['ConfirmRuling', 'Refer'],
    stopped: { computed: { ruling: 'resume' } },
  });
  scenario.do('ConfirmRuling', {}, supervisor);
  scenario.settle();
});

test('[READING 61] a carried card that is entered from the felt does not leave the shoe again', () => {
  const scenario = dealt('9S', 'baccarat');
  scenario.do('ReportInterruption', { since: 0, stateLost: true }, floor);
  scenario.table!.shoe!.carried = true;
  const { drawn } = scenario.table!.shoe!;
  const [, first, second] = scenario.doByTwo('ConfirmFelt', { cards: cardsIn('2C 9H') });
  expect(first).toMatchObject({ type: 'CardDealt', card: '2C', carried: true });
  expect(second).not.toHaveProperty('carried');
  expect(scenario.table!.shoe).toMatchObject({ drawn: drawn + 1, carried: false });
  // Of a carried card and the last one of the shoe both can be entered, and no third.
  const last = dealt('9S', 'baccarat');
  last.do('ReportInterruption', { since: 0, stateLost: true }, floor);
  Object.assign(last.table!.shoe!, { carried: true, drawn: last.table!.shoe!.size - 1 });
  expect(last.refusal('ConfirmFelt', { cards: cardsIn('2C 9H 4D') })).toMatchObject({ refused: 'shoe-over' });
  last.doByTwo('ConfirmFelt', { cards: cardsIn('2C 9H') });
  expect(last.table!.shoe).toMatchObject({ drawn: last.table!.shoe!.size, carried: false });
});

test('each card entered from the felt counts for the next: only the one too many is an extra card', () => {
  const kindsAfter = (cards: string, seen: number): readonly string[] => {
    const scenario = dealt('9S', 'baccarat');
    scenario.do('ReportInterruption', { since: 0, stateLost: true }, floor);
    scenario.table!.shoe!.seen['KH'] = seen;
    return scenario.doByTwo('ConfirmFelt', { cards: cardsIn(cards) }).map(({ type }) => type);
  };
  const plain = ['Approved', 'CardDealt', 'CardDealt', 'FeltConfirmed'];
  const oneTooMany = ['Approved', 'CardDealt', 'CardDealt', 'IrregularityFound', 'FeltConfirmed'];
  expect(kindsAfter('KH KH', 6)).toEqual(plain);
  expect(kindsAfter('KH KH', 7)).toEqual(oneTooMany);
  expect(kindsAfter('2C KH', 8)).toEqual(oneTooMany);
});

test('cards of the felt are entered only after an interruption that two persons may still look into, with the reason given', () => {
  const scenario = dealt('9S', 'baccarat');
  const found = { cards: cardsIn('2C'), reason: 'it lay below the first' };
  expect(scenario.refusal('ConfirmFelt', found)).toMatchObject({ refused: 'no-such-ruling' });
  scenario.do('ReportInterruption', { since: 0, stateLost: true }, floor);
  scenario.do('Refer', { reason: 'a patron disagrees' });
  expect(scenario.refusal('ConfirmFelt', found)).toMatchObject({ refused: 'awaiting-decision' });
  scenario.do('DecideReferral', { decision: 'continue', reason: 'look' }, shiftManager);
  expect(scenario.doByTwo('ConfirmFelt', found).at(-1)).toMatchObject({
    type: 'FeltConfirmed',
    reason: 'it lay below the first',
  });
  expect(scenario.doByTwo('ConfirmFelt', { cards: [] }).at(-1)).not.toHaveProperty('reason');
});

test('[READING 61] dealer and supervisor enter the felt in either order, and no two dealers do', () => {
  const propose = (first: StaffActor): TableScenario => {
    const scenario = dealt('9S 2C', 'baccarat');
    scenario.do('ReportInterruption', { since: 0, stateLost: true }, floor);
    scenario.do('ConfirmFelt', { cards: ['9H'] }, first);
    return scenario;
  };
  const roleAndResult = (scenario: TableScenario, second: StaffActor): readonly unknown[] => {
    const { id: proposal, hash } = scenario.table!.proposal!;
    const role = buildDealerView(scenario.table!).proposal!.second;
    const decision = scenario.submit('Approve', { proposal, hash }, second);
    return [role, isRefused(decision) ? decision.refused : 'done'];
  };
  const otherDealer = { person: 'd9', role: 'dealer' } as const;
  expect(roleAndResult(propose(supervisor), otherDealer)).toEqual(['dealer', 'done']);
  expect(roleAndResult(propose(supervisor), supervisor)).toEqual(['dealer', 'same-person']);
  expect(roleAndResult(propose(dealer), supervisor)).toEqual(['supervisor', 'done']);
  expect(roleAndResult(propose(dealer), otherDealer)).toEqual(['supervisor', 'not-your-role']);
  // Any other ruling keeps its order.
  const scenario = dealt('9S');
  scenario.do('ReportIrregularity', { kind: 'foreign-card' });
  scenario.do('DismissReport', { reason: 'x' }, supervisor);
  expect(roleAndResult(scenario, otherDealer)).toEqual(['supervisor', 'not-your-role']);
});

test('[READING 61] the felt holds no card after a complete deal, and a card too many leads to its own irregularity', () => {
  const scenario = dealt('9S 2C', 'baccarat');
  scenario.do('ReportInterruption', { since: 0, stateLost: true }, floor);
  const afterDeal = { refused: 'card-after-deal' };
  expect(scenario.refusal('ConfirmFelt', { cards: cardsIn('9H 4D KS') })).toMatchObject(afterDeal);
  expect(scenario.refusal('ConfirmFelt', { cards: cardsIn('9H 4D'), unseen: true })).toMatchObject(afterDeal);
  scenario.table!.shoe!.seen['9H'] = scenario.table!.settings.decks - 1;
  const before = scenario.table!.shoe!.size - 1;
  scenario.table!.shoe!.drawn = before;
  expect(scenario.refusal('ConfirmFelt', { cards: cardsIn('9H 4D') })).toMatchObject({ refused: 'shoe-over' });
  scenario.table!.shoe!.drawn = 2;
  scenario.table!.shoe!.seen['9H'] = scenario.table!.settings.decks;
  const events = scenario.doByTwo('ConfirmFelt', { cards: cardsIn('9H 4D') });
  expect(events).toContainEqual(expect.objectContaining({ type: 'IrregularityFound', kind: 'extra-card' }));
  expect(scenario.table!.openIrregularities.map(({ kind }) => kind)).toEqual(['extra-card', 'interruption']);
});
