import { type StaffEvent } from '../staff/events.ts';
import { isObject } from '../base/schema.ts';
import { quoteForMessage } from '../base/refusal.ts';
import { expandPayload } from '../store/commandRecord.ts';
import { type StreamHead, type StoredEntry } from '../store/store.ts';
import { assertOfEntry } from './verifyError.ts';
import { type StreamSummary } from './verifyStream.ts';

// Check of the roles of staff. A command of a staff member names the entry of the staff stream that granted the role.

/**
 * Maximum time between the decision of a command and its append, in milliseconds. If the role is revoked in this time,
 * the command is still valid.
 */
const leewayMs = 60_000;

/**
 * Maximum difference between the clocks of two nodes, in milliseconds: each clock differs from the clock of the
 * database by at most 200 ms.
 */
const maxClockDifferenceMs = 400;

const valueText = (value: unknown): string => (typeof value === 'string' ? value : quoteForMessage(value));

type EntryTime = { readonly sequence: number; readonly at: number };

/** Use of a role in one stream: all commands of one person, in one role, granted by one entry of the staff stream. */
export type RoleUse = {
  readonly person: unknown;
  readonly role: unknown;
  readonly acting: unknown;
  readonly until: unknown;
  /** Sequence of the entry that granted the role; undefined if the command names no such entry. */
  readonly grant: unknown;
  readonly first: EntryTime;
  readonly last: EntryTime;
};

export class RoleUseCollector {
  readonly #uses = new Map<string, RoleUse>();
  /**
   * Uses for which the command names no granting entry. They are allowed only before the first enrolment of a person.
   */
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

/** History of staff roles: which person had which role, from which entry of the staff stream to which. */
export class RoleHistory {
  /**
   * Time of the first enrolment of a person. Every command of a person after this time must name the entry that granted
   * the role.
   */
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

  /** The history as plain data, which can be passed between threads. */
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
 * Throws unless the named entry granted every role, and no role was revoked more than `leewayMs` before its use. In a
 * cluster (epochs above 0), the times of grant and use may come from different clocks.
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
      () => `is by ${valueText(person)}, but does not name the entry that grants the role`,
    );
    return;
  }
  const entryTime =
    history !== undefined && Number.isInteger(grant) ? history.entryTimes[Number(grant) - 1] : undefined;
  assertOfEntry(
    firstEntry,
    entryTime !== undefined,
    () => `names entry ${valueText(grant)} of the staff stream, which does not exist`,
  );
  assertOfEntry(
    firstEntry,
    entryTime <= first.at + leewayMs,
    () => `names entry ${valueText(grant)} of the staff stream, which is later`,
  );
  const isValidAt = ({ since, end }: RoleSpan): boolean =>
    since <= Number(grant) && (end?.sequence ?? Infinity) > Number(grant);
  const span = history!.roles.find(
    (candidate) => candidate.person === person && candidate.role === role && isValidAt(candidate),
  );
  assertOfEntry(
    firstEntry,
    span !== undefined,
    () => `is by ${valueText(person)}, who did not have the role ${valueText(role)} at entry ${valueText(grant)}`,
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
      () => `is by ${valueText(person)}, who did not act in the role ${valueText(acting)} at entry ${valueText(grant)}`,
    );
    endedAt = Math.min(endedAt, actingSpan.end?.at ?? Infinity);
  }
  assertOfEntry(
    lastEntry,
    last.at <= endedAt + leewayMs,
    () => `is by ${valueText(person)}, whose role ${valueText(acting ?? role)} had ended before`,
  );
}
