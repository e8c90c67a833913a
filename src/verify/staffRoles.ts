import { type StaffEvent } from '../staff/events.ts';
import { isObject } from '../base/schema.ts';
import { quoted } from '../base/refusal.ts';
import { expandPayload } from '../store/commandRecord.ts';
import { type StreamHead, type StoredEntry } from '../store/store.ts';
import { assertOfEntry } from './verifyError.ts';
import { type StreamSummary } from './verifyStream.ts';

// A staff member acts in a role granted by an entry of the staff stream; the command names that entry.

/** A command may be stored this long after its role was revoked, if it was decided before. */
const leewayMs = 60_000;

/** Between two nodes of a cluster: each is at most 200 ms from the database's clock. */
const maxClockDifferenceMs = 400;

const valueText = (value: unknown): string => (typeof value === 'string' ? value : quoted(value));

type EntryTime = { readonly sequence: number; readonly at: number };

/** Commands of one person in one role by one entry of the staff stream: the first and the last. */
export type RoleUse = {
  readonly person: unknown;
  readonly role: unknown;
  readonly acting: unknown;
  readonly until: unknown;
  /** Sequence of the entry; undefined where none was named. */
  readonly grant: unknown;
  readonly first: EntryTime;
  readonly last: EntryTime;
};

/** The role uses of one stream. */
export class RoleUseCollector {
  readonly #uses = new Map<string, RoleUse>();
  /** Uses that name no entry; the role history decides whether that is allowed. */
  readonly #withoutEntry: RoleUse[] = [];

  add(entry: StoredEntry): void {
    const { command: record, event } = entry;
    if (!('request' in record) || !isObject(record.request) || !isObject(record.context)) return;
    if (!Array.isArray(record.request['same'])) return;
    const { actor, second } = expandPayload(record.request, event);
    const { authority, grant, secondAuthority, secondGrant } = record.context;
    this.#add(entry, actor, authority, grant);
    this.#add(entry, second, secondAuthority, secondGrant);
  }

  #add({ sequence, at }: StoredEntry, actor: unknown, authority: unknown, grant: unknown): void {
    if (!isObject(actor) || actor['person'] === undefined) return;
    const { role, acting, until } = isObject(authority) ? authority : {};
    const time = { sequence, at };
    const use = { person: actor['person'], role, acting, until, grant, first: time, last: time };
    if (grant === undefined) {
      this.#withoutEntry.push(use);
      return;
    }
    const key = JSON.stringify([use.person, role, acting, until, grant]);
    this.#uses.set(key, { ...use, first: this.#uses.get(key)?.first ?? time });
  }

  get all(): readonly RoleUse[] {
    return [...this.#withoutEntry, ...this.#uses.values()];
  }
}

type RoleSpan = { readonly person: string; readonly role: string; readonly since: number; end?: EntryTime };
type ActingRoleSpan = RoleSpan & { readonly acting: string; readonly from: number; readonly until: number };

/** Who had which role, from which entry of the staff stream to which. */
export class RoleHistory {
  /** Time of the first enrolment; after it, every command of a person must name an entry. */
  firstEnrolledAt: number | undefined;
  readonly entryTimes: number[] = [];
  readonly roles: RoleSpan[] = [];
  readonly actingRoles: ActingRoleSpan[] = [];

  add({ sequence, at }: StoredEntry, event: StaffEvent): void {
    this.entryTimes.push(at);
    const end = { sequence, at };
    if (event.type === 'PersonEnrolled') this.firstEnrolledAt ??= at;
    if (event.type === 'PersonEnrolled' || event.type === 'RolesChanged')
      this.#setRoles(event.person, event.roles, end);
    if (event.type === 'PersonEnded') this.#setRoles(event.person, [], end);
    if (event.type === 'ActingRoleGranted') {
      const { acting, person, role, from, until } = event;
      this.actingRoles.push({ acting, person, role, from, until, since: sequence });
    }
    if (event.type === 'ActingRoleEnded') {
      for (const acting of this.actingRoles) if (acting.acting === event.acting) acting.end = end;
    }
  }

  /** Plain data, to pass between threads. */
  get data(): RoleHistoryData {
    const { firstEnrolledAt: enrolled, entryTimes: times, roles, actingRoles: acted } = this;
    return { firstEnrolledAt: enrolled, entryTimes: times, roles, actingRoles: acted };
  }

  #setRoles(person: string, roles: readonly string[], time: EntryTime): void {
    const current = this.roles.filter((span) => span.person === person && span.end === undefined);
    for (const span of current) if (!roles.includes(span.role)) span.end = time;
    const added = roles.filter((role) => current.every((span) => span.role !== role));
    for (const role of added) this.roles.push({ person, role, since: time.sequence });
  }
}

export type RoleHistoryData = Pick<RoleHistory, 'firstEnrolledAt' | 'entryTimes' | 'roles' | 'actingRoles'>;

/**
 * Every role was granted by the named entry and not revoked long before. In a cluster (epochs above 0) one clock has granted
 * the role and another dates its use.
 */
export function verifyStaffRoles(
  summaries: ReadonlyMap<string, Pick<StreamSummary, 'roleUses' | 'owner' | 'roleHistory'>>,
  heads: ReadonlyMap<string, Pick<StreamHead, 'epoch'>>,
): void {
  const toleranceMs = [...heads.values()].some(({ epoch }) => epoch > 0) ? maxClockDifferenceMs : 0;
  for (const [stream, { roleUses: uses, owner }] of summaries) {
    const register = summaries.get(`${owner.property}/staff/main`)?.roleHistory;
    for (const use of uses) verifyRoleUse(stream, use, register, toleranceMs);
  }
}

function verifyRoleUse(stream: string, use: RoleUse, history: RoleHistoryData | undefined, toleranceMs: number): void {
  const { person, role, acting, until, grant, first, last } = use;
  const [firstEntry, lastEntry] = [
    { stream, ...first },
    { stream, ...last },
  ];
  if (grant === undefined) {
    const needsEntry = history?.firstEnrolledAt !== undefined && first.at > history.firstEnrolledAt;
    assertOfEntry(
      firstEntry,
      !needsEntry,
      () => `is by ${valueText(person)}, and does not name the entry that grants the role`,
    );
    return;
  }
  const entryTime =
    history !== undefined && Number.isInteger(grant) ? history.entryTimes[Number(grant) - 1] : undefined;
  assertOfEntry(
    firstEntry,
    entryTime !== undefined,
    () => `names entry ${valueText(grant)} of the register of people, which is not there`,
  );
  assertOfEntry(
    firstEntry,
    entryTime <= first.at + leewayMs,
    () => `names entry ${valueText(grant)} of the register of people, which is later`,
  );
  const isValidAt = ({ since, end }: RoleSpan): boolean =>
    since <= Number(grant) && (end?.sequence ?? Infinity) > Number(grant);
  const span = history!.roles.find(
    (candidate) => candidate.person === person && candidate.role === role && isValidAt(candidate),
  );
  assertOfEntry(
    firstEntry,
    span !== undefined,
    () => `is by ${valueText(person)}, who did not hold the role ${valueText(role)} by entry ${valueText(grant)}`,
  );
  let endedAt = span.end?.at ?? Infinity;
  if (acting !== undefined) {
    const actingSpan = history!.actingRoles.find(
      (candidate) =>
        candidate.person === person && candidate.role === acting && candidate.until === until && isValidAt(candidate),
    );
    const wasGranted = actingSpan !== undefined && actingSpan.from <= first.at + toleranceMs;
    assertOfEntry(
      firstEntry,
      wasGranted,
      () => `is by ${valueText(person)}, who did not act in the role ${valueText(acting)} by entry ${valueText(grant)}`,
    );
    endedAt = Math.min(endedAt, actingSpan.end?.at ?? Infinity);
  }
  assertOfEntry(
    lastEntry,
    last.at <= endedAt + leewayMs,
    () => `is by ${valueText(person)}, whose role ${valueText(acting ?? role)} had ended before`,
  );
}
