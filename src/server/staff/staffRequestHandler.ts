import { type CommandResult } from '../../runtime/stream/pendingCommand.ts';
import { type FinalRefusal, asFinalRefusal, resultUnknownRefusal } from '../../runtime/stream/refusals.ts';
import { type FloorRuntime } from '../../runtime/floorRuntime.ts';
import { sessionLockedRefusal } from '../../runtime/staff/signInRefusals.ts';
import { type UncheckedTableSettings } from '../../runtime/tables/tableRuntime.ts';
import { type SignInSession } from '../../staff/state.ts';
import { isRefused } from '../../base/refusal.ts';
import { type Store } from '../../store/store.ts';
import { type CageLimits } from '../../wire/staff/cageTypes.ts';
import { type StaffClientMessage, type StaffClientMessageOf } from '../../wire/staff/messages.ts';
import { type PublicViewBuilder } from '../tables/publicViewBuilder.ts';
import { type PatronHub } from '../patron/patronHub.ts';
import { type ServerLimits } from '../limits/serverLimits.ts';
import { KeyedTokenBuckets } from '../limits/tokenBucket.ts';
import { QueryDispatcher } from './queries/queryDispatcher.ts';
import { CageCommandHandler } from './commands/cageCommandHandler.ts';
import { lacksSecondPin, pinRequiredRefusal } from './commands/secondPerson.ts';
import { TableCommandHandler } from './commands/tableCommandHandler.ts';
import { WagerTotalsCache } from '../../runtime/projections/wagerTotalsCache.ts';
import { createFloorQueries } from './queries/floorQueries.ts';
import { createHistoryQueries } from './queries/historyQueries.ts';
import { createCageQueries } from './queries/cageQueries.ts';
import {
  type ServerRefusal,
  serverDefectRefusal,
  serverClosingRefusal,
  tooManySignInAttemptsRefusal,
  tooManyWritesRefusal,
} from '../refusals/serverRefusals.ts';

type StaffRequestDependencies = {
  readonly clock: () => number;
  readonly limits: ServerLimits;
  readonly store: Store;
  readonly key: Buffer;
  /** Table settings of the property file, by table. */
  readonly settings: ReadonlyMap<string, UncheckedTableSettings>;
  readonly builderOf: (table: string) => PublicViewBuilder | undefined;
  readonly patronHub: Pick<PatronHub, 'isConnected' | 'tableOf'>;
  readonly cageLimits: CageLimits;
  /** Rate limit of checks of PINs, passwords and codes, per client address. */
  readonly secretAttempts: KeyedTokenBuckets;
  readonly isClosing: () => boolean;
  readonly warn: (subject: string, error: unknown) => void;
};

/** Messages of staff that expect a reply: all messages with an id. */
export type StaffSocketRequest = Extract<StaffClientMessage, { readonly id: string }>;
export type StaffReply = CommandResult | { readonly data: { readonly [field: string]: unknown } };

export class StaffRequestHandler {
  readonly #dependencies: StaffRequestDependencies;
  readonly #floor: FloorRuntime;
  readonly #commands: TableCommandHandler;
  readonly #cage: CageCommandHandler;
  readonly #queries: QueryDispatcher;
  readonly #writeLimit: KeyedTokenBuckets;

  constructor(dependencies: StaffRequestDependencies, floor: FloorRuntime) {
    const { limits, store, key, builderOf, patronHub, cageLimits } = dependencies;
    this.#dependencies = dependencies;
    this.#floor = floor;
    const sessionRefusal = (session: SignInSession): ServerRefusal | undefined => this.#sessionRefusal(session);
    this.#commands = new TableCommandHandler({ ...dependencies, sessionRefusal }, floor);
    this.#cage = new CageCommandHandler(floor, sessionRefusal);
    this.#queries = new QueryDispatcher(
      createFloorQueries({ store, commands: this.#commands, builderOf }, floor),
      createHistoryQueries({ store, totals: new WagerTotalsCache({ store, key }) }, floor),
      createCageQueries(
        {
          isConnected: (terminal) => patronHub.isConnected(terminal),
          tableOf: patronHub.tableOf,
          limits: cageLimits,
        },
        floor,
      ),
    );
    this.#writeLimit = new KeyedTokenBuckets(limits.writeBurst, limits.writesPerSecond);
  }

  /**
   * Makes a function that withdraws the open proposals of the person who is signed in. Call this method before the
   * relief of that person, and the function after it.
   */
  withdrawalOnLeave(session: SignInSession, at: number): () => Promise<void> {
    return this.#commands.withdrawalOnLeave(session, at);
  }

  /**
   * Handles a request. `address` is the key for limits per client address; `arrivedAt` becomes the time of the command.
   */
  async answer(
    session: SignInSession,
    message: StaffSocketRequest,
    address: string,
    arrivedAt: number,
  ): Promise<StaffReply> {
    const { staff } = this.#floor;
    const refusal = this.#limitRefusal(address, message);
    if (refusal) return refusal;
    // Pages also send queries by themselves. So only a request of another type shows that the person is active.
    if (message.type !== 'query') staff.touch(session.id);
    try {
      switch (message.type) {
        case 'command':
          return await this.#commands.command(session, message, arrivedAt);
        case 'consent':
          return await this.#commands.consent(session, message, arrivedAt);
        case 'open':
          return await this.#commands.open(session, message, arrivedAt);
        case 'terminal':
          return await this.#cage.terminalCommand(session, message, arrivedAt);
        case 'pay':
          return await this.#cage.pay(session, message, arrivedAt);
        case 'staff':
          return await this.#staffCommand(session, message);
        case 'query': {
          const data = this.#sessionRefusal(session) ?? (await this.#queries.answer(session, message, arrivedAt));
          return isRefused(data) ? asFinalRefusal(data) : { data };
        }
      }
    } catch (error) {
      this.#dependencies.warn('a staff request', error);
      // The command may be stored; a resend with the same id gets its result.
      return message.type === 'query' ? serverDefectRefusal : resultUnknownRefusal;
    }
  }

  #limitRefusal(address: string, message: StaffSocketRequest): FinalRefusal | undefined {
    const now = this.#dependencies.clock();
    if (lacksSecondPin(message)) return pinRequiredRefusal;
    const hasPin = 'pin' in message && message.pin !== undefined;
    if (hasPin && !this.#dependencies.secretAttempts.take(address, now)) return tooManySignInAttemptsRefusal;
    return this.#writeLimit.take(address, now) ? undefined : tooManyWritesRefusal;
  }

  #sessionRefusal({ locked }: SignInSession): ServerRefusal | undefined {
    if (this.#dependencies.isClosing()) return serverClosingRefusal;
    return locked ? sessionLockedRefusal : undefined;
  }

  /**
   * Submits a command to the staff stream. A command that sets a PIN or password gets the new PIN or password in the
   * reply. A resend does not get it again.
   */
  async #staffCommand(session: SignInSession, { id, request }: StaffClientMessageOf<'staff'>): Promise<StaffReply> {
    const { staff } = this.#floor;
    const commandId = `${id}/${session.person}`;
    const { type, actor: _who, ...fields } = request as { type?: unknown; actor?: unknown; [field: string]: unknown };
    const refusal = this.#sessionRefusal(session);
    if (type === 'SetSecret' && refusal === undefined) {
      const kind = fields['kind'] === 'pin' ? 'pin' : 'password';
      const secret = await staff.secrets.issue(commandId, String(fields['person']), kind, session);
      return isRefused(secret) ? secret : { data: secret };
    }
    if (type === 'NoteName') {
      const name = typeof fields['name'] === 'string' ? fields['name'] : undefined;
      const person = String(fields['person']);
      if (refusal) {
        const noteName = { type, person, erased: name === undefined };
        const result = await staff.refuse(commandId, noteName, session, refusal);
        return isRefused(result) ? result : { data: {} };
      }
      return (await staff.names.set(commandId, person, name, session)) ?? { data: {} };
    }
    // If a `SetSecret` is stored already, its resend is refused with `command-reused`, because the stored command has a
    // mark that the request lacks. So the secret is not shown again.
    if (refusal) return staff.refuse(commandId, { ...fields, type: String(type) }, session, refusal);
    return staff.submit(commandId, { ...fields, type: String(type) }, session);
  }
}
