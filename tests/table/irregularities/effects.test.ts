import { type StaffActor } from '../../../src/access/actor.ts';
import { expect, test } from 'vitest';
import { rulebooks } from '../../../src/games/rulebooks.ts';
import { type RulingEffect, type IrregularityKind } from '../../../src/games/irregularities.ts';
import { approvalRules } from '../../../src/access/approvalRules.ts';
import { games } from '../../../src/games/registry.ts';
import { type TableDecision } from '../../../src/table/decide/decision.ts';
import {
  type TableScenario,
  cardsIn,
  dealer,
  pitManager,
  readyTable,
  shiftManager,
  supervisor,
} from '../tableScenario.ts';

// The effects in a rulebook's table of irregularities on round, money, shoe and roles are what really happens.

const staff: readonly StaffActor[] = [dealer, supervisor, pitManager, shiftManager];
const personFor = (role: string): StaffActor => staff.find((person) => person.role === role)!;

/** Cards of the game's deck: P 3, B 5 after four, the Player to draw. */
const cardsFor = (deck: string): string => (deck === 'elements' ? '21 32 A3 24' : '2S 3H AC 2D');

const reports: { readonly [K in IrregularityKind]?: string } = {
  'foreign-card': 'foreign-card',
  'extra-card': 'extra-card',
  'missing-card': 'missing-card',
  'unshuffled-cards': 'unshuffled-cards',
  'wrong-number': 'wrong-number',
  'drawn-together': 'drawn-together',
  'third-cards-together': 'drawn-together',
  'order-altered': 'order-altered',
  'too-few-cards': 'too-few-cards',
  'wrong-order': 'wrong-order',
  'unreadable-card': 'unreadable-card',
};

function reported(game: string, cards: string, kind: IrregularityKind): TableScenario {
  const all = cards.split(' ');
  const dealt = kind === 'drawn-together' ? all.slice(0, 2) : all;
  const scenario = readyTable(game)
    .bets({ T1: { player: 1000 } })
    .close()
    .deal(dealt.join(' '));
  scenario.do('ReportIrregularity', { kind: reports[kind] as never });
  expect(scenario.table!.openIrregularities[0]!.kind).toBe(kind);
  return scenario;
}

/** Allowed for the roles of the rule and refused below them. */
function applyEffect(scenario: TableScenario, effect: RulingEffect, type: never, fields: object): TableDecision {
  const rule = approvalRules[effect.approvalRule];
  if (rule.first !== 'dealer')
    expect(scenario.refusal(type, fields as never, dealer)).toMatchObject({ refused: 'not-your-role' });
  scenario.do(type, fields as never, personFor(rule.first));
  const open = scenario.table!.proposal;
  if (!('second' in rule)) return [];
  expect(
    scenario.refusal('Approve', { proposal: open!.id, hash: open!.hash }, { person: 'x', role: 'dealer' }),
  ).toMatchObject({ refused: 'not-your-role' });
  return scenario.do(
    'Approve',
    { proposal: open!.id, hash: open!.hash },
    { ...personFor(rule.second), person: 'other' },
  );
}

for (const { id, irregularities } of rulebooks) {
  const game = games.find(({ book }) => book === id)!;
  const cards = cardsFor(game.deck);
  for (const kind of Object.keys(reports) as IrregularityKind[]) {
    const { rulings, by } = irregularities[kind];
    for (const [ruling, effect] of Object.entries(rulings)) {
      test(`[READING 46] ${id}: ${kind}, ${ruling}: the round ${effect.round}, money ${effect.money}, shoe ${effect.shoe}`, () => {
        const scenario = reported(game.id, cards, kind);
        expect(scenario.table!.openIrregularities[0]!.by).toBe(by);
        const reason = { reason: 'as told' };
        const before = scenario.table!.round!.cards;
        if (ruling === 'void') applyEffect(scenario, effect, 'VoidRound' as never, reason);
        if (ruling === 'reconstruct')
          applyEffect(scenario, effect, 'ReconstructRound' as never, { ...reason, cards: before, unseen: false });
        if (ruling === 'restore') applyEffect(scenario, effect, 'RestoreOrder' as never, reason);
        if (ruling === 'enter')
          applyEffect(scenario, effect, 'EnterCard' as never, { ...reason, slot: 'P3', card: before[0] });
        if (ruling === 'correct')
          applyEffect(scenario, effect, 'CorrectCard' as never, {
            ...reason,
            round: scenario.round,
            place: 1,
            card: before[1],
          });
        expect(scenario.table!.openIrregularities).toEqual([]);
        expect(scenario.table!.shoe!.lockedBy !== null).toBe(effect.shoe === 'locked');
        expect(scenario.balance('T1')).toBe(effect.money === 'returned' ? 0 : -1000);
        const { ending } = scenario.table!.round!;
        if (effect.round === 'void') expect(ending).toEqual({ voidBy: effect.by });
        else {
          expect(ending).toBeNull();
          const last = scenario.entries.at(-1)!.event as unknown as { by?: string; byEye?: string };
          expect(last.byEye ?? last.by).toBe(effect.by);
        }
      });
    }
  }

  test(`[READING 46] ${id}: a logged irregularity stops nothing, and the others are referred or computed by their rule`, () => {
    const {
      'face-up-after': up,
      'cutting-card': cut,
      'withdrawn-wager': taken,
      'terminals-lost': lost,
      interruption,
    } = irregularities;
    const scenario = readyTable(game.id)
      .bets({ T1: { player: 1000 } })
      .close()
      .deal(cards.split(' ')[0]!);
    const firstEvent = (events: readonly object[]) => events[0];
    expect(firstEvent(scenario.do('ReportIrregularity', { kind: 'face-up-card' }))).toMatchObject({
      by: up.by,
      stops: up.stops,
    });
    expect(firstEvent(scenario.do('ReportCuttingCard', {}))).toMatchObject({ by: cut.by });
    expect(
      firstEvent(scenario.do('ReportWager', { kind: 'withdrawn-wager', place: 'x', wager: 'tie', amount: 100 })),
    ).toMatchObject({ by: taken.by });
    expect(firstEvent(scenario.do('ReportTerminals', { terminals: ['T1'], disconnected: true }))).toMatchObject({
      by: lost.by,
    });
    const stopped = readyTable(game.id).bets({ T1: { player: 1000 } });
    const { void: voided, resume } = interruption.rulings;
    expect(firstEvent(stopped.do('ReportInterruption', { since: 0, stateLost: true }))).toMatchObject({
      by: interruption.by,
    });
    const confirmed = stopped.do('ConfirmRuling', {}, personFor(approvalRules[voided!.approvalRule].first));
    expect(firstEvent(confirmed)).toMatchObject({ by: voided!.by });
    expect([stopped.balance('T1'), stopped.table!.shoe!.lockedBy]).toEqual([0, null]);
    const resumed = readyTable(game.id).bets().close().deal(cards);
    resumed.do('ReportInterruption', { since: 0, stateLost: true });
    if (resumed.table!.phase === 'dealing') resumed.confirmFelt();
    expect(firstEvent(resumed.do('ConfirmRuling', {}, supervisor))).toMatchObject({
      type: 'RoundResumed',
      by: resume!.by,
    });
    const scan = readyTable(game.id).bets().close().deal(cards);
    const fix = { round: scan.round, place: 1, card: cardsIn(cards)[1]!, reason: 'x' };
    expect(scan.doByTwo('CorrectCard', fix)[1]).toMatchObject({ by: irregularities['mis-scan'].by });
    expect(firstEvent(scan.do('Refer', { reason: 'x' }))).toMatchObject({ by: irregularities['anything-else'].by });
    const up1 = readyTable(game.id).bets();
    expect(firstEvent(up1.do('ReportIrregularity', { kind: 'face-up-card' }))).toMatchObject({
      by: irregularities['face-up-before'].by,
    });
    up1.do('DecideReferral', { decision: 'burn', reason: 'x' }, shiftManager);
    expect(up1.doByTwo('BurnCard', { card: cardsIn(cards)[0]!, reason: 'x' })[1]).toMatchObject({
      by: irregularities['face-up-before'].rulings.burn!.by,
    });
  });
}
