import { type ConnectionState } from '../../../client/reconnectingSocket.ts';
import { type ServerMessageOf, type SlipStakes } from '../../../wire/messages.ts';
import { type TerminalMoneyState } from '../../../wire/terminalMoneyState.ts';
import { type TerminalTableView, type PublicTableView } from '../../../wire/tableView.ts';

/** A refusal that the patron reads. Only the refusal of a slip of the current round has the optional fields. */
export type PatronRefusal = Pick<ServerMessageOf<'refused'>, 'code' | 'message' | 'by'> & {
  /** The refused slip. */
  readonly slip?: SlipStakes;
  /** The stakes that the server accepted before the refusal. They stay in force. */
  readonly accepted?: SlipStakes;
  /** The credit at the time of the refusal, in cents. */
  readonly credit?: number;
};

/** The part of a table view that betting needs. */
export type BettingView = Pick<PublicTableView, 'game' | 'layout' | 'tray' | 'totalMinimum' | 'phase' | 'stopped'> & {
  readonly round: Pick<NonNullable<PublicTableView['round']>, 'id' | 'number' | 'closesAt' | 'deadline'> | null;
};

/** The part of a terminal balance that betting needs: the session, and what blocks betting. */
type BalanceView = Pick<TerminalMoneyState, 'terminal' | 'locked'> & {
  readonly session: Pick<NonNullable<TerminalMoneyState['session']>, 'number'> | null;
  readonly limits: Pick<TerminalMoneyState['limits'], 'pausedUntil'>;
};

/**
 * A slip that did not count in round number `number`, because it was not accepted in time or was below a minimum.
 * `missedBy`: the clause to cite. [ETG 5.10.2, HOUSE 11]
 */
export type MissedSlip = {
  readonly number: number;
  readonly missedBy: string;
  /** True when the slip was below a minimum and was therefore never sent. [READING 36] */
  readonly isShort: boolean;
};

/**
 * A slip that the patron wants in a round. `missedBy`: the clause to cite if the server does not accept the slip; null
 * if the connection has not been lost since the patron made the slip.
 */
export type WantedSlip = {
  readonly round: string;
  readonly number: number;
  readonly slip: SlipStakes;
  readonly missedBy: string | null;
};
/** A slip that was sent and has no reply yet. `at`: monotonic time of sending, in ms. */
export type SentSlip = WantedSlip & {
  readonly request: number;
  readonly at: number;
  readonly undoHistory: readonly SlipStakes[];
};

export type SlipState = {
  readonly table: string | null;
  readonly view: BettingView | null;
  readonly own: Pick<TerminalTableView, 'credit' | 'round' | 'slip' | 'rebet'> | null;
  readonly balance: BalanceView | null;
  readonly connection: ConnectionState;
  /** True once the terminal's own view has arrived on the current connection. */
  readonly isFresh: boolean;
  /** Estimated server time at the last event, in ms. */
  readonly at: number;
  /** Monotonic time at the last event, in ms. */
  readonly monotonicMs: number;
  /** Index of the selected chip in the tray. */
  readonly chip: number;
  /** The whole slip that the patron wants, until the server has accepted it; otherwise null. */
  readonly wanted: WantedSlip | null;
  readonly sent: SentSlip | null;
  /** Undo history: the slip on the felt before each action. */
  readonly undoHistory: readonly SlipStakes[];
  /** The undo history up to the accepted slip. It is restored when later changes are dropped. */
  readonly acceptedHistory: readonly SlipStakes[];
  readonly requests: number;
  /** Monotonic time in ms before which no further slip is sent. */
  readonly next: number;
  readonly refused: PatronRefusal | null;
  /** The last missed slip. Null once the patron has changed the bets again. */
  readonly missed: MissedSlip | null;
};

export const initialSlipState: SlipState = {
  table: null,
  view: null,
  own: null,
  balance: null,
  connection: 'joining',
  isFresh: false,
  at: 0,
  monotonicMs: 0,
  chip: 1,
  wanted: null,
  sent: null,
  undoHistory: [],
  acceptedHistory: [],
  requests: 0,
  next: 0,
  refused: null,
  missed: null,
};
