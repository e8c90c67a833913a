import { type ConnectionState } from '../../../client/reconnectingSocket.ts';
import { type ServerMessageOf, type SlipStakes } from '../../../wire/messages.ts';
import { type TerminalBalance } from '../../../wire/terminalBalance.ts';
import { type TerminalTableView, type View } from '../../../wire/tableView.ts';

export type SlipRefusal = Pick<ServerMessageOf<'refused'>, 'code' | 'message' | 'by'> & {
  /** What was asked for, and what stood and still stands, where it was about a slip. */
  readonly slip?: SlipStakes;
  readonly stood?: SlipStakes;
  /** The credit at that moment. */
  readonly credit?: number;
};

/** As much of a table as betting needs. */
export type TableView = Pick<View, 'game' | 'layout' | 'tray' | 'totalMinimum' | 'phase' | 'stopped'> & {
  readonly round: Pick<NonNullable<View['round']>, 'id' | 'number' | 'closesAt' | 'deadline'> | null;
};

/** As much of a terminal's money as betting needs: whose turn it is, and what keeps it from betting. */
type PurseView = Pick<TerminalBalance, 'terminal' | 'locked'> & {
  readonly session: Pick<NonNullable<TerminalBalance['session']>, 'number'> | null;
  readonly limits: Pick<TerminalBalance['limits'], 'pausedUntil'>;
};

/** Of a slip that did not get into its round: which, and by what clause. [ETG 5.10.2, HOUSE 11] */
export type Missed = {
  readonly number: number;
  readonly missedBy: string;
  /** It was below a minimum, and so was never sent. [READING 36] */
  readonly isShort: boolean;
};

/** A slip for a round. Once the link was lost in between, it has the clause for not getting there. */
export type Want = {
  readonly round: string;
  readonly number: number;
  readonly slip: SlipStakes;
  readonly missedBy: string | null;
};
/** With when it went and the steps that lie behind it. */
export type Sent = Want & { readonly ask: number; readonly at: number; readonly before: readonly SlipStakes[] };

export type State = {
  readonly table: string | null;
  readonly view: TableView | null;
  readonly own: Pick<TerminalTableView, 'credit' | 'round' | 'slip' | 'rebet'> | null;
  readonly purse: PurseView | null;
  readonly link: ConnectionState;
  /** The terminal's own view was told since the link is there. */
  readonly isFresh: boolean;
  /** The server's time, and a time that only runs on. */
  readonly at: number;
  readonly ran: number;
  /** The chip in hand, as its place in the tray. */
  readonly chip: number;
  /** What the patron wants and the server has not accepted yet. */
  readonly wanted: Want | null;
  readonly sent: Sent | null;
  /** What lay on the felt before each step, and how much of that led to what the server has accepted. */
  readonly before: readonly SlipStakes[];
  readonly stood: readonly SlipStakes[];
  readonly asks: number;
  /** When the next slip may go. */
  readonly next: number;
  readonly refused: SlipRefusal | null;
  /** A change that did not get into its round. */
  readonly missed: Missed | null;
};

export const initial: State = {
  table: null,
  view: null,
  own: null,
  purse: null,
  link: 'joining',
  isFresh: false,
  at: 0,
  ran: 0,
  chip: 1,
  wanted: null,
  sent: null,
  before: [],
  stood: [],
  asks: 0,
  next: 0,
  refused: null,
  missed: null,
};
