/** Who was refused: a patron or device (`patron`), staff, or a socket before its upgrade (`upgrade`). */
export type RefusalRecipient = 'patron' | 'staff' | 'upgrade';

type RequestKind = 'slip' | 'scan' | 'staff';

/** How a round ended. `corrected`: the round was settled again after a correction. */
export type RoundEnding = 'settled' | 'void' | 'corrected';

/** Kinds of views: public table view, lobby, staff view, a terminal's own view, balance. */
type ViewKind = 'table' | 'lobby' | 'staff' | 'own' | 'balance';

/** Change of a lease of this node: acquired, handed over (`given`), or lost to another node. */
type LeaseChange = 'taken' | 'given' | 'lost';

/**
 * Metrics of a server. Labels come from fixed lists and the table ids of the property, never from terminals or
 * persons. Methods return nothing and must not throw.
 */
export type Metrics = {
  /** Counts one append. `time`: duration of the append in milliseconds. */
  readonly appended: (
    batch: { readonly commands: number; readonly entries: number },
    time: number,
    end: 'written' | 'refused' | 'failed',
  ) => void;
  /** Counts one reply. `time`: milliseconds since the message arrived. */
  readonly requestAnswered: (what: RequestKind, isRefused: boolean, time: number) => void;
  readonly requestRefused: (to: RefusalRecipient, code: string) => void;
  readonly roundEnded: (table: string, end: RoundEnding) => void;
  /** Counts one view: full (`whole`) or delta (`change`), and its size in bytes. */
  readonly viewBuilt: (whose: ViewKind, form: 'whole' | 'change', bytes: number) => void;
  readonly outageBegan: () => void;
  /** Counts a change of the floor lease or of the lease of a table. */
  readonly leaseChanged: (what: string, change: LeaseChange) => void;
};

/** Metrics that discard everything, for a server without monitoring. */
export const discardingMetrics: Metrics = {
  appended: () => {},
  requestAnswered: () => {},
  requestRefused: () => {},
  roundEnded: () => {},
  viewBuilt: () => {},
  outageBegan: () => {},
  leaseChanged: () => {},
};

export type NotReadyReason = { readonly code: string; readonly message: string };

export type ServerStatus = {
  /** Undefined if the floor can take bets. */
  readonly notReady: NotReadyReason | undefined;
  /** True while an operation on the event store or the anchor fails and is retried. */
  readonly isFailing: boolean;
  readonly connections: {
    readonly patron: number;
    readonly display: number;
    readonly device: number;
    readonly staff: number;
  };
  readonly tables: readonly TableQueueStatus[];
};

type TableQueueStatus = {
  readonly table: string;
  readonly waiting: number;
  /** False while the table cannot append, and after it crashed. */
  readonly isUp: boolean;
};
