import { existsSync } from 'node:fs';
import { type FloorRuntime } from '../../runtime/floorRuntime.ts';
import { type ClusterPort } from '../../runtime/ports/clusterPort.ts';
import { nodeHandlers, tableStreams } from '../../cluster/nodeHandlers.ts';
import { LeaseUncertain } from '../../cluster/fencedStore.ts';
import { ClusterNode } from '../../cluster/clusterNode.ts';
import { OutageNotice } from '../../cluster/outageNotice.ts';
import { Membership } from '../../store/postgres/membership.ts';
import { ReadPositions } from '../../store/postgres/readPositions.ts';
import { type Store, TakenOver } from '../../store/store.ts';
import { DatabaseAway } from '../../store/failures.ts';
import { type StorePaths, toMissingStoreError, openDatabase, hasKeyOrAnchor } from '../support/openStore.ts';
import { CliError } from '../support/cliError.ts';

/** What a floor that has a record with others is given. */
export type ClusterHandle = {
  /** Whether it starts the floor, or comes to one that is open. */
  readonly how: 'first' | 'joins';
  /** Listens for the others, once the key of the property and the time of the floor are known. */
  readonly link: (key: Buffer, clock: () => number) => Promise<void>;
  /** What the floor needs of the others, on the store that it writes to. */
  readonly shared: (store: Store) => ClusterPort;
  /** The floor is open there: it takes tables from now on. Resolves once they are driven, or others drive them. */
  readonly opened: (address: string, floor: FloorRuntime) => Promise<void>;
  /** Whether this program is the one that signs; throws where that is not sure at this moment. */
  readonly isKeeper: () => boolean;
  /** By how much the clock of whoever drives a table is ahead of this program's, in milliseconds. */
  readonly offsetOf: (stream: string) => number;
  /** So long ago the database gave its last answer, or for so long nobody drives that table, in milliseconds. */
  readonly silent: (stream: string) => number;
  /** Hands all tables over; true where nobody else goes on, and the floor is to be closed. */
  readonly handOver: () => Promise<boolean>;
};

/** Runs a floor on a record from its opening to its end; what it throws is why it could not go on. */
export type RunFloor = (store: Store, together?: ClusterHandle) => Promise<void>;

type Wants = {
  /** The database. */
  readonly address: string;
  readonly kept: StorePaths;
  /** How long a lease lasts. */
  readonly lasts: number;
  /** Whether this program may drive tables. */
  readonly mayDrive: boolean;
  /** Where it listens for other nodes, and how they reach that, if by another name. */
  readonly at: { readonly host: string; readonly port: number; readonly reached?: string };
  /** How browsers reach it, if otherwise than where it listens. */
  readonly node?: string;
  /** Told to end. */
  readonly stop: AbortSignal;
  readonly say: (text: string) => void;
  /** Tells whoever started it. */
  readonly print: (line: string) => void;
  readonly trouble: (what: string, error: unknown) => void;
  /** A lease of a table has changed hands. */
  readonly changed?: (stream: string, how: 'taken' | 'lost' | 'given') => void;
};

/** So often a program tries to begin the floor where another does so at the same moment. */
const mostBeginnings = 5;

/** One of several programs on a database: it begins the floor or joins it, and goes when it is told to. */
export async function runClusterNode(wants: Wants, run: RunFloor): Promise<void> {
  for (let left = mostBeginnings; ; left--) {
    let isOpen = false;
    try {
      return await asNodeOnce(wants, run, () => (isOpen = true));
    } catch (error) {
      // Until its floor is open it has promised nothing to anybody.
      const isLate = error instanceof TakenOver || error instanceof LeaseUncertain;
      if (!isLate || isOpen || left === 1 || wants.stop.aborted) throw error;
      wants.print(`${error.message} This node begins again.`);
    }
  }
}

async function asNodeOnce(wants: Wants, run: RunFloor, isOpen: () => void): Promise<void> {
  const { address, kept, lasts, mayDrive, at, node, stop, say, print, changed } = wants;
  const silence = new OutageNotice({ settleMs: lasts, say });
  let isIdle = false;
  const away = (error: unknown): void => silence.failed(error);
  /** Whatever else cannot be done while the database is away has one cause. */
  const trouble = (what: string, error: unknown): void =>
    error instanceof DatabaseAway ? away(error) : wants.trouble(what, error);
  const seen = new ReadPositions();
  // An answer that takes half of a lease comes too late to be of use.
  const ground = await Membership.open(address, {
    timeoutMs: lasts / 2,
    mustExist: hasKeyOrAnchor(kept),
    readPositions: seen,
  }).catch((error: unknown) => {
    throw toMissingStoreError(kept, error);
  });
  const member = await ClusterNode.start({
    membership: ground,
    leaseMs: lasts,
    mayLead: mayDrive,
    onClockError: (by) => say(by === undefined ? near : far(by)),
    onDatabaseFailure: away,
    onDatabaseReply: () => {
      silence.answered();
      const is = member.longestUnledMs > longestIdle;
      if (is !== isIdle) say(is ? idle : driven);
      isIdle = is;
    },
    ...(changed && { onLeaseChange: changed }),
    onWarning: trouble,
  });
  let isKeeper = false;
  const keeps = (is: boolean): void => {
    if (is !== isKeeper) changed?.('floor', is ? 'taken' : 'lost');
    isKeeper = is;
  };
  try {
    const patience = setTimeout(() => print(waits(mayDrive)), lasts + 1_000);
    const how = await member.waitToStart(stop).finally(() => clearTimeout(patience));
    if (how === undefined) return;
    if (how === 'joins') refuseUnready(kept);
    await run(await openDatabase(address, kept, seen), {
      how,
      link: (key, clock) => member.connect({ ...at, key, clock }),
      shared: (store) => member.clusterPort(store),
      opened: async (where, floor) => {
        member.floorOpened({
          address: node ?? where,
          tables: tableStreams(floor),
          handlers: nodeHandlers(floor, { signingChanged: keeps, onWarning: trouble }),
        });
        isOpen();
        await member.untilTablesLed(stop);
      },
      isKeeper: () => member.maySign(),
      offsetOf: (stream) => member.offsetOf(stream),
      silent: (stream) => Math.max(silence.sinceLastAnswerMs, member.stuckMs(stream)),
      handOver: () => member.handOver(),
    });
  } finally {
    await member.leave();
  }
}

/** What whoever joins needs is looked for before it comes. */
function refuseUnready({ key, signer }: StorePaths): void {
  const missing = [key, signer].find((file) => !existsSync(file));
  if (missing === undefined) return;
  const message = `The file ${missing} is missing, by which this program could join the floor; give it the key and the signer that all programs on the database share.`;
  throw new CliError(1, 'wrong-key', message);
}

const waits = (mayDrive: boolean): string =>
  mayDrive
    ? 'Another program is at work on the database; this node begins as soon as that is done.'
    : 'Nobody has opened the floor yet; this node, which drives no tables, joins as soon as somebody has.';

/** Tables that are nobody's for so long are told of, in milliseconds. */
const longestIdle = 5_000;

const idle = 'there are tables that nobody drives; start a node that may, or see to those that are there.';

const driven = 'every table is driven again.';

const near = 'the clock of this machine agrees with that of the database again.';

const far = (by: number): string =>
  `the clock of this machine is ${by.toLocaleString('en')} ms from that of the database; set it, as nothing is driven from here until then.`;
