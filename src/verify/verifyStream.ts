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
import { Balances, type Seed, type Total } from './balances.ts';
import { type TableCounts, type CommittedShoes, journalReplay, openStakes, peopleReplay, tableReplay, terminalReplay } from './streamChecks.ts';
import { type EndedEmpty, type LeftoverBalance, endedIn, findLeftovers } from './emptiedAccounts.ts';
import { type Limited, type LimitedSlip, LimitTracker, limitedSlipIn } from './sessionLimits.ts';
import { RoleHistory, type Registered, type Use, Uses } from './staffRoles.ts';
import { VerifyError, claim } from './verifyError.ts';
import { type TicketMove, ticketMoveIn } from './tickets.ts';

/** What is known of one stream once it was read to its end. */
export type StreamSummary = {
  readonly entries: number;
  readonly played: TableCounts;
  readonly totals: ReadonlyMap<Account, Total>;
  /** What was left where nothing was to be. */
  readonly left: readonly LeftoverBalance[];
  /** The sessions of a terminal that ended with nothing left. */
  readonly ended: readonly EndedEmpty[];
  /** The tickets that a terminal issued and paid. */
  readonly tickets: readonly TicketMove[];
  /** What the patrons of a terminal have set. */
  readonly limited: Limited;
  /** The slips at a table of sessions that something is set for. */
  readonly slips: readonly LimitedSlip[];
  /** The account of a table's stakes, and what it holds by the slips of its table. */
  readonly stakes: readonly [Account, number] | undefined;
  readonly owner: { readonly property: string; readonly currency: string };
  readonly head: Pick<StreamHead, 'sequence' | 'hash'>;
  /** How often each amendment let the record stand. */
  readonly amended: ReadonlyMap<number, number>;
  /** The virtual shoes of a table. */
  readonly shoes: CommittedShoes;
  /** The journal of a floor. */
  readonly journal: FloorState | undefined;
  /** The people of a property, and who held which post when. */
  readonly people: StaffState | undefined;
  readonly register: Registered | undefined;
  /** The posts that persons asked in. */
  readonly uses: readonly Use[];
  /** The form of a snapshot that was passed over, since it is not the form of today. */
  readonly otherForm: number | undefined;
};

export type StreamCheckOptions = {
  readonly seed: Seed;
  /** The sessions whose slips are held against what is set for them. */
  readonly limited: ReadonlySet<string>;
  readonly amendments: readonly Amendment[];
  /** Called now and then with how many more entries were read. */
  readonly told: (entries: number) => void;
};

/** What a stream is held to, entry by entry; `finish` is told that the entries of a command are all there. */
type Check = { readonly take: (entry: StoredEntry) => void; readonly finish: () => void; readonly state: unknown };

const kinds: ReadonlySet<string> = new Set(['table', 'terminal', 'journal', 'people']);

/** One stream held to its chain, its decider and its snapshot. */
export async function verifyStream(
  store: StoreReader,
  stream: string,
  asking: StreamCheckOptions,
): Promise<StreamSummary> {
  const [property = '', kind, name, ...more] = stream.split('/');
  const named = isId(property) && isId(name) && more.length === 0;
  if (!named || kind === undefined || !kinds.has(kind)) {
    claim({ stream, sequence: 1 }, false, 'is of neither a table nor a terminal nor a journal nor people');
  }
  const played = { rounds: 0, voids: 0, shoes: 0 };
  const shoes: CommittedShoes = new Map();
  const amended = new Map<number, number>();
  const { amendments } = asking;
  const balances = new Balances(asking.seed);
  const left: LeftoverBalance[] = [];
  const ended: EndedEmpty[] = [];
  const tickets: TicketMove[] = [];
  const slips: LimitedSlip[] = [];
  const table = kind === 'table' ? tableReplay(stream, amendments, amended, played, shoes) : undefined;
  const set = new LimitTracker();
  const register = new RoleHistory();
  const uses = new Uses();
  const other =
    kind === 'terminal'
      ? terminalReplay(stream, amendments, amended, set)
      : kind === 'people'
        ? peopleReplay(stream, amendments, amended, register)
        : journalReplay(stream, amendments, amended);
  const check: Check = table ?? other;
  const snapshot = await store.snapshot(stream);
  const otherForm = snapshot?.form === snapshotSchemaVersion ? undefined : snapshot?.form;
  let isMet = snapshot === undefined || otherForm !== undefined;
  const add = (entry: StoredEntry): void => {
    balances.add(entry);
    left.push(...findLeftovers(entry));
    uses.take(entry);
    if (kind === 'terminal') {
      tickets.push(...ticketMoveIn(entry));
      ended.push(...endedIn(entry));
    }
    if (kind === 'table') slips.push(...limitedSlipIn(entry, asking.limited));
  };
  const head = await verifyEntries(store, stream, check, add, asking.told, (at) => {
    if (at.sequence === snapshot?.sequence) isMet ||= isSnapshotOf(snapshot, check.state);
  });
  if (!isMet) throw new VerifyError(`The snapshot of ${stream} is not what its entries lead to.`);
  const state = table ? table.state?.setting : other.state;
  if (state === undefined) throw new VerifyError(`The stream ${stream} has no entries.`);
  return {
    entries: head.sequence,
    played,
    totals: balances.totals,
    left,
    ended,
    tickets,
    limited: set.limited,
    slips,
    stakes: table?.state && openStakes(table.state),
    owner: { property, currency: state.currency },
    head,
    amended,
    shoes,
    journal: 'epoch' in state ? state : undefined,
    people: 'members' in state ? state : undefined,
    register: kind === 'people' ? register.registered : undefined,
    uses: uses.all,
    otherForm,
  };
}

/** So many entries are read between two words on how far it is. */
const between = 5_000;

/** Every entry follows the one before it, in its chain and in time, and names its command. */
async function verifyEntries(
  store: StoreReader,
  stream: string,
  check: Check,
  add: (entry: StoredEntry) => void,
  told: (entries: number) => void,
  passed: (head: StreamSummary['head']) => void,
): Promise<StreamSummary['head']> {
  let previous = genesisHash;
  let sequence = 0;
  let at = 0;
  let last: string | undefined;
  for await (const entries of store.read(stream)) {
    const named = entries.flatMap(({ command }) => (isObject(command) ? [command.id] : []));
    const known = await store.findCommands([...new Set(named)]);
    for (const entry of entries) {
      claim(entry, isWellFormed(entry), 'is not an entry as it must be');
      const { id } = entry.command;
      if (id !== last) {
        check.finish();
        passed({ sequence, hash: previous });
      }
      claim(entry, hashOfBody(bodyOf(entry)) === entry.hash, 'does not give the hash it was written with');
      claim(entry, entry.previous === previous, 'does not follow the entry before it');
      claim(entry, entry.at === entry.event.at, 'has another time than its event');
      claim(entry, entry.at >= at, 'is of an earlier time than the entry before it');
      if (id !== last) {
        const place = known.get(id);
        claim(entry, place !== undefined, 'cannot be found by the id of its command');
        claim(
          entry,
          place.stream === stream && place.sequence === entry.sequence,
          () => `bears the id of the command that begins at entry ${place.sequence} of ${place.stream}`,
        );
      }
      check.take(entry);
      add(entry);
      previous = entry.hash;
      sequence = entry.sequence;
      at = entry.at;
      last = id;
      if (sequence % between === 0) told(between);
    }
  }
  check.finish();
  passed({ sequence, hash: previous });
  told(sequence % between);
  return { sequence, hash: previous };
}

/** Whether a state that was saved is the one that the entries lead to. */
function isSnapshotOf({ state }: Snapshot, reached: unknown): boolean {
  return reached !== undefined && readable(state) === canonicalJson(reached);
}

/** A saved state in its canonical form; undefined for what is none. */
function readable(state: string): string | undefined {
  try {
    return canonicalJson(JSON.parse(state));
  } catch {
    return undefined;
  }
}

/** Whether an entry has all its parts and no others. */
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
