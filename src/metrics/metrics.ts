// Metrics of a running server. Calls are fire-and-forget.

/** Who was refused: a patron or device, staff, or a socket before the upgrade. */
export type RefusalTarget = 'patron' | 'staff' | 'door';

type RequestKind = 'slip' | 'scan' | 'staff';

/** `corrected`: settled again after a correction. */
export type RoundEnding = 'settled' | 'void' | 'corrected';

/** Views: public table view, lobby, staff views, terminal view and balance. */
type ViewKind = 'table' | 'lobby' | 'staff' | 'own' | 'balance';

/** Changes of a lease of this node: acquired, handed over, or taken by another node. */
type LeaseChange = 'taken' | 'given' | 'lost';

/** Labels come from closed lists and the table names of the property: no terminal, no person. */
export type Metrics = {
  /** One append: its commands and entries, its time in milliseconds, and how it ended. */
  readonly appended: (
    batch: { readonly commands: number; readonly entries: number },
    time: number,
    end: 'written' | 'refused' | 'failed',
  ) => void;
  /** One reply; `time` is from the arrival of the message, in milliseconds. */
  readonly requestAnswered: (what: RequestKind, isRefused: boolean, time: number) => void;
  readonly requestRefused: (to: RefusalTarget, code: string) => void;
  readonly roundEnded: (table: string, end: RoundEnding) => void;
  /** One view was made: full or delta, and its size. */
  readonly viewBuilt: (whose: ViewKind, form: 'whole' | 'change', bytes: number) => void;
  /** An outage of the event store began. */
  readonly outageBegan: () => void;
  /** The leadership of the floor or of a table changed. */
  readonly leaseChanged: (what: string, change: LeaseChange) => void;
};

/** Discards everything. */
export const discardMetrics: Metrics = {
  appended: () => {},
  requestAnswered: () => {},
  requestRefused: () => {},
  roundEnded: () => {},
  viewBuilt: () => {},
  outageBegan: () => {},
  leaseChanged: () => {},
};

/** Why the floor cannot take bets. */
export type NotReadyReason = { readonly code: string; readonly message: string };

export type ServerStatus = {
  /** Undefined if the floor can take bets. */
  readonly notReady: NotReadyReason | undefined;
  /** Appends or anchor writes fail now. */
  readonly isFailing: boolean;
  /** Open sockets by kind of client. */
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
  /** Commands in the queue. */
  readonly waiting: number;
  /** False while the table cannot append, and after it crashed. */
  readonly isUp: boolean;
};
