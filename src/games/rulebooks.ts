import { type Game } from '../rules/game.ts';
import {
  type IrregularityRules,
  continueRulingEffect,
  interruptionRule,
  noteOnlyRule,
  referralRule,
  replayRulingEffect,
  stoppingRule,
  voidRulingEffect,
} from './irregularities.ts';

/** The clauses that a table cites in its events and refusals, by topic. */
export type TableClauses = OwnClauses & {
  readonly refer: string;
  readonly cut: string;
  readonly correction: string;
};

/**
 * The clauses that each rulebook below lists. The other topics of `TableClauses` take their clauses from the
 * irregularity rules.
 */
type OwnClauses = {
  readonly open: string;
  readonly close: string;
  readonly placedLate: string;
  readonly raisedLate: string;
  readonly withdrawnLate: string;
  /** Clause on the decks in a shoe. */
  readonly cards: string;
  /** Clause on dealing the first four cards. */
  readonly deal: string;
  /** Clause on drawing third cards. */
  readonly play: string;
  readonly winner: string;
  readonly tie: string;
  readonly limits: string;
  readonly roles: string;
  readonly tooLate: string;
  /** Clause on a round that cannot be completed for a reason other than its cards. [READING 51] */
  readonly unplayable: string;
};

/**
 * Clauses on each step of the deal. If the book has one clause on all third cards, the fields on third cards cite that
 * clause.
 */
export type DrawClauses = {
  /** Clause on the first two cards of the Player hand. */
  readonly playerCards: string;
  readonly bankerCards: string;
  readonly natural: string;
  readonly playerDraws: string;
  readonly bankerAfterStand: string;
  readonly bankerAfterDraw: string;
};

/**
 * Clauses on whether a disconnected terminal takes part in the round. `closed` or `open`: had the terminal shown that
 * bets are closed? `Accepted` or `NotAccepted`: had its slip been accepted?
 */
type TerminalClauses = {
  readonly closedAccepted: string;
  readonly openNotAccepted: string;
  readonly closedNotAccepted: string;
  readonly openAccepted: string;
};

/** A rulebook: its clauses. A house procedure stands in where the rulebook has no clause. */
export type Rulebook = {
  readonly id: string;
  /**
   * The version number of the rulebook, or its date if it has no number. The games of the rulebook have the same
   * version. [READING 47]
   */
  readonly version: string;
  /** True when patrons may bet with chips on a felt. [READING 48] */
  readonly felt: boolean;
  readonly clauses: TableClauses;
  readonly draws: DrawClauses;
  readonly terminals: TerminalClauses;
  readonly irregularities: IrregularityRules;
};

/** Adds the clauses that are also in the irregularity rules, so that each clause is written only once. */
const withSharedClauses = (book: Omit<Rulebook, 'clauses'> & { readonly clauses: OwnClauses }): Rulebook => {
  const { 'anything-else': other, 'cutting-card': cutting, 'mis-scan': scan } = book.irregularities;
  return {
    ...book,
    clauses: { ...book.clauses, refer: other.by, cut: cutting.by, correction: scan.rulings.correct!.by },
  };
};

const electronicShoeFault = stoppingRule('ETG 5.1', { void: voidRulingEffect('ETG 5.1.1', 'locked') });

const electronic = withSharedClauses({
  id: 'ETG',
  version: '2021-10-28',
  felt: false,
  clauses: {
    open: 'ETG 3.1',
    close: 'ETG 3.2',
    placedLate: 'ETG 5.5',
    raisedLate: 'ETG 5.5',
    withdrawnLate: 'ETG 5.4',
    cards: 'ETG 2.1',
    deal: 'ETG 3.6',
    play: 'ETG 3.8',
    winner: 'ETG 3.9',
    tie: 'ETG 3.9.1',
    limits: 'ETG 2.2',
    roles: 'ETG 6.2',
    tooLate: 'ETG 6.1',
    unplayable: 'HOUSE 12',
  },
  draws: {
    playerCards: 'ETG 3.6.1',
    bankerCards: 'ETG 3.6.2',
    natural: 'ETG 3.8',
    playerDraws: 'ETG 3.8',
    bankerAfterStand: 'ETG 3.8',
    bankerAfterDraw: 'ETG 3.8',
  },
  terminals: {
    closedAccepted: 'ETG 5.10.1',
    openNotAccepted: 'ETG 5.10.2',
    closedNotAccepted: 'HOUSE 11',
    openAccepted: 'HOUSE 11',
  },
  irregularities: {
    'foreign-card': electronicShoeFault,
    'extra-card': stoppingRule('ETG 5.1', {
      correct: replayRulingEffect('ETG 6.3'),
      void: voidRulingEffect('ETG 5.1.1', 'locked'),
    }),
    'missing-card': electronicShoeFault,
    'unshuffled-cards': electronicShoeFault,
    'wrong-number': stoppingRule(
      'ETG 5.7',
      { reconstruct: replayRulingEffect('ETG 5.7'), void: voidRulingEffect('ETG 5.2', 'locked') },
      true,
    ),
    'drawn-together': stoppingRule('ETG 5.8', {
      reconstruct: replayRulingEffect('ETG 5.8'),
      void: voidRulingEffect('ETG 5.8.1', 'goes on'),
    }),
    'third-cards-together': stoppingRule('ETG 5.8', {
      reconstruct: replayRulingEffect('ETG 5.8'),
      void: voidRulingEffect('ETG 5.8.1', 'goes on'),
    }),
    'order-altered': stoppingRule('ETG 5.2', {
      restore: continueRulingEffect('ETG 5.2', 'rule before settlement'),
      void: voidRulingEffect('ETG 5.2', 'locked'),
    }),
    'too-few-cards': stoppingRule('ETG 5.3', { void: voidRulingEffect('ETG 5.3', 'locked') }),
    'face-up-before': referralRule('ETG 6.1', { burn: continueRulingEffect('HOUSE 4', 'burn a card') }),
    'face-up-after': noteOnlyRule('ETG 5.6'),
    'wrong-order': stoppingRule(
      'ETG 5.7',
      { reconstruct: replayRulingEffect('ETG 5.7'), void: voidRulingEffect('ETG 5.2', 'locked') },
      true,
    ),
    'unreadable-card': stoppingRule('ETG 6.3', {
      enter: continueRulingEffect('ETG 6.3', 'rule before settlement'),
      void: voidRulingEffect('HOUSE 9', 'goes on'),
    }),
    'mis-scan': stoppingRule('ETG 6.3', { correct: replayRulingEffect('ETG 6.3') }, true),
    'cutting-card': noteOnlyRule('ETG 3.10', 'last rounds'),
    'cutting-card-missing': referralRule('ETG 6.1'),
    'late-wager': noteOnlyRule('ETG 5.5'),
    'raised-wager': noteOnlyRule('ETG 5.5'),
    'withdrawn-wager': noteOnlyRule('ETG 5.4'),
    interruption: interruptionRule('ETG 5.9', 'ETG 5.9.1', 'ETG 5.9.2'),
    'terminals-lost': noteOnlyRule('ETG 5.10'),
    'anything-else': referralRule('ETG 6.1'),
  },
});

/**
 * The clauses of a live rulebook on third cards, winner and tie. The clause numbers differ between rulebooks.
 * `numbered`: each line of the table of play has its own clause number: 1 naturals, 2 the Player, 3 the Banker after
 * the Player stands, 4 the Banker after the Player draws.
 */
type PlayClauses = {
  readonly play: string;
  readonly numbered?: true;
  readonly winner: string;
  readonly tie: string;
};

/**
 * Builds a live rulebook. All four live rulebooks have the same section 5 and lack the same clauses; house procedures
 * fill these gaps.
 */
function liveRulebook(id: string, version: string, { play, numbered, winner, tie }: PlayClauses): Rulebook {
  const shoeFault = stoppingRule('HOUSE 7', { void: voidRulingEffect('HOUSE 7', 'locked') });
  const clause = (number: string): string => `${id} ${number}`;
  const lineOfPlay = (number: number): string => clause(numbered ? `${play}.${number}` : play);
  const orderAltered = voidRulingEffect(clause('5.4'), 'locked');
  return withSharedClauses({
    id,
    version,
    felt: true,
    clauses: {
      open: clause('3.1'),
      close: clause('3.2'),
      placedLate: clause('5.6'),
      raisedLate: clause('5.6'),
      withdrawnLate: clause('5.7'),
      cards: clause('2.1'),
      deal: clause('3.7'),
      play: clause(play),
      winner: clause(winner),
      tie: clause(tie),
      limits: 'HOUSE 10',
      roles: 'HOUSE 2',
      tooLate: clause('5.2'),
      unplayable: 'HOUSE 12',
    },
    draws: {
      playerCards: clause('3.7.1'),
      bankerCards: clause('3.7.2'),
      natural: lineOfPlay(1),
      playerDraws: lineOfPlay(2),
      bankerAfterStand: lineOfPlay(3),
      bankerAfterDraw: lineOfPlay(4),
    },
    terminals: {
      closedAccepted: 'HOUSE 11',
      openNotAccepted: 'HOUSE 11',
      closedNotAccepted: 'HOUSE 11',
      openAccepted: 'HOUSE 11',
    },
    irregularities: {
      'foreign-card': stoppingRule(clause('5.1'), { void: voidRulingEffect(clause('5.1.1'), 'locked') }),
      'extra-card': stoppingRule('HOUSE 7', {
        correct: replayRulingEffect('HOUSE 9'),
        void: voidRulingEffect('HOUSE 7', 'locked'),
      }),
      'missing-card': shoeFault,
      'unshuffled-cards': shoeFault,
      'wrong-number': stoppingRule(
        clause('5.2'),
        { reconstruct: replayRulingEffect(clause('5.2')), void: voidRulingEffect(clause('5.2'), 'goes on') },
        true,
      ),
      'drawn-together': stoppingRule(clause('5.3'), {
        reconstruct: replayRulingEffect(clause('5.3')),
        void: voidRulingEffect(clause('5.3'), 'goes on'),
      }),
      'third-cards-together': stoppingRule('HOUSE 8', {
        reconstruct: replayRulingEffect('HOUSE 8'),
        void: voidRulingEffect('HOUSE 8', 'goes on'),
      }),
      'order-altered': stoppingRule(clause('5.4'), {
        restore: continueRulingEffect(clause('5.4'), 'rule before settlement'),
        void: orderAltered,
      }),
      'too-few-cards': stoppingRule(clause('5.5'), { void: voidRulingEffect(clause('5.5'), 'locked') }),
      'face-up-before': referralRule('HOUSE 4', { burn: continueRulingEffect('HOUSE 4', 'burn a card') }),
      'face-up-after': noteOnlyRule('HOUSE 4'),
      'wrong-order': stoppingRule('HOUSE 5', { reconstruct: replayRulingEffect('HOUSE 5'), void: orderAltered }, true),
      'unreadable-card': stoppingRule('HOUSE 9', {
        enter: continueRulingEffect('HOUSE 9', 'rule before settlement'),
        void: voidRulingEffect('HOUSE 9', 'goes on'),
      }),
      'mis-scan': stoppingRule('HOUSE 9', { correct: replayRulingEffect('HOUSE 9') }, true),
      'cutting-card': noteOnlyRule('HOUSE 3', 'last rounds'),
      'cutting-card-missing': referralRule('HOUSE 3'),
      'late-wager': noteOnlyRule(clause('5.6')),
      'raised-wager': noteOnlyRule(clause('5.6')),
      'withdrawn-wager': noteOnlyRule(clause('5.7')),
      interruption: interruptionRule('HOUSE 6', 'HOUSE 6', 'HOUSE 6'),
      'terminals-lost': noteOnlyRule('HOUSE 11'),
      'anything-else': referralRule('HOUSE 1'),
    },
  });
}

/**
 * The five rulebooks. Add a new version of a rulebook after its older versions: for a game whose version is missing,
 * `rulebookOf` takes the last one.
 */
export const rulebooks: readonly Rulebook[] = [
  liveRulebook('BAC', '7', { play: '3.9', numbered: true, winner: '3.10', tie: '3.10.1' }),
  liveRulebook('SUP', '2017-07-28', { play: '3.9', winner: '3.10', tie: '3.11' }),
  liveRulebook('ELM', '2', { play: '3.9', winner: '3.10', tie: '3.10.1' }),
  liveRulebook('FAB', '3', { play: '3.8', numbered: true, winner: '3.9', tie: '3.9.1' }),
  electronic,
];

/**
 * The rulebook of a game, in the version of the game. If the list lacks that version, the last version of the rulebook
 * is taken.
 */
export function rulebookOf(
  { book, version }: Pick<Game, 'book' | 'version'>,
  candidates: readonly Rulebook[] = rulebooks,
): Rulebook {
  const versions = candidates.filter(({ id }) => id === book);
  return versions.find((one) => one.version === version) ?? versions.at(-1)!;
}

export const versionedRulebookId = ({ id, version }: Rulebook): string => `${id}@${version}`;

/**
 * Reference to clauses: a topic of `TableClauses`, all clauses on `draws` or on `irregularities`, or one house
 * procedure.
 */
export type ClauseTopic = keyof TableClauses | 'draws' | 'irregularities' | `HOUSE ${number}`;

const isHouse = (name: ClauseTopic): name is `HOUSE ${number}` => name.startsWith('HOUSE ');

/** The clauses on these topics in all rulebooks: sorted, each once. */
export const clausesOfTopics = (names: readonly ClauseTopic[]): readonly string[] =>
  [
    ...new Set(
      rulebooks.flatMap(({ clauses, draws, irregularities }) =>
        names.flatMap((name) => {
          if (isHouse(name)) return [name];
          if (name === 'draws') return Object.values(draws);
          if (name !== 'irregularities') return [clauses[name]];
          return Object.values(irregularities).flatMap(({ by, rulings }) => [
            by,
            ...Object.values(rulings).map((effect) => effect.by),
          ]);
        }),
      ),
    ),
  ].toSorted();
