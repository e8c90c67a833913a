import { isId } from '../base/commonSchemas.ts';
import { type Account } from '../ledger/accounts.ts';
import { isObject } from '../base/schema.ts';
import { canonicalJson } from '../base/canonicalJson.ts';
import { genesisHash, bodyOf, hashOfBody } from '../store/hashChain.ts';
import { type FloorState } from '../floor/state.ts';
import { type StaffState } from '../staff/state.ts';
import { type StreamHead, type StoreReader, type Snapshot, type StoredEntry } from '../store/store.ts';
import { snapshotSchemaVersion } from '../store/snapshot.ts';
import { type Amendment } from './amendments.ts';
import { BalanceCheck, type Seed, type AccountTotal } from './balances.ts';
import {
  type TableCounts,
  type CommittedShoes,
  floorReplay,
  openStakes,
  staffReplay,
  tableReplay,
  terminalReplay,
} from './streamChecks.ts';
import { type EmptySession, type LeftoverBalance, findEmptySessions, findLeftovers } from './emptiedAccounts.ts';
import { type LimitedSessions, type LimitedSlip, LimitTracker, findLimitedSlip } from './sessionLimits.ts';
import { RoleHistory, type RoleHistoryData, type RoleUse, RoleUses } from './staffRoles.ts';
import { VerifyError, claim } from './verifyError.ts';
import { type TicketEntry, findTicketEntries } from './tickets.ts';

/** Result of the check of one stream. */
export type StreamSummary = {
  readonly entries: number;
  readonly counts: TableCounts;
  readonly totals: ReadonlyMap<Account, AccountTotal>;
  readonly leftovers: readonly LeftoverBalance[];
  /** Sessions that ended with nothing to collect. */
  readonly emptySessions: readonly EmptySession[];
  readonly tickets: readonly TicketEntry[];
  /** Sessions with limits at a terminal. */
  readonly limited: LimitedSessions;
  /** Slips of limited sessions at a table. */
  readonly slips: readonly LimitedSlip[];
  /** Stakes account of a table and the amount of its open slips. */
  readonly stakes: readonly [Account, number] | undefined;
  readonly owner: { readonly property: string; readonly currency: string };
  readonly head: Pick<StreamHead, 'sequence' | 'hash'>;
  /** Number of uses of each amendment. */
  readonly amended: ReadonlyMap<number, number>;
  readonly shoes: CommittedShoes;
  /** State of the floor stream. */
  readonly floor: FloorState | undefined;
  /** State of the staff stream, and its role history. */
  readonly staff: StaffState | undefined;
  readonly roleHistory: RoleHistoryData | undefined;
  /** Roles in which persons gave commands. */
  readonly roleUses: readonly RoleUse[];
  /** Schema version of a snapshot that was ignored because it is not the present one. */
  readonly ignoredSnapshotVersion: number | undefined;
};

export type StreamCheckOptions = {
  readonly seed: Seed;
  /** Sessions whose slips are checked against their limits. */
  readonly limited: ReadonlySet<string>;
  readonly amendments: readonly Amendment[];
  /** Called with the number of entries read since the last call. */
  readonly onProgress: (entries: number) => void;
};

/** `finish` is called once all entries of a command were passed. */
type StreamCheck = {
  readonly add: (entry: StoredEntry) => void;
  readonly finish: () => void;
  readonly state: unknown;
};

const streamKinds: ReadonlySet<string> = new Set(['table', 'terminal', 'floor', 'staff']);

/** Checks one stream: hash chain, decider and snapshot. */
export async function verifyStream(
  store: StoreReader,
  stream: string,
  options: StreamCheckOptions,
): Promise<StreamSummary> {
  const [property = '', kind, name, ...rest] = stream.split('/');
  const hasValidName = isId(property) && isId(name) && rest.length === 0;
  if (!hasValidName || kind === undefined || !streamKinds.has(kind)) {
    claim({ stream, sequence: 1 }, false, 'belongs to no table, terminal, floor or staff');
  }
  const counts = { rounds: 0, voids: 0, shoes: 0 };
  const shoes: CommittedShoes = new Map();
  const amended = new Map<number, number>();
  const { amendments } = options;
  const balances = new BalanceCheck(options.seed);
  const leftovers: LeftoverBalance[] = [];
  const emptySessions: EmptySession[] = [];
  const tickets: TicketEntry[] = [];
  const slips: LimitedSlip[] = [];
  const table = kind === 'table' ? tableReplay(stream, amendments, amended, counts, shoes) : undefined;
  const limits = new LimitTracker();
  const roles = new RoleHistory();
  const uses = new RoleUses();
  const otherReplay =
    kind === 'terminal'
      ? terminalReplay(stream, amendments, amended, limits)
      : kind === 'staff'
        ? staffReplay(stream, amendments, amended, roles)
        : floorReplay(stream, amendments, amended);
  const replay: StreamCheck = table ?? otherReplay;
  const snapshot = await store.snapshot(stream);
  const otherVersion = snapshot?.version === snapshotSchemaVersion ? undefined : snapshot?.version;
  let isSnapshotChecked = snapshot === undefined || otherVersion !== undefined;
  const add = (entry: StoredEntry): void => {
    balances.add(entry);
    leftovers.push(...findLeftovers(entry));
    uses.add(entry);
    if (kind === 'terminal') {
      tickets.push(...findTicketEntries(entry));
      emptySessions.push(...findEmptySessions(entry));
    }
    if (kind === 'table') slips.push(...findLimitedSlip(entry, options.limited));
  };
  const head = await verifyEntries(store, stream, replay, add, options.onProgress, (position) => {
    if (position.sequence === snapshot?.sequence) isSnapshotChecked ||= isSnapshotOf(snapshot, replay.state);
  });
  if (!isSnapshotChecked) throw new VerifyError(`The snapshot of ${stream} is not what its entries lead to.`);
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
    stakes: table?.state && openStakes(table.state),
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

/** Checks the hash chain, the order of times and the command of every entry. */
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
      claim(entry, isWellFormed(entry), 'is not an entry as it must be');
      const { id } = entry.command;
      if (id !== lastId) {
        replay.finish();
        onCommandEnd({ sequence, hash: previous });
      }
      claim(entry, hashOfBody(bodyOf(entry)) === entry.hash, 'does not give the hash it was written with');
      claim(entry, entry.previous === previous, 'does not follow the entry before it');
      claim(entry, entry.at === entry.event.at, 'has another time than its event');
      claim(entry, entry.at >= at, 'is of an earlier time than the entry before it');
      if (id !== lastId) {
        const position = positions.get(id);
        claim(entry, position !== undefined, 'cannot be found by the id of its command');
        claim(
          entry,
          position.stream === stream && position.sequence === entry.sequence,
          () => `bears the id of the command that begins at entry ${position.sequence} of ${position.stream}`,
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

/** Undefined when the state is no JSON. */
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
