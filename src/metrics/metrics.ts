/**
 * Receiver of a refusal: a patron or device (`patron`), a staff client (`staff`), or a client whose WebSocket was
 * rejected before its upgrade (`upgrade`).
 */
export type RefusalRecipient = 'patron' | 'staff' | 'upgrade';

type RequestKind = 'slip' | 'scan' | 'staff';

/** How a round ended. `corrected`: the round was settled again after a correction. */
export type RoundEnding = 'settled' | 'void' | 'corrected';

/** Kinds of views: public table view, lobby, staff view, a terminal's own view, balance. */
type ViewKind = 'table' | 'lobby' | 'staff' | 'own' | 'balance';

/**
 * What happened to a lease: this node acquired it (`taken`), handed it to another node (`given`), or lost it to another
 * node (`lost`).
 */
type LeaseChange = 'taken' | 'given' | 'lost';

/**
 * Metrics of a server. A label is a word from a fixed list or a table id of the property. No label names a terminal or
 * a person. Methods return nothing and must not throw.
 */
export type Metrics = {
  /** Counts one append. `time`: duration of the append in milliseconds. */
  readonly appended: (
    batch: { readonly commands: number; readonly entries: number },
    time: number,
    end: 'written' | 'refused' | 'failed',
  ) => void;
  /** Counts one reply. `time`: milliseconds from the arrival of the message to the reply. */
  readonly requestAnswered: (what: RequestKind, isRefused: boolean, time: number) => void;
  readonly requestRefused: (to: RefusalRecipient, code: string) => void;
  readonly roundEnded: (table: string, end: RoundEnding) => void;
  /** Counts one sent view and its size in bytes. `form` is `whole` for a full view and `change` for a delta. */
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
