import { type CommandName } from '../table/declare/commands.ts';
import { type EventName, type EventOf, type TableEvent } from '../table/declare/events.ts';
import { type Table } from '../table/table.ts';
import { type Asked } from './runner.ts';

type Fields = { readonly type: CommandName; readonly [field: string]: unknown };

type Behind<N extends EventName> = {
  /** What was asked, but for who asked it; undefined where that cannot be told from the events. */
  readonly asked: (event: EventOf<N>, table: Table | undefined, rest: readonly TableEvent[]) => Fields | undefined;
  /** What the floor adds to it: not part of what was asked. */
  readonly brings?: () => object;
  /** Whether every field of what was asked is in the events, so that its hash can be made again; it is unless told. */
  readonly isWhole?: (event: EventOf<N>, table: Table | undefined) => boolean;
};

const dealCard = ({ slot, card, salt, proof, keyed }: EventOf<'CardDealt'>): Fields => ({
  type: 'DealCard',
  slot,
  card,
  ...(salt !== undefined && { salt }),
  ...(proof !== undefined && { proof }),
  ...(keyed !== undefined && { keyed }),
});

/**
 * The command behind entries, by the event they begin with: all that a table without staff is asked. A command that the
 * floor learns to ask is added here; until then its entries are held to less.
 */
const behind: { readonly [N in EventName]?: Behind<N> } = {
  // A setting is asked for in short, and recorded with every usual value written out.
  TableOpened: {
    asked: ({ setting, second }) => ({ type: 'OpenTable', setting, ...(second !== undefined && { second }) }),
    isWhole: () => false,
  },
  ShoeCommitted: { asked: ({ shoe, root }) => ({ type: 'CommitShoe', shoe, root }) },
  TurnChosen: { asked: ({ turn }) => ({ type: 'ChooseTurn', turn }) },
  BetsOpened: { asked: () => ({ type: 'OpenBets' }) },
  SlipSet: {
    asked: ({ round, slip }) => ({ type: 'SetSlip', round, slip }),
    // Whether the credit was there is told by the balances, which never go below zero.
    brings: () => ({ credit: Number.MAX_SAFE_INTEGER }),
  },
  // A person may give notice; the floor gives none.
  ClosingCalled: {
    asked: ({ at, who, deadline }, table) => ({
      type: 'CallClose',
      ...('person' in who && deadline > Math.max(at, table?.round?.closesAt ?? 0) && { notice: deadline - at }),
    }),
  },
  BetsClosed: { asked: () => ({ type: 'CloseBets' }) },
  CardDealt: { asked: dealCard },
  // The table itself meets the cutting card of a virtual shoe, when the next card is dealt.
  CuttingCardOut: {
    asked: (_event, _table, [next]) => (next?.type === 'CardDealt' ? dealCard(next) : undefined),
  },
  RoundSettled: { asked: () => ({ type: 'Settle' }) },
  // Where money is taken back, the credits that were brought are not recorded.
  SettlementPosted: {
    asked: (_event, table) => ((table?.jobs[0]?.before ?? null) === null ? { type: 'PostSettlement' } : undefined),
  },
  ShoeEnded: {
    asked: ({ cards, salts }) => ({
      type: 'EndShoe',
      ...(cards !== undefined && { cards }),
      ...(salts !== undefined && { salts }),
    }),
  },
  // What was asked may name an earlier time than the last event, which counts instead of it.
  Interrupted: {
    asked: ({ since, stateLost }) => ({ type: 'ReportInterruption', since, stateLost }),
    isWhole: ({ since }, table) => since > (table?.at ?? 0),
  },
  InterruptionLogged: { asked: ({ since, stateLost }) => ({ type: 'ReportInterruption', since, stateLost }) },
  RoundResumed: { asked: () => ({ type: 'ConfirmRuling' }) },
  // A shuffler that has lost the order of its shoe says so, and voids what it cannot deal.
  IrregularityFound: {
    asked: ({ who, kind, note }) =>
      'system' in who ? { type: 'ReportIrregularity', kind, ...(note !== undefined && { note }) } : undefined,
  },
  ShoeLocked: { asked: ({ who, reason }) => ('system' in who ? { type: 'VoidRound', reason } : undefined) },
  RoundVoided: {
    asked: ({ reason }, table) =>
      table?.held[0]?.kind === 'interruption' ? { type: 'ConfirmRuling' } : { type: 'VoidRound', reason },
  },
};

/** A command made again from what it led to. */
export type Rebuilt = {
  readonly asked: Asked;
  /** The command as it was decided. */
  readonly command: { readonly [field: string]: unknown };
  readonly isWhole: boolean;
};

/** The command that led to these events at this table, where it can be told. */
export function commandBehind([first, ...rest]: readonly TableEvent[], table: Table | undefined): Rebuilt | undefined {
  if (first === undefined || !Object.hasOwn(behind, first.type)) return undefined;
  const { asked: fieldsOf, brings, isWhole } = behind[first.type] as Behind<EventName>;
  const fields = fieldsOf(first, table, rest);
  if (fields === undefined) return undefined;
  const asked = { ...fields, who: first.who };
  return {
    asked,
    command: { ...asked, ...brings?.(), at: first.at },
    isWhole: isWhole?.(first, table) ?? true,
  };
}
