import { isDeepStrictEqual } from 'node:util';
import { type StaffReply, type StaffSocketRequest } from '../../../src/server/staff/requestHandler.ts';
import { type CommandRecord, type StoredEntry } from '../../../src/store/store.ts';
import { codeOf } from './door.ts';
import { Orders, nameOf, noAnswer } from './orders.ts';
import { Proposals } from './proposals.ts';
import { Roster, type Standing } from './roster.ts';

type Asking = { readonly said: StaffSocketRequest; readonly isBarred: boolean };

/**
 * The books of a stranger about the staff: what they asked and were told, who was signed in when, and what two of them did
 * together. They share no code with what decides.
 */
export class StaffBooks {
  readonly orders = new Orders();
  /** As far as the floor was told of the register. */
  readonly #known = new Roster();
  readonly #written = new Set<string>();
  readonly #live: readonly string[];
  readonly #events: { [type: string]: number } = {};

  /** `live` are the tables that people deal at. */
  constructor(live: readonly string[]) {
    this.#live = live;
  }

  /** The floor was told of these entries. */
  told(entries: readonly StoredEntry[]): void {
    for (const entry of entries) if (isPeople(entry)) this.#known.take(entry);
  }

  /** These entries are on the disk from now on. */
  wrote(entries: readonly StoredEntry[]): void {
    for (const { command, event, stream } of entries) {
      this.#written.add(command.id.split('/')[0]!);
      const [, kind, name] = stream.split('/');
      // What happens at tables without people is no matter of theirs.
      if (kind === 'table' && !this.#live.includes(name!)) continue;
      const isPass = name!.startsWith('cage-') && event.type === 'CreditCollected';
      const what = isPass ? 'TicketPaid' : event.type;
      this.#events[what] = (this.#events[what] ?? 0) + 1;
      if (event.type !== 'IrregularityFound') continue;
      const found = `${event.type}: ${String(event['kind'])}`;
      this.#events[found] = (this.#events[found] ?? 0) + 1;
    }
  }

  /** What the staff did, and what happened of it. */
  counts() {
    const { accepted, refused } = this.orders;
    return { staff: { accepted, refused, events: this.#events } };
  }

  /** Somebody asks, having been let in by that session. */
  request(said: StaffSocketRequest, session: string): Asking {
    this.orders.request(said);
    return { said, isBarred: !this.#known.isIn(session) && !this.#written.has(said.id) };
  }

  /** The floor answers; gives what is wrong with that. */
  answered({ said, isBarred }: Asking, answer: StaffReply): string | undefined {
    const code = codeOf(answer);
    this.orders.answered(said.id, code);
    if (code === 'broken') return `${said.id} (${nameOf(said)}) broke the desk`;
    if (code !== undefined) return this.#refusedWrongly(said, code);
    if (isBarred) return `${said.id} (${nameOf(said)}) was accepted of somebody who was signed out or locked out`;
    if ('entries' in answer && !this.#written.has(said.id))
      return `${said.id} (${nameOf(said)}) was accepted and does not stand in the record`;
    return undefined;
  }

  /** Whoever hears why something cannot be takes it for not done. */
  #refusedWrongly(said: StaffSocketRequest, code: string): string | undefined {
    return this.#written.has(said.id) && !noAnswer.has(code)
      ? `${said.id} (${nameOf(said)}) was refused (${code}) and stands in the record`
      : undefined;
  }

  gone(): void {
    this.orders.gone();
  }

  /** One reading of a whole record; the register comes first. */
  audit(): StaffAudit {
    return new StaffAudit(this.orders);
  }
}

const isPeople = ({ stream }: StoredEntry): boolean => stream.split('/')[1] === 'staff';

export class StaffAudit {
  readonly wrong: string[] = [];
  /** Proposals that were carried out, and whatever else a ruling came to. */
  rulings = 0;
  readonly #orders: Orders;
  readonly #roster = new Roster();
  readonly #proposals = new Map<string, Proposals>();
  readonly #booked = new Map<string, number>();
  #last: { stream: string; id: string } | undefined;

  constructor(orders: Orders) {
    this.#orders = orders;
  }

  take(entry: StoredEntry): void {
    const { stream, command, event } = entry;
    if (isPeople(entry)) this.#roster.take(entry);
    const isFirst = this.#last?.stream !== stream || this.#last.id !== command.id;
    this.#last = { stream, id: command.id };
    if (stream.split('/')[1] === 'table') this.#proposalsOf(stream).take(entry, isFirst);
    const [id] = command.id.split('/');
    const said = this.#orders.said(id!);
    const asked = 'request' in command && command.request.actor;
    if (said === undefined) {
      const isPerson = asked && 'person' in asked;
      if (isPerson) this.wrong.push(`${event.type} ${command.id} at ${stream} was asked by nobody of the staff`);
      return;
    }
    if (isFirst) this.#booked.set(id!, (this.#booked.get(id!) ?? 0) + 1);
    if ('request' in command) this.#given(entry, command, said);
  }

  #proposalsOf(stream: string): Proposals {
    const known = this.#proposals.get(stream) ?? new Proposals(stream);
    this.#proposals.set(stream, known);
    return known;
  }

  /** The first entry of a command tells what was asked, by whom, and by which entries of the register. */
  #given(
    { event, stream, sequence }: StoredEntry,
    { request, context }: CommandRecord,
    said: StaffSocketRequest,
  ): void {
    const at = `${said.id} (${nameOf(said)}) at ${stream} ${sequence}`;
    const { actor, second } = request as unknown as { actor: { person: string }; second?: { person: string } };
    const posts = context as { authority?: object; grant?: unknown; secondAuthority?: object; secondGrant?: unknown };
    const isFor = (one: { table: string; proposal: string; hash: string }): boolean =>
      said.type === 'consent'
        ? one.table === said.table && one.proposal === said.proposal && one.hash === said.hash
        : said.type === 'terminal' && one.table === said.terminal && one.proposal === 'pay';
    for (const [person, post, held, mayConsent] of [
      [actor.person, posts.authority, posts.grant, said.type === 'consent'],
      [second?.person, posts.secondAuthority, posts.secondGrant, true],
    ] as const) {
      if (person === undefined) continue;
      const standing = { person, held, ...post } as Standing;
      const problem = this.#roster.problem(standing, (consent) => mayConsent && isFor(consent));
      if (problem) this.wrong.push(`${at}: ${problem}`);
    }
    if (second?.person === actor.person) this.wrong.push(`${at} was done by one person alone`);
    const problem = unlike(said, event);
    if (problem) this.wrong.push(`${at}: ${problem}`);
  }

  close(): readonly string[] {
    for (const proposals of this.#proposals.values()) {
      this.wrong.push(...proposals.wrong);
      this.rulings += proposals.carriedOut;
    }
    this.wrong.push(...this.#orders.unlike(this.#booked));
    return this.wrong;
  }

  said(id: string): StaffSocketRequest | undefined {
    return this.#orders.said(id.split('/')[0]!);
  }
}

/** What was asked and is named in the event as well says the same there. */
function unlike(said: StaffSocketRequest, { type, ...event }: StoredEntry['event']): string | undefined {
  if (!('request' in said)) return undefined;
  const { type: _type, ...request } = said.request as { [field: string]: unknown };
  const says = (type === 'Proposed' ? event['command'] : event) as { readonly [field: string]: unknown };
  const wrong = Object.keys(request).find(
    (field) => field in says && !renamed.has(`${type} ${field}`) && !isDeepStrictEqual(says[field], request[field]),
  );
  return (
    wrong &&
    `was asked with ${wrong} ${JSON.stringify(request[wrong])}, and ${type} says ${JSON.stringify(says[wrong])}`
  );
}

/** What goes by one name in what is asked and by the same in what happens, and means another thing. */
const renamed: ReadonlySet<string> = new Set([
  'IrregularityFound kind',
  'ActingRoleGranted from',
  'Interrupted since',
  'InterruptionLogged since',
]);
