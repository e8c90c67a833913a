import { isId } from '../base/commonSchemas.ts';
import { type Account } from '../ledger/accounts.ts';
import { isObject } from '../base/schema.ts';
import { canonicalJson } from '../base/canonicalJson.ts';
import { genesisHash, entryBodyOf, hashEntryBody } from '../store/hashChain.ts';
import { type FloorStreamState } from '../floor/state.ts';
import { type StaffState } from '../staff/state.ts';
import { type StreamHead, type StoreReader, type Snapshot, type StoredEntry } from '../store/store.ts';
import { snapshotSchemaVersion } from '../store/snapshot.ts';
import { type DeciderAmendment } from './amendments.ts';
import { BalanceCheck, type FingerprintSeed, type AccountTotal } from './balances.ts';
import {
  type RoundAndShoeCounts,
  type CommittedShoes,
  createFloorReplay,
  expectedStakesBalance,
  createStaffReplay,
  createTableReplay,
  createTerminalReplay,
} from './streamChecks.ts';
import {
  type SessionEndWithoutCollect,
  type LeftoverBalance,
  findSessionEndsWithoutCollect,
  findLeftoverBalances,
} from './emptiedAccounts.ts';
import { type LimitedSessions, type LimitedSlip, SessionLimitTracker, findLimitedSlips } from './sessionLimits.ts';
import { RoleHistory, type RoleHistoryData, type RoleUse, RoleUseCollector } from './staffRoles.ts';
import { VerifyError, assertOfEntry } from './verifyError.ts';
import { type TicketEntry, findTicketEntries } from './tickets.ts';

/** Result of the check of one stream, with what the checks across all streams need from it. */
export type StreamSummary = {
  readonly entries: number;
  readonly counts: RoundAndShoeCounts;
  readonly totals: ReadonlyMap<Account, AccountTotal>;
  readonly leftovers: readonly LeftoverBalance[];
  /** Credit sessions that ended without a collect, because their credit was zero. */
  readonly emptySessions: readonly SessionEndWithoutCollect[];
  readonly tickets: readonly TicketEntry[];
  /** Credit sessions with limits; empty unless the stream is of a terminal. */
  readonly limited: LimitedSessions;
  /** Slips of credit sessions with limits; empty unless the stream is of a table. */
  readonly slips: readonly LimitedSlip[];
  /** Stakes account and its expected balance; undefined unless the stream is of a table. */
  readonly stakes: readonly [Account, number] | undefined;
  readonly owner: { readonly property: string; readonly currency: string };
  readonly head: Pick<StreamHead, 'sequence' | 'hash'>;
  /**
   * Number of stored commands that differ from the present decider and that an amendment accepts, by the number of the
   * amendment.
   */
  readonly amended: ReadonlyMap<number, number>;
  readonly shoes: CommittedShoes;
  /** Last state of a floor stream; undefined for other streams. */
  readonly floor: FloorStreamState | undefined;
  /** Last state of a staff stream; undefined for other streams. */
  readonly staff: StaffState | undefined;
  /** History of the roles of all persons; undefined unless the stream is the staff stream. */
  readonly roleHistory: RoleHistoryData | undefined;
  /** Roles of the persons who issued the commands of the stream. */
  readonly roleUses: readonly RoleUse[];
  /**
   * Schema version of a snapshot that was ignored, because this program has another version; undefined if none was
   * ignored.
   */
  readonly ignoredSnapshotVersion: number | undefined;
};

export type StreamVerifyOptions = {
  readonly seed: FingerprintSeed;
  /** Ids of the credit sessions with limits. The slips of these sessions are checked. */
  readonly limited: ReadonlySet<string>;
  readonly amendments: readonly DeciderAmendment[];
  /** Called with the number of entries read since the last call. */
  readonly onProgress: (entries: number) => void;
};

/** Check of a stream, entry by entry. `finish` must be called when all entries of a command are added. */
type StreamCheck = {
  readonly add: (entry: StoredEntry) => void;
  readonly finish: () => void;
  readonly state: unknown;
};

const streamKinds: ReadonlySet<string> = new Set(['table', 'terminal', 'floor', 'staff']);

/** Verifies one stream: hash chain, every decision, and the snapshot. Throws `VerifyError` or `DamagedStoreError`. */
export async function verifyStream(
  store: StoreReader,
  stream: string,
  options: StreamVerifyOptions,
): Promise<StreamSummary> {
  const [property = '', kind, name, ...rest] = stream.split('/');
  const hasValidName = isId(property) && isId(name) && rest.length === 0;
  if (!hasValidName || kind === undefined || !streamKinds.has(kind)) {
    assertOfEntry({ stream, sequence: 1 }, false, 'belongs to no table, terminal, floor or staff');
  }
  const counts = { rounds: 0, voids: 0, shoes: 0 };
  const shoes: CommittedShoes = new Map();
  const amended = new Map<number, number>();
  const { amendments } = options;
  const balances = new BalanceCheck(options.seed);
  const leftovers: LeftoverBalance[] = [];
  const emptySessions: SessionEndWithoutCollect[] = [];
  const tickets: TicketEntry[] = [];
  const slips: LimitedSlip[] = [];
  const table = kind === 'table' ? createTableReplay(stream, amendments, amended, counts, shoes) : undefined;
  const limits = new SessionLimitTracker();
  const roles = new RoleHistory();
  const uses = new RoleUseCollector();
  const otherReplay =
    kind === 'terminal'
      ? createTerminalReplay(stream, amendments, amended, limits)
      : kind === 'staff'
        ? createStaffReplay(stream, amendments, amended, roles)
        : createFloorReplay(stream, amendments, amended);
  const replay: StreamCheck = table ?? otherReplay;
  const snapshot = await store.snapshot(stream);
  const otherVersion = snapshot?.version === snapshotSchemaVersion ? undefined : snapshot?.version;
  let isSnapshotChecked = snapshot === undefined || otherVersion !== undefined;
  const add = (entry: StoredEntry): void => {
    balances.add(entry);
    leftovers.push(...findLeftoverBalances(entry));
    uses.add(entry);
    if (kind === 'terminal') {
      tickets.push(...findTicketEntries(entry));
      emptySessions.push(...findSessionEndsWithoutCollect(entry));
    }
    if (kind === 'table') slips.push(...findLimitedSlips(entry, options.limited));
  };
  const head = await verifyEntries(store, stream, replay, add, options.onProgress, (position) => {
    if (position.sequence === snapshot?.sequence) isSnapshotChecked ||= isSnapshotOf(snapshot, replay.state);
  });
  if (!isSnapshotChecked) throw new VerifyError(`The snapshot of ${stream} is not the state that its entries lead to.`);
  const state = table ? table.state?.settings : otherReplay.state;
  if (state === undefined) throw new VerifyError(`The stream ${stream} has no entries.`);
  return {
    entries: head.sequence,
    counts,
    totals: balances.totals,
    leftovers,
    emptySessions,
    tickets,
    limited: limits.limited,
    slips,
    stakes: table?.state && expectedStakesBalance(table.state),
    owner: { property, currency: state.currency },
    head,
    amended,
    shoes,
    floor: 'epoch' in state ? state : undefined,
    staff: 'members' in state ? state : undefined,
    roleHistory: kind === 'staff' ? roles.data : undefined,
    roleUses: uses.all,
    ignoredSnapshotVersion: otherVersion,
  };
}

const progressInterval = 5_000;

/**
 * Verifies the hash chain, that no entry is earlier than the one before it, and that each command is found by its id.
 * Returns the head of the stream.
 */
async function verifyEntries(
  store: StoreReader,
  stream: string,
  replay: StreamCheck,
  add: (entry: StoredEntry) => void,
  onProgress: (entries: number) => void,
  onCommandEnd: (head: StreamSummary['head']) => void,
): Promise<StreamSummary['head']> {
  let previous = genesisHash;
  let sequence = 0;
  let at = 0;
  let lastId: string | undefined;
  for await (const entries of store.read(stream)) {
    const ids = entries.flatMap(({ command }) => (isObject(command) ? [command.id] : []));
    const positions = await store.findCommands([...new Set(ids)]);
    for (const entry of entries) {
      assertOfEntry(entry, isWellFormed(entry), 'is not a well-formed entry');
      const { id } = entry.command;
      if (id !== lastId) {
        replay.finish();
        onCommandEnd({ sequence, hash: previous });
      }
      assertOfEntry(entry, hashEntryBody(entryBodyOf(entry)) === entry.hash, 'does not match its hash');
      assertOfEntry(entry, entry.previous === previous, 'does not follow the entry before it');
      assertOfEntry(entry, entry.at === entry.event.at, 'has another time than its event');
      assertOfEntry(entry, entry.at >= at, 'has an earlier time than the entry before it');
      if (id !== lastId) {
        const position = positions.get(id);
        assertOfEntry(entry, position !== undefined, 'cannot be found by the id of its command');
        assertOfEntry(
          entry,
          position.stream === stream && position.sequence === entry.sequence,
          () => `has the same command id as entry ${position.sequence} of ${position.stream}`,
        );
      }
      replay.add(entry);
      add(entry);
      previous = entry.hash;
      sequence = entry.sequence;
      at = entry.at;
      lastId = id;
      if (sequence % progressInterval === 0) onProgress(progressInterval);
    }
  }
  replay.finish();
  onCommandEnd({ sequence, hash: previous });
  onProgress(sequence % progressInterval);
  return { sequence, hash: previous };
}

function isSnapshotOf({ state }: Snapshot, replayed: unknown): boolean {
  return replayed !== undefined && canonicalState(state) === canonicalJson(replayed);
}

/** Canonical JSON of a saved state; undefined when it is not JSON. */
function canonicalState(state: string): string | undefined {
  try {
    return canonicalJson(JSON.parse(state));
  } catch {
    return undefined;
  }
}

function isWellFormed({ event, postings, command, ...rest }: StoredEntry): boolean {
  return (
    isObject(command) &&
    typeof command.id === 'string' &&
    isObject(event) &&
    Array.isArray(postings) &&
    postings.every(isPosting) &&
    Object.keys(rest).length === 5
  );
}

function isPosting(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { from, to, ...numbers } = value;
  return (
    typeof from === 'string' &&
    typeof to === 'string' &&
    Object.keys(numbers).length === 7 &&
    Object.values(numbers).every(Number.isSafeInteger)
  );
}
