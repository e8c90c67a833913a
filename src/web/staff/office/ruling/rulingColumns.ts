import { type SupervisorView } from '../../../../wire/staff/supervisorView.ts';

type Rulings = NonNullable<SupervisorView['rulings']>;
export type MatrixColumn = Rulings['columns'][number] & {
  /** Command type of this ruling; null for a column that is only for comparison. */
  readonly command: string | null;
  readonly keyName: string | null;
};

const keys: { readonly [ruling: string]: string } = {
  reconstruct: 'R',
  void: 'V',
  correct: 'C',
  refer: 'F',
  burn: 'B',
  enter: 'E',
  restore: 'K',
};

/** Columns of the ruling matrix: the ruling options and, for comparison, the cards as laid. */
export function rulingColumns(view: SupervisorView, rulings: SupervisorView['rulings']): readonly MatrixColumn[] {
  const options = view.stopped?.options ?? [];
  const columns =
    rulings?.columns ??
    options.map(({ ruling, by, round, shoe, first, second, not }) => ({
      ruling,
      winner: null,
      totals: null,
      by,
      round,
      shoe,
      first,
      second,
      not,
      house: null,
    }));
  return columns.map((column) => {
    const command = options.find(({ ruling }) => ruling === column.ruling)?.command ?? null;
    return {
      ...column,
      command,
      keyName: command === null || column.not !== null ? null : (keys[column.ruling] ?? null),
    };
  });
}

/**
 * Ruling that the open proposal makes or, for a proposed decision on a referral, that decision. Undefined for any other
 * proposal.
 */
export function proposedRuling(view: SupervisorView): string | undefined {
  const rulingByCommand: { readonly [command: string]: string } = {
    ReconstructRound: 'reconstruct',
    CorrectCard: 'correct',
    VoidRound: 'void',
    RestoreOrder: 'restore',
    EnterCard: 'enter',
    BurnCard: 'burn',
    DismissReport: 'dismiss',
    ConfirmFelt: 'felt',
  };
  const command = view.proposal?.command ?? '';
  if (command !== 'DecideReferral') return rulingByCommand[command];
  const decided = view.proposal?.effects.changes.find(({ type }) => type === 'referral-decide');
  return decided && 'decision' in decided ? (decided.decision ?? undefined) : undefined;
}
