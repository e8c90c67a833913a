import { type SupervisorView } from '../../../../wire/staff/supervisorView.ts';

type Rulings = NonNullable<SupervisorView['rulings']>;
export type Column = Rulings['columns'][number] & {
  /** The command that takes this way; null of what is there to compare. */
  readonly command: string | null;
  readonly keyName: string | null;
};

/** The key of each ruling. */
const keys: { readonly [ruling: string]: string } = {
  reconstruct: 'R',
  void: 'V',
  correct: 'C',
  refer: 'F',
  burn: 'B',
  enter: 'E',
  restore: 'K',
};

/** What may be ruled, side by side: the ways out of what stopped the table, and the cards as they lie. */
export function columnsOf(view: SupervisorView, rulings: SupervisorView['rulings']): readonly Column[] {
  const ways = view.stopped?.ways ?? [];
  const known =
    rulings?.columns ??
    ways.map(({ ruling, by, round, shoe, first, second, not }) => ({
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
  return known.map((column) => {
    const command = ways.find(({ ruling }) => ruling === column.ruling)?.command ?? null;
    return {
      ...column,
      command,
      keyName: command === null || column.not !== null ? null : (keys[column.ruling] ?? null),
    };
  });
}

/** The column that an open proposal takes; undefined where it is about something else. */
export function proposedIn(view: SupervisorView): string | undefined {
  const names: { readonly [act: string]: string } = {
    ReconstructRound: 'reconstruct',
    CorrectCard: 'correct',
    VoidRound: 'void',
    RestoreOrder: 'restore',
    EnterCard: 'enter',
    BurnCard: 'burn',
    DismissReport: 'dismiss',
    ConfirmFelt: 'felt',
  };
  const act = view.proposal?.act ?? '';
  if (act !== 'DecideReferral') return names[act];
  const decided = view.effects?.events.find((event) => event['type'] === 'ReferralDecided');
  return typeof decided?.['decision'] === 'string' ? decided['decision'] : undefined;
}
