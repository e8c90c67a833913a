import { type CommandResult, unknown } from '../../runtime/stream/pendingCommand.ts';
import { type FloorRuntime } from '../../runtime/floorRuntime.ts';
import { sessionLocked } from '../../runtime/staff/signInRefusals.ts';
import { type TableSetting } from '../../runtime/tables/tableRuntime.ts';
import { type SignInSession } from '../../staff/state.ts';
import { isRefused } from '../../base/refusal.ts';
import { type Store } from '../../store/store.ts';
import { type DeskLimits } from '../../wire/staff/cageTypes.ts';
import { type StaffClientMessage, type StaffSaysOf } from '../../wire/staff/messages.ts';
import { type TablePublisher } from '../tables/tablePublisher.ts';
import { type PatronHub } from '../patron/patronHub.ts';
import { Allowances, type ServerLimits } from '../limits/serverLimits.ts';
import { Registry } from './queries/handlers.ts';
import { Cage } from './commands/cageCommands.ts';
import { StaffCommands } from './commands/tableCommands.ts';
import { type Refused, broken, closing, tooMany, tooManyTries } from '../shared/staffRefusals.ts';
import { FloorFigures } from '../../runtime/projections/wagerTotalsCache.ts';
import { lookups } from './queries/floorQueries.ts';
import { historyQueries } from './queries/historyQueries.ts';
import { terminals } from './queries/cageQueries.ts';

type Parts = {
  readonly clock: () => number;
  readonly limits: ServerLimits;
  readonly store: Store;
  /** The key of the record. */
  readonly key: Buffer;
  /** The settings of the property's file, by table. */
  readonly settings: ReadonlyMap<string, TableSetting>;
  readonly feed: (table: string) => TablePublisher | undefined;
  readonly hub: Pick<PatronHub, 'isThere' | 'tableOf'>;
  readonly deskLimits: DeskLimits;
  /** Secrets that are tried from an address. */
  readonly tries: Allowances;
  readonly isClosing: () => boolean;
  readonly trouble: (what: string, error: unknown) => void;
};

/** What is asked with an id: it is answered with that. */
export type StaffSocketRequest = Extract<StaffClientMessage, { readonly id: string }>;
export type StaffReply = CommandResult | Refused | { readonly data: { readonly [field: string]: unknown } };

/** Where staff ask: of tables, of terminals, of the register of people, and what they only want to know. */
export class StaffRequestHandler {
  readonly #parts: Parts;
  readonly #floor: FloorRuntime;
  readonly #commands: StaffCommands;
  readonly #cage: Cage;
  readonly #asks: Registry;
  readonly #writes: Allowances;

  constructor(parts: Parts, floor: FloorRuntime) {
    const { limits, store, key, feed, hub, deskLimits } = parts;
    this.#parts = parts;
    this.#floor = floor;
    this.#commands = new StaffCommands(parts, floor);
    this.#cage = new Cage(floor);
    this.#asks = new Registry(
      lookups({ store, commands: this.#commands, feed }, floor),
      historyQueries({ store, figures: new FloorFigures({ store, key }) }, floor),
      terminals(
        {
          isThere: (terminal) => hub.isThere(terminal),
          tableOf: hub.tableOf,
          limits: deskLimits,
        },
        floor,
      ),
    );
    this.#writes = new Allowances(limits.writes, limits.writesPerSecond);
  }

  /** What is to be done once a session is over by a relief. */
  leaving(session: SignInSession, at: number): () => Promise<void> {
    return this.#commands.leaving(session, at);
  }

  /** What somebody who is signed in is answered; `address` is where the question comes from, and when it arrived counts. */
  async answer(
    session: SignInSession,
    said: StaffSocketRequest,
    address: string,
    arrived: number,
  ): Promise<StaffReply> {
    const { people } = this.#floor;
    const barred = this.#barred(address, session, said);
    if (barred) return barred;
    // A page may look things up by itself; whatever else is asked, somebody asks.
    if (said.type !== 'ask') people.seen(session.id);
    try {
      switch (said.type) {
        case 'command':
          return await this.#commands.command(session, said, arrived);
        case 'consent':
          return await this.#commands.consent(session, said, arrived);
        case 'open':
          return await this.#commands.open(session, said, arrived);
        case 'terminal':
          return await this.#cage.terminal(session, said, arrived);
        case 'pay':
          return await this.#cage.pay(session, said, arrived);
        case 'people':
          return await this.#people(session, said);
        case 'ask': {
          const data = await this.#asks.answer(session, said, arrived);
          return isRefused(data) ? data : { data };
        }
      }
    } catch (error) {
      this.#parts.trouble('what staff asked', error);
      // What can be done may be done by now: asked again with the same id, it is told.
      return said.type === 'ask' ? broken : unknown;
    }
  }

  /** Why nothing is looked at of what somebody asks. */
  #barred(address: string, { locked }: SignInSession, said: StaffSocketRequest): Refused | undefined {
    const now = this.#parts.clock();
    if (this.#parts.isClosing()) return closing;
    if (locked) return sessionLocked;
    const takesPin = 'pin' in said && said.pin !== undefined;
    if (takesPin && !this.#parts.tries.spend(address, now)) return tooManyTries;
    return this.#writes.spend(address, now) ? undefined : tooMany;
  }

  /** What is asked of the register of people; secrets and keys that it gives are told to whoever asked, once. */
  async #people(session: SignInSession, { id, asked }: StaffSaysOf<'people'>): Promise<StaffReply> {
    const { people } = this.#floor;
    const own = `${id}/${session.person}`;
    const { type, who: _who, ...fields } = asked as { type?: unknown; who?: unknown; [field: string]: unknown };
    if (type === 'SetSecret') {
      const kind = fields['kind'] === 'pin' ? 'pin' : 'password';
      const given = await people.secrets.give(own, String(fields['person']), kind, session);
      return isRefused(given) ? given : { data: given };
    }
    if (type === 'NoteName') {
      const name = typeof fields['name'] === 'string' ? fields['name'] : undefined;
      const refusal = await people.names.set(own, String(fields['person']), name, session);
      return refusal ?? { data: {} };
    }
    return people.submit(own, { ...fields, type: String(type) }, session);
  }
}
