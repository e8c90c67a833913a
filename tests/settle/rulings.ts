import { type Card } from '../../src/rules/card.ts';
import { type Fields, type StormTable } from './stormTable.ts';
import { gameOf, shiftManager, supervisor } from '../table/tableScenario.ts';

/** Plays one round, or two, in which something is wrong, up to the ruling; the table plays on by itself. */
type Ruling = (table: StormTable) => void;
type ReportedKind = Fields<'ReportIrregularity'>['kind'];

const reason = 'They saw it.';
const report = (table: StormTable, kind: ReportedKind, place?: number): void => {
  table.do('ReportIrregularity', { kind, ...(place !== undefined && { place }) });
};
const reconstruct = (cards: readonly Card[], unseen = false): Fields<'ReconstructRound'> => ({ cards, unseen, reason });
/** A deal that is complete with four cards. */
const withNatural = (table: StormTable): StormTable => {
  table.begin();
  table.dealCard(table.draw((card) => card.startsWith('9')));
  table.dealCard();
  table.dealCard(table.draw((card) => card.startsWith('T')));
  table.dealCard();
  return table;
};
/** Four cards after which Player draws: two tens for Player, and no natural of Banker. */
const withDraw = (table: StormTable): StormTable => table.begin().dealUpTo(4, (card) => /^[TA]/.test(card));
const swapped = (cards: readonly Card[]): readonly Card[] => [cards[1]!, cards[0]!, ...cards.slice(2)];

const voidWith =
  (kind: ReportedKind, count: number): Ruling =>
  (table) => {
    table.begin().dealUpTo(count);
    report(table, kind);
    table.rule('VoidRound', { reason });
  };
const voidSettled =
  (isPaidWhole: boolean): Ruling =>
  (table) => {
    table.begin().dealAll().payFirstChunk();
    if (isPaidWhole) table.post();
    report(table, 'wrong-number');
    table.ruleAfterSettlement('VoidRound', { reason, credits: table.floor.credits });
  };
const interruptedAfter =
  (
    dealSome: (table: StormTable) => StormTable,
    felt: (table: StormTable) => Fields<'ConfirmFelt'> = () => ({}),
  ): Ruling =>
  (table) => {
    dealSome(table).wait(20_000);
    table.do('ReportInterruption', { since: table.at - 20_000, stateLost: true }, { system: 'floor' });
    table.rule('ConfirmFelt', felt(table));
    table.do('ConfirmRuling', { credits: table.floor.credits }, supervisor);
  };
const decided =
  (decision: 'stand' | 'continue' | 'void'): Ruling =>
  (table) => {
    table.begin();
    if (decision === 'stand') table.dealAll();
    else table.dealUpTo(2);
    table.do('Refer', { reason });
    table.do('DecideReferral', { decision, reason }, shiftManager);
  };
const slipVoided =
  (isSettled: boolean): Ruling =>
  (table) => {
    table.begin().dealAll();
    if (isSettled) table.payFirstChunk();
    const terminal = table.patrons[0]!.session;
    table.do('Refer', { reason, round: table.round, terminal });
    const fields = { decision: 'void' as const, reason, credits: table.floor.credits };
    if (isSettled) table.ruleAfterSettlement('DecideReferral', fields);
    else table.do('DecideReferral', fields, shiftManager);
  };

/**
 * The last patron wins on Player and collects; the win turns out to be none, and the session owes it. Some of that is
 * written off. Then the win is one after all: the rest is collected from the credit, and the cage pays what is left.
 */
const shortfall: Ruling = (table) => {
  const patron = table.patrons.at(-1)!;
  const { session } = patron;
  table.do('OpenBets', {});
  table.bet(table.patrons[0]!, { player: 2_000, tie: 100 });
  table.bet(patron, { player: 5_000 });
  table.close();
  for (const rank of '8TT2') table.dealCard(table.draw((card) => card.startsWith(rank)));
  const [, ten] = table.cards;
  table.payAll();
  const { round } = table;
  const ticket = patron.collectTicket();
  table.ruleAfterSettlement(
    'CorrectCard',
    table.correction(2, (card) => card.startsWith('7')),
  );
  table.finish();
  table.ruleAfterSettlement('WriteOffShortfall', { terminal: session, round, amount: 4_000, reason });
  table.ruleAfterSettlement(
    'CorrectCard',
    table.correction(2, (card) => card === ten),
  );
  table.finish();
  const { credits } = table.floor;
  table.ruleAfterSettlement('CollectShortfall', { terminal: session, round, amount: 6_000, reason, credits });
  patron.paySession(session);
  patron.redeem(ticket);
};

export const rulings: { readonly [name: string]: Ruling } = {
  'void while bets are open': (table) => {
    table.takeBets();
    table.do('VoidRound', { reason });
  },
  'foreign card before the first': (table) => {
    table.begin();
    report(table, 'foreign-card');
    table.rule('VoidRound', { reason });
  },
  'foreign card': voidWith('foreign-card', 3),
  'missing card': voidWith('missing-card', 2),
  'unshuffled cards': voidWith('unshuffled-cards', 4),
  'extra card': voidWith('extra-card', 5),
  'altered order': voidWith('order-altered', 1),
  'too few cards': voidWith('too-few-cards', 3),
  'unreadable card': voidWith('unreadable-card', 2),
  'wrong number': voidWith('wrong-number', 4),
  'wrong order': voidWith('wrong-order', 4),
  'drawn together': voidWith('drawn-together', 2),
  'third cards drawn together': (table) => {
    withDraw(table);
    report(table, 'drawn-together');
    table.rule('VoidRound', { reason });
  },
  'drawn together in a known order': (table) => {
    table.begin().dealUpTo(2);
    report(table, 'drawn-together');
    table.rule('ReconstructRound', reconstruct([...table.cards, table.draw(), table.draw()]));
  },
  'third cards drawn together in a known order': (table) => {
    withDraw(table);
    report(table, 'drawn-together');
    table.rule('ReconstructRound', reconstruct([...table.cards, table.draw(), table.draw()]));
  },
  'wrong order reconstructed': (table) => {
    table.begin().dealAll();
    report(table, 'wrong-order');
    table.rule('ReconstructRound', reconstruct(swapped(table.cards)));
  },
  'wrong order reconstructed after settlement': (table) => {
    table.begin().dealAll().payFirstChunk();
    report(table, 'wrong-order');
    table.ruleAfterSettlement('ReconstructRound', {
      ...reconstruct(swapped(table.cards)),
      credits: table.floor.credits,
    });
  },
  'surplus card that was seen': (table) => {
    withNatural(table);
    report(table, 'wrong-number');
    table.rule('ReconstructRound', reconstruct([...table.cards, table.draw()]));
  },
  'surplus card that was not seen': (table) => {
    withNatural(table);
    report(table, 'wrong-number');
    table.rule('ReconstructRound', reconstruct(table.cards, true));
    table.payAll();
    table.playStorm();
  },
  'order restored': (table) => {
    table.begin().dealUpTo(3);
    report(table, 'order-altered');
    table.rule('RestoreOrder', { reason });
  },
  'report dismissed': (table) => {
    table.begin().dealUpTo(3);
    report(table, 'foreign-card');
    table.rule('DismissReport', { reason });
  },
  'extra card that was misread': (table) => {
    table.begin().dealUpTo(3);
    report(table, 'extra-card');
    table.rule('CorrectCard', table.correction(2));
  },
  'card taken back': (table) => {
    table.begin().dealUpTo(3);
    table.do('TakeBackCard', {});
  },
  'unreadable card entered': (table) => {
    table.begin().dealUpTo(2);
    report(table, 'unreadable-card');
    table.rule('EnterCard', { slot: 'P2', card: table.draw(), reason });
  },
  'card corrected while cards are dealt': (table) => {
    table.begin().dealUpTo(3);
    table.rule('CorrectCard', table.correction(1));
  },
  'card corrected after the last': (table) => {
    table.begin().dealAll();
    table.rule('CorrectCard', table.correction(2));
  },
  'card corrected after settlement': (table) => {
    table.playStorm();
    table.ruleAfterSettlement('CorrectCard', table.correction(1));
  },
  'card corrected so that Banker has not won': (table) => {
    table.begin();
    for (const rank of '29TT') table.dealCard(table.draw((card) => card.startsWith(rank)));
    table.payAll();
    table.ruleAfterSettlement(
      'CorrectCard',
      table.correction(1, (card) => card.startsWith('9')),
    );
  },
  'card corrected while slips are paid': (table) => {
    table.begin().dealAll().payFirstChunk();
    table.ruleAfterSettlement('CorrectCard', table.correction(3));
  },
  'card of an earlier round corrected': (table) => {
    withNatural(table).payAll();
    const { round } = table;
    const slips = table.slipsOf(round);
    table.playStorm();
    const fields = table.correction(1, (card) => card.startsWith('8'), round);
    table.ruleAfterSettlement('CorrectCard', { ...fields, slips });
  },
  'card of an earlier round corrected after the optional wagers have gone': (table) => {
    const { game, offered } = table.table!.settings;
    const { wagers } = gameOf(game);
    const fewer = offered.filter((wager) => wagers[wager]!.optional !== true);
    if (fewer.length === offered.length) return;
    withNatural(table).payAll();
    const { round } = table;
    const slips = table.slipsOf(round);
    table.changeWagers(fewer);
    table.playStorm();
    const fields = table.correction(1, (card) => card.startsWith('8'), round);
    table.ruleAfterSettlement('CorrectCard', { ...fields, slips });
    table.finish();
    table.changeWagers(offered);
  },
  'void after settlement': voidSettled(true),
  'void while slips are paid': voidSettled(false),
  'interruption before any card': interruptedAfter((table) => table.begin()),
  'interruption after two cards': interruptedAfter((table) => table.begin().dealUpTo(2)),
  'interruption after the initial deal': interruptedAfter(withDraw),
  'interruption with cards on the felt that are not recorded': interruptedAfter(
    (table) => table.begin().dealUpTo(2),
    (table) => ({ cards: [table.draw(), table.draw()], reason }),
  ),
  'interruption with a card on the felt that was not seen': interruptedAfter(withDraw, () => ({
    unseen: true,
    reason,
  })),
  'referral that stands': decided('stand'),
  'referral that continues': decided('continue'),
  'referral that voids': decided('void'),
  'slip voided': slipVoided(false),
  'slip voided after settlement': slipVoided(true),
  'shortfall written off and collected': shortfall,
  'card face up before the first': (table) => {
    table.begin();
    report(table, 'face-up-card');
    table.do('DecideReferral', { decision: 'burn', reason }, shiftManager);
    table.rule('BurnCard', { card: table.draw(), reason });
  },
};
