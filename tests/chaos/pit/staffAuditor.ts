import { isDeepStrictEqual } from 'node:util';
import { type StaffReply, type StaffSocketRequest } from '../../../src/server/staff/staffRequestHandler.ts';
import { type CommandRecord, type StoredEntry } from '../../../src/store/store.ts';
import { codeOf } from './staffPort.ts';
import { StaffRequests, requestName, inconclusiveCodes } from './staffRequests.ts';
import { Proposals } from './proposals.ts';
import { Roster, type ClaimedAuthority } from './roster.ts';

type SentRequest = { readonly request: StaffSocketRequest; readonly isBarred: boolean };

/**
 * Independent auditor of the staff: requests and replies, sign-in sessions, and approvals. It shares no code with the
 * deciders.
 */
export class StaffAuditor {
  readonly requests = new StaffRequests();
  /** Roster as far as the floor has read it. */
  readonly #roster = new Roster();
  readonly #storedIds = new Set<string>();
  readonly #live: readonly string[];
  readonly #events: { [type: string]: number } = {};

  /** `live` are the attended tables. */
  constructor(live: readonly string[]) {
    this.#live = live;
  }

  /** The floor has received these entries. */
  recordReceived(entries: readonly StoredEntry[]): void {
    for (const entry of entries) if (isStaffEntry(entry)) this.#roster.add(entry);
  }

  /** These entries are stored from now on. */
  recordAppend(entries: readonly StoredEntry[]): void {
    for (const { command, event, stream } of entries) {
      this.#storedIds.add(command.id.split('/')[0]!);
      const [, kind, name] = stream.split('/');
      // Events of unattended tables do not count.
      if (kind === 'table' && !this.#live.includes(name!)) continue;
      const isPass = name!.startsWith('cage-') && event.type === 'CreditCollected';
      const eventName = isPass ? 'TicketPaid' : event.type;
      this.#events[eventName] = (this.#events[eventName] ?? 0) + 1;
      if (event.type !== 'IrregularityFound') continue;
      const found = `${event.type}: ${String(event['kind'])}`;
      this.#events[found] = (this.#events[found] ?? 0) + 1;
    }
  }

  /** Requests of staff and the events that followed. */
  counts() {
    const { accepted, refused } = this.requests;
    return { staff: { accepted, refused, events: this.#events } };
  }

  /** A staff member of this session sends a request. */
  recordRequest(request: StaffSocketRequest, session: string): SentRequest {
    this.requests.recordRequest(request);
    return { request, isBarred: !this.#roster.isSignedIn(session) && !this.#storedIds.has(request.id) };
  }

  /** The floor replies; gives the problem of the reply. */
  checkReply({ request, isBarred }: SentRequest, answer: StaffReply): string | undefined {
    const code = codeOf(answer);
    this.requests.recordReply(request.id, code);
    if (code === 'broken') return `${request.id} (${requestName(request)}) broke the request handler`;
    if (code !== undefined) return this.#wrongRefusal(request, code);
    if (isBarred) return `${request.id} (${requestName(request)}) was accepted after sign-out or lock`;
    if ('entries' in answer && !this.#storedIds.has(request.id))
      return `${request.id} (${requestName(request)}) was accepted and is not stored`;
    return undefined;
  }

  /** A conclusive refusal means that the command is not stored. */
  #wrongRefusal(request: StaffSocketRequest, code: string): string | undefined {
    return this.#storedIds.has(request.id) && !inconclusiveCodes.has(code)
      ? `${request.id} (${requestName(request)}) was refused (${code}) and is stored`
      : undefined;
  }

  recordFloorStop(): void {
    this.requests.recordFloorStop();
  }

  /** One audit of an event store; the staff stream is read first. */
  audit(): StaffAudit {
    return new StaffAudit(this.requests);
  }
}

const isStaffEntry = ({ stream }: StoredEntry): boolean => stream.split('/')[1] === 'staff';

export class StaffAudit {
  readonly problems: string[] = [];
  /** Approved proposals. */
  rulings = 0;
  readonly #requests: StaffRequests;
  readonly #roster = new Roster();
  readonly #proposals = new Map<string, Proposals>();
  readonly #storedCounts = new Map<string, number>();
  #last: { stream: string; id: string } | undefined;

  constructor(requests: StaffRequests) {
    this.#requests = requests;
  }

  add(entry: StoredEntry): void {
    const { stream, command, event } = entry;
    if (isStaffEntry(entry)) this.#roster.add(entry);
    const isFirst = this.#last?.stream !== stream || this.#last.id !== command.id;
    this.#last = { stream, id: command.id };
    if (stream.split('/')[1] === 'table') this.#proposalsOf(stream).add(entry, isFirst);
    const [id] = command.id.split('/');
    const request = this.#requests.requestOf(id!);
    const actor = 'request' in command && command.request.actor;
    if (request === undefined) {
      const isByStaff = actor && 'person' in actor;
      if (isByStaff) this.problems.push(`${event.type} ${command.id} at ${stream} was requested by no staff member`);
      return;
    }
    if (isFirst) this.#storedCounts.set(id!, (this.#storedCounts.get(id!) ?? 0) + 1);
    if ('request' in command) this.#checkCommand(entry, command, request);
  }

  #proposalsOf(stream: string): Proposals {
    const proposals = this.#proposals.get(stream) ?? new Proposals(stream);
    this.#proposals.set(stream, proposals);
    return proposals;
  }

  /** The first entry of a command has its request, its actors, and the roster entries that authorise them. */
  #checkCommand(
    { event, stream, sequence }: StoredEntry,
    { request: recorded, context }: CommandRecord,
    request: StaffSocketRequest,
  ): void {
    const at = `${request.id} (${requestName(request)}) at ${stream} ${sequence}`;
    const { actor, second } = recorded as unknown as { actor: { person: string }; second?: { person: string } };
    const authorities = context as {
      authority?: object;
      grant?: unknown;
      secondAuthority?: object;
      secondGrant?: unknown;
    };
    // A hand-pay is approved by number and PIN, as a proposal at a table is; the actor is the person who signed.
    const isHandPayApproval = request.type === 'terminal' && request.request['type'] === 'ApproveHandPay';
    const isFor = (one: { table: string; proposal: string; hash: string }): boolean => {
      if (request.type === 'consent')
        return one.table === request.table && one.proposal === request.proposal && one.hash === request.hash;
      if (request.type !== 'terminal' || one.table !== request.terminal) return false;
      const { proposal, hash } = request.request;
      return isHandPayApproval ? one.proposal === proposal && one.hash === hash : one.proposal === 'pay';
    };
    for (const [person, authority, grant, mayConsent] of [
      [actor.person, authorities.authority, authorities.grant, request.type === 'consent' || isHandPayApproval],
      [second?.person, authorities.secondAuthority, authorities.secondGrant, true],
    ] as const) {
      if (person === undefined) continue;
      const claimed = { person, grant, ...authority } as ClaimedAuthority;
      const problem = this.#roster.problem(claimed, (consent) => mayConsent && isFor(consent));
      if (problem) this.problems.push(`${at}: ${problem}`);
    }
    if (second?.person === actor.person) this.problems.push(`${at} was done by one person`);
    const problem = mismatch(request, event);
    if (problem) this.problems.push(`${at}: ${problem}`);
  }

  close(): readonly string[] {
    for (const proposals of this.#proposals.values()) {
      this.problems.push(...proposals.problems);
      this.rulings += proposals.carriedOut;
    }
    this.problems.push(...this.#requests.mismatches(this.#storedCounts));
    return this.problems;
  }

  requestOf(id: string): StaffSocketRequest | undefined {
    return this.#requests.requestOf(id.split('/')[0]!);
  }
}

/** Fields of the request have the same values in the event. */
function mismatch(request: StaffSocketRequest, { type, ...event }: StoredEntry['event']): string | undefined {
  if (!('request' in request)) return undefined;
  const { type: _type, ...fields } = request.request as { [field: string]: unknown };
  const recorded = (type === 'Proposed' ? event['command'] : event) as { readonly [field: string]: unknown };
  const differing = Object.keys(fields).find(
    (field) =>
      field in recorded &&
      !ambiguousFields.has(`${type} ${field}`) &&
      !isDeepStrictEqual(recorded[field], fields[field]),
  );
  return (
    differing &&
    `was requested with ${differing} ${JSON.stringify(fields[differing])}, and ${type} has ${JSON.stringify(recorded[differing])}`
  );
}

/** Fields of an event that share a name with the request but have another meaning. */
const ambiguousFields: ReadonlySet<string> = new Set([
  'IrregularityFound kind',
  'ActingRoleGranted from',
  'Interrupted since',
  'InterruptionLogged since',
]);
