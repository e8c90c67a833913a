import { type Actor } from '../../src/access/actor.ts';
import { cardsOfDeck } from '../../src/rules/card.ts';
import { nextSlot } from '../../src/rules/play.ts';
import { type CommandName, tableCommands } from '../../src/table/schema/commands.ts';
import { reportableIrregularityKinds } from '../../src/table/schema/fieldTypes.ts';
import { nextCommands } from '../../src/table/views/nextCommands.ts';
import { gameAndRulebookOf } from '../../src/table/schema/settings.ts';
import { type Table } from '../../src/table/state.ts';
import {
  dealer,
  floor,
  pitManager,
  shiftManager,
  shuffler,
  supervisor,
  defaultSettings,
  type VirtualShoe,
} from './tableScenario.ts';

/** Random numbers behind one command. */
export type Roll = {
  readonly kind: number;
  readonly actor: number;
  readonly a: number;
  readonly b: number;
  readonly wait: number;
};

/** No card of any deck has such a name, so a view that shows a card is noticed. */
export const terminals = ['seat-1.1', 'seat-2.1', 'seat-3.1'] as const;

const everyone: readonly Actor[] = [
  dealer,
  supervisor,
  pitManager,
  shiftManager,
  { person: 'd2', role: 'dealer' },
  { person: 'd3', role: 'dealer', acting: 'supervisor', until: 1_700_100_000_000 },
  { person: 'c1', role: 'cage' },
  { person: 't1', role: 'technician' },
  { person: 'a1', role: 'auditor' },
  { person: 'x1', role: 'administrator' },
  ...terminals.map((terminal) => ({ terminal })),
  floor,
  shuffler,
];

const names = Object.keys(tableCommands) as readonly CommandName[];

/** A command of any type; two times in three one that continues the play, from an actor with authority. */
export function randomCommand(
  roll: Roll,
  table: Table,
  credits: { readonly [terminal: string]: number },
  shoe: VirtualShoe | undefined,
): { readonly type: CommandName; readonly [field: string]: unknown } {
  const { kind, a, b } = roll;
  const pick = <T>(from: readonly T[], by: number): T => from[by % from.length]!;
  const likely = likelyCommands(table);
  const type = kind % 3 === 0 ? pick(names, a) : pick(likely, a);
  const deck = cardsOfDeck(gameAndRulebookOf(table.settings).game.deck);
  const { round } = table;
  const card = pick(deck, b);
  const actor = whoFor(type, roll, table);
  const fields = (): object => {
    switch (type) {
      case 'OpenTable':
      case 'ChangeSettings':
        return {
          settings: defaultSettings(pick(['tiger', 'baccarat', 'sands-elements', 'fabulous-4'], a), {
            dealing: b % 3 === 0 ? 'keyed' : table.settings.dealing,
            bettingTime: b % 5000,
            chunk: 1 + (b % 2),
          }),
        };
      case 'BringShoe':
        return { shoe: `S${b % 40}`, seal: 'x', ...(b % 3 === 0 && { decks: b % 9 === 0 ? 6 : 8, backs: 'red' }) };
      case 'InspectCards':
        return { match: b % 5 !== 0, ...(b % 2 === 0 && { note: 'x' }) };
      case 'SealShoe':
        return { seal: 'x', ...(b % 2 === 0 && { to: 'the card room' }) };
      case 'RecordCount':
      case 'CountSealedShoe':
        return {
          shoe: pick([...table.sealed.map(({ id }) => id), 'S0'], b),
          seen: Object.fromEntries(deck.map((one) => [one, table.settings.decks])),
        };
      case 'ConfirmFelt':
        return {
          ...(a % 2 === 0 && { cards: deck.slice(0, 1 + (a % 3)) }),
          ...(b % 4 === 0 && { unseen: true }),
          ...(b % 3 === 0 && { reason: 'x' }),
        };
      case 'CallSupervisor':
        return { reason: 'x' };
      case 'AddNote':
        return { text: 'x', ...(b % 2 === 0 && { to: pick(['dealer', 'floor', 'record'], a) }) };
      case 'CountCards':
        return { cards: b % 5 === 0 ? b : gameAndRulebookOf(table.settings).size };
      case 'ShuffleShoe':
        return { method: 'machine' };
      case 'CutShoe':
        return { behind: b % 500 };
      case 'CorrectCut':
        return { behind: b % 500, reason: 'x' };
      case 'CloseTable':
      case 'ReopenTable':
        return { reason: 'x' };
      case 'CommitShoe':
        return { shoe: 'V9', root: 'a'.repeat(64) };
      case 'ChooseCutPosition':
        return { cutPosition: b % 500 };
      case 'BurnCards':
        return { card };
      case 'EndShoe':
        return shoe && b % 4 !== 0
          ? { cards: shoe.cards, salts: shoe.salts }
          : { seen: Object.fromEntries(deck.map((one) => [one, table.settings.decks])) };
      case 'ExtendBets':
        return { time: b % 3000 };
      case 'SetSlip':
        return {
          round: b % 11 === 0 ? 'sg1/B1/none' : (round?.id ?? 'none'),
          slip: slipFrom(a, b, table),
          credit: 'terminal' in actor ? (credits[actor.terminal] ?? 0) : 0,
        };
      case 'DealCard': {
        const slot = round && nextSlot(round.cards);
        const shown = shoe && table.shoe ? shoe.at(table.shoe.drawn) : { card };
        return { slot: b % 13 === 0 ? 'B3' : (slot ?? 'P1'), ...shown };
      }
      case 'Settle':
        return b % 3 === 0 ? {} : { credits };
      case 'ReportIrregularity':
        return { kind: pick(reportableIrregularityKinds, b), ...(b % 5 === 0 && { place: 1 + (b % 6) }) };
      case 'ReportWager':
        return {
          kind: pick(['late-wager', 'raised-wager', 'withdrawn-wager'], b),
          place: 'X1',
          wager: 'tie',
          amount: b,
        };
      case 'ReportInterruption':
        return { since: Math.max(0, table.at - (b % 20_000)), stateLost: b % 7 === 0 };
      case 'ReportTerminals':
        return { terminals: [pick(terminals, b)], disconnected: b % 2 === 0 };
      case 'ReconstructRound':
        return {
          // In some lists more cards have left the shoe than were recorded.
          cards: [...shuffledBy(round?.cards ?? [], b), ...deck.slice(0, a % 3)],
          unseen: b % 3 === 0,
          reason: 'x',
        };
      case 'EnterCard':
        return { slot: (round && nextSlot(round.cards)) ?? 'P1', card, reason: 'x' };
      case 'CorrectCard': {
        const old = table.history.at(-1);
        const other = b % 4 === 0 && old ? old.id : (round?.id ?? 'none');
        return { round: other, place: 1 + (b % 6), card, reason: 'x' };
      }
      case 'BurnCard':
        return { card, reason: 'x' };
      case 'VoidRound':
      case 'RestoreOrder':
      case 'DismissReport':
        return { reason: 'x' };
      case 'Refer': {
        const old = table.history.at(-1);
        return {
          reason: 'x',
          ...(b % 3 === 0 && { round: b % 2 === 0 && old ? old.id : (round?.id ?? 'none') }),
          ...(b % 5 === 0 && { terminal: pick(terminals, a) }),
        };
      }
      case 'DecideReferral': {
        const referral = pick([...table.referrals, { id: 'R0' }], b);
        return {
          decision: pick(['stand', 'continue', 'void', 'burn'], b),
          reason: 'x',
          lock: a % 4 === 0,
          ...(a % 3 === 0 && { referral: referral.id }),
          ...(a % 5 === 0 && { terminal: pick(terminals, b) }),
          credits,
        };
      }
      case 'CollectShortfall':
      case 'WriteOffShortfall': {
        const terminal = pick([...Object.keys(table.shortfalls), terminals[0]], a);
        const [of, owed] = pick(Object.entries(table.shortfalls[terminal] ?? { none: 100 }), b);
        return { terminal, round: of, amount: b % 3 === 0 ? owed : 1 + (b % owed), reason: 'x' };
      }
      case 'Approve':
        return {
          proposal: table.proposal?.id ?? 'P1',
          hash: b % 9 === 0 || !table.proposal ? `sha256:${'0'.repeat(64)}` : table.proposal.hash,
          credits:
            b % 5 === 0 ? Object.fromEntries(terminals.map((one) => [one, Math.min(50, credits[one]!)])) : credits,
        };
      case 'InvestigateCount':
        return { shoe: table.differences[0]?.shoe ?? 'none', reason: 'x' };
      case 'WithdrawProposal':
        return { proposal: table.proposal?.id ?? 'P1' };
      case 'AnswerCall':
      case 'VerifyShoe':
      case 'ReportCuttingCard':
      case 'OpenBets':
      case 'CallClose':
      case 'CloseBets':
      case 'TakeBackCard':
        return {};
      case 'PostSettlement':
      case 'ConfirmRuling':
        return b % 4 === 0 ? {} : { credits };
    }
  };
  return { type, actor, ...fields() };
}

function likelyCommands(table: Table): readonly CommandName[] {
  const next = nextCommands(table);
  const open = table.phase === 'betting' || table.phase === 'closing';
  return [
    ...next,
    ...next,
    ...(table.sealed.length > 0 ? (['CountSealedShoe'] as const) : []),
    ...(table.proposal ? (['Approve', 'Approve', 'Approve'] as const) : []),
    ...(open ? (['SetSlip', 'SetSlip', 'SetSlip'] as const) : []),
    ...(table.phase === 'dealing' ? (['DealCard', 'DealCard', 'DealCard', 'ReportIrregularity'] as const) : []),
    ...(table.phase === 'idle' && table.round ? (['CorrectCard', 'ReportIrregularity'] as const) : []),
  ];
}

function whoFor(type: CommandName, { kind, actor, a }: Roll, table: Table): Actor {
  if (kind % 3 === 0) return everyone[actor % everyone.length]!;
  if (type === 'SetSlip') return { terminal: terminals[a % 3]! };
  if (type === 'DecideReferral') return shiftManager;
  if (type === 'Approve') return [supervisor, shiftManager, shiftManager][actor % 3]!;
  if (type === 'ChooseCutPosition') return supervisor;
  if (!table.settings.attended) return floor;
  return [dealer, supervisor, pitManager][actor % 3]!;
}

function slipFrom(a: number, b: number, { settings }: Table): { [wager: string]: number } {
  if (b % 17 === 0) return { nonsense: 100 };
  const slip: { [wager: string]: number } = {};
  for (let n = 0; n < b % 4; n++)
    slip[settings.offered[(a + n) % settings.offered.length]!] = 100 * (1 + ((a + b + n) % 12));
  return slip;
}

/** A permutation of a list. */
function shuffledBy<T>(list: readonly T[], by: number): readonly T[] {
  const left = [...list];
  const order: T[] = [];
  for (let n = by; left.length > 0; n = Math.floor(n / 3)) order.push(...left.splice(n % left.length, 1));
  return order;
}
