// What an operator reads off a running server. Whoever knows something says it here in passing; nobody asks back.

/** To whom something was refused: a patron or a device, staff, or whoever was not let in at all. */
export type Refusing = 'patron' | 'staff' | 'door';

/** What somebody waits for an answer to. */
type Answering = 'slip' | 'scan' | 'staff';

/** How a round ended: paid, void, or paid anew after a correction. */
export type RoundEndKind = 'settled' | 'void' | 'corrected';

/** Whom a view is for: whoever is at a table, in the lobby or at work; one terminal at a table, and its money. */
type Viewing = 'table' | 'lobby' | 'staff' | 'own' | 'purse';

/** What has become of a lease of this program: it has it now, it has handed it on, or another took it. */
type LeaseChange = 'taken' | 'given' | 'lost';

/** What is said in passing. Words are from closed lists, and tables are those of the property: no terminal, no person. */
export type Metrics = {
  /** A batch was handed to the record: so many commands with so many entries, and how it ended after so many milliseconds. */
  readonly appended: (
    batch: { readonly commands: number; readonly entries: number },
    time: number,
    end: 'written' | 'refused' | 'failed',
  ) => void;
  /** Somebody was answered so many milliseconds after the message came, with yes or no. */
  readonly answered: (what: Answering, isRefused: boolean, time: number) => void;
  readonly refused: (to: Refusing, code: string) => void;
  readonly ended: (table: string, end: RoundEndKind) => void;
  /** A view was made, of so many bytes, whole or as what has changed. */
  readonly viewed: (whose: Viewing, form: 'whole' | 'change', bytes: number) => void;
  /** Writing has begun to fail. */
  readonly outage: () => void;
  /** Of several programs on a record another drives something from now on: the floor, or a table by its name. */
  readonly leased: (what: string, change: LeaseChange) => void;
};

/** Nobody reads it. */
export const noMetrics: Metrics = {
  appended: () => {},
  answered: () => {},
  refused: () => {},
  ended: () => {},
  viewed: () => {},
  outage: () => {},
  leased: () => {},
};

/** Why a floor cannot be played at. */
export type Unready = { readonly code: string; readonly message: string };

/** How a server stands at the moment it is asked. */
export type ServerStatus = {
  /** Nothing where it can be played at. */
  readonly unready: Unready | undefined;
  /** Writing to the record or to its anchor fails, be it for a moment. */
  readonly isFailing: boolean;
  /** Open sockets, by who is at their end. */
  readonly connections: {
    readonly patron: number;
    readonly display: number;
    readonly device: number;
    readonly staff: number;
  };
  readonly tables: readonly TableStanding[];
};

type TableStanding = {
  readonly table: string;
  /** Commands that wait to be recorded. */
  readonly waiting: number;
  /** It can record, and has not stopped. */
  readonly isUp: boolean;
};
