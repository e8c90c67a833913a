import { describe, expect, test } from 'vitest';
import { type StaffActor } from '../../../src/access/actor.ts';
import { type TableSettings } from '../../../src/table/schema/settings.ts';
import {
  type TableScenario,
  afterSettlement,
  cardsIn,
  defaultSettings,
  natural,
  openedTable,
  pitManager,
  readyTable,
  shiftManager,
  supervisor,
} from '../tableScenario.ts';

const stakes = { T1: { player: 1000 }, T2: { banker: 1000, tie: 200 } };

describe('an approval is refused as changed when what was shown has changed:', () => {
  /** Error code of the approval after a change. */
  const codeAfter = (scenario: TableScenario, change: () => void, second: StaffActor = supervisor): string => {
    const { id, hash } = scenario.table!.proposal!;
    change();
    return scenario.refusal('Approve', { proposal: id, hash }, second).refused;
  };

  test('the stakes of two terminals, with the same totals', () => {
    const scenario = readyTable('baccarat').bets(stakes).close().deal(natural);
    scenario.do('ReportIrregularity', { kind: 'wrong-order' });
    scenario.do('ReconstructRound', { cards: cardsIn('2C 9S 4D 9H'), unseen: false, reason: 'x' });
    const code = codeAfter(scenario, () => {
      const { slips } = scenario.table!.round!;
      [slips['T1'], slips['T2']] = [slips['T2']!, slips['T1']!];
    });
    expect(code).toBe('changed-proposal');
  });

  test('the settings before', () => {
    const scenario = readyTable('tiger');
    scenario.do('ChangeSettings', { settings: defaultSettings('tiger', { pause: 3_000 }) }, pitManager);
    const code = codeAfter(
      scenario,
      () => (scenario.table!.settings = { ...scenario.table!.settings, pause: 5_000 } satisfies TableSettings),
      shiftManager,
    );
    expect(code).toBe('changed-proposal');
  });

  test('the shuffle of the shoe', () => {
    const scenario = openedTable('tiger');
    scenario.do('BringShoe', { shoe: 'S1', seal: 'x' });
    scenario.do('CountCards', { cards: 416 });
    scenario.do('ShuffleShoe', { method: 'machine' });
    scenario.do('CutShoe', { behind: 16 });
    scenario.do('VerifyShoe', {});
    const code = codeAfter(scenario, () => scenario.do('ShuffleShoe', { method: 'by hand' }));
    expect(code).toBe('changed-proposal');
  });

  /** Error code of the approval after the earlier round was paid by another outcome. */
  const codeAfterOtherOutcome = (scenario: TableScenario): string =>
    codeAfter(
      scenario,
      () => {
        const [earlier] = scenario.table!.history;
        const { results } = earlier!.ending as { results: { [wager: string]: object } };
        results['player'] = { ...results['player'], pays: [2, 1] };
      },
      shiftManager,
    );

  test('the outcome by which an earlier round was paid', () => {
    const scenario = readyTable('tiger').playRound(natural, stakes);
    const first = scenario.round;
    const { slips } = structuredClone(scenario.table!.round!);
    scenario.bets();
    scenario.do('CorrectCard', { round: first, place: 4, card: '7D', reason: 'x', slips }, supervisor);
    expect(codeAfterOtherOutcome(scenario)).toBe('changed-proposal');
  });

  test('the outcome of an earlier round that is void by decision, also where the decision locks the shoe', () => {
    const scenario = readyTable('tiger').playRound(natural, stakes);
    const first = scenario.round;
    const { slips } = structuredClone(scenario.table!.round!);
    scenario.playRound(natural).do('Refer', { reason: 'x', round: first });
    scenario.do('DecideReferral', { decision: 'void', lock: true, reason: 'x', slips }, supervisor);
    expect(codeAfterOtherOutcome(scenario)).toBe('changed-proposal');
  });

  test('but not when another round has another outcome by then', () => {
    const scenario = readyTable('tiger').playRound(natural, stakes).bets(stakes).close().deal('9S 2C');
    scenario.do('CorrectCard', { round: scenario.round, place: 2, card: '3C', reason: 'x' });
    const { id, hash } = scenario.table!.proposal!;
    scenario.table!.history[0]!.ending = { voidBy: 'ETG 6.1' };
    expect(scenario.do('Approve', { proposal: id, hash }, supervisor)).toMatchObject([
      { type: 'Approved' },
      { type: 'CardCorrected' },
    ]);
  });

  test('but not when the round in play goes on, for a shortfall of an earlier gaming day', () => {
    const scenario = readyTable('tiger').playRound(natural, stakes);
    const first = scenario.round;
    const fix = { round: first, place: 4, card: '7D', reason: 'x' };
    scenario.doByTwo('CorrectCard', fix, afterSettlement, { T1: 0 });
    scenario.doByTwo('EndShoe', { seen: {} });
    scenario
      .wait(24 * 3_600_000)
      .shoe('S2')
      .bets();
    expect(scenario.table!.history.some(({ id }) => id === first)).toBe(false);
    const settled = (type: 'CollectShortfall' | 'WriteOffShortfall', stake: number) => {
      scenario.do(type, { terminal: 'T1', round: first, amount: 100, reason: 'x' }, supervisor);
      const { id: proposal, hash } = scenario.table!.proposal!;
      scenario.slip('T2', { banker: stake });
      return scenario.do('Approve', { proposal, hash, credits: { T1: 100 } }, shiftManager);
    };
    expect(settled('CollectShortfall', 100)[1]).toMatchObject({ type: 'ShortfallCollected', left: 1900 });
    expect(settled('WriteOffShortfall', 200)[1]).toMatchObject({ type: 'ShortfallWrittenOff', left: 1800 });
  });

  test('but not when credit was collected, which the approval takes into account', () => {
    const scenario = readyTable('tiger').playRound(natural, stakes);
    const fix = { round: scenario.round, place: 4, card: '7D', reason: 'x' };
    scenario.do('CorrectCard', { ...fix, credits: { T1: 2_000 } }, supervisor);
    const { id, hash } = scenario.table!.proposal!;
    expect(scenario.do('Approve', { proposal: id, hash, credits: { T1: 0 } }, shiftManager)).toContainEqual(
      expect.objectContaining({ type: 'SettlementPosted', shortfalls: { T1: 2_000 } }),
    );
  });
});
