import { type RandomSource } from '../../../src/runtime/ports/random.ts';
import { type FloorRuntime } from '../../../src/runtime/floorRuntime.ts';
import { type StaffService } from '../../../src/runtime/staff/staffService.ts';
import { type UncheckedTableSettings } from '../../../src/runtime/tables/tableRuntime.ts';
import { isRefused } from '../../../src/base/refusal.ts';
import { defaultServerLimits } from '../../../src/server/limits/serverLimits.ts';
import { KeyedTokenBuckets } from '../../../src/server/limits/tokenBucket.ts';
import { asFinalRefusal } from '../../../src/runtime/stream/refusals.ts';
import { serverClosingRefusal, notSignedInRefusal } from '../../../src/server/refusals/serverRefusals.ts';
import {
  type StaffReply,
  type StaffSocketRequest,
  StaffRequestHandler,
} from '../../../src/server/staff/staffRequestHandler.ts';
import { type Lifetime } from '../lifetime.ts';
import { type Network } from '../faults/network.ts';
import { type TestClock } from '../time.ts';
import { type StaffAuditor } from './staffAuditor.ts';

export type StaffPortOptions = {
  readonly time: TestClock;
  readonly network: Network;
  readonly random: RandomSource;
  readonly currentLifetime: () => Lifetime | undefined;
  readonly staffAuditor: StaffAuditor;
  readonly key: Buffer;
  readonly settings: readonly UncheckedTableSettings[];
  readonly onError: (error: unknown, what: string) => void;
  readonly report: (what: string) => void;
};

/** Token and id of a sign-in session. */
export type SessionCredentials = { readonly token: string; readonly session: string };

const endless = 1e9;

/** Connection of staff to the present floor: the same network as patrons, and the request handler of the server. */
export class StaffPort {
  readonly #options: StaffPortOptions;
  readonly #handlers = new WeakMap<FloorRuntime, StaffRequestHandler>();

  constructor(options: StaffPortOptions) {
    this.#options = options;
  }

  /** The floor while it accepts requests. */
  get floor(): FloorRuntime | undefined {
    return this.#options.currentLifetime()?.openFloor;
  }

  /** A request with an id; it or its reply may be lost. */
  send(credentials: SessionCredentials, request: StaffSocketRequest, onReply: (handleReply: StaffReply) => void): void {
    this.#options.network.transmit(() => this.#handle(credentials, request, onReply));
  }

  /** Sign-in, relief or lock: a call without an id. */
  request<T>(call: (staff: StaffService) => Promise<T>, onReply: (handleReply: T) => void): void {
    const { network, onError } = this.#options;
    network.transmit(() => {
      const lifetime = this.#options.currentLifetime();
      if (lifetime?.openFloor === undefined) return;
      call(lifetime.openFloor.staff).then(
        (handleReply) => this.#reply(lifetime, () => onReply(handleReply)),
        (error: unknown) => lifetime.isAlive && onError(error, 'A request of staff'),
      );
    });
  }

  #handle(
    credentials: SessionCredentials,
    request: StaffSocketRequest,
    onReply: (handleReply: StaffReply) => void,
  ): void {
    const { staffAuditor, time, report, onError } = this.#options;
    const lifetime = this.#options.currentLifetime();
    if (lifetime?.floor === undefined) return;
    if (lifetime.parking) {
      this.#reply(lifetime, () => onReply(asFinalRefusal(serverClosingRefusal)));
      return;
    }
    const session = lifetime.floor.staff.sessionByToken(credentials.token);
    const sent = staffAuditor.recordRequest(request, credentials.session);
    const handleReply = (reply: StaffReply): void => {
      if (!lifetime.isAlive) return;
      const problem = staffAuditor.checkReply(sent, reply);
      if (problem) report(problem);
      this.#reply(lifetime, () => onReply(reply));
    };
    if (session === undefined) {
      handleReply(notSignedInRefusal);
      return;
    }
    this.#handlerOf(lifetime.floor, lifetime)
      .answer(session, request, credentials.session, time.now)
      .then(handleReply, (error: unknown) => lifetime.isAlive && onError(error, `${request.id} broke`));
  }

  #reply(lifetime: Lifetime, onReply: () => void): void {
    const { network, random } = this.#options;
    if (!lifetime.isAlive) return;
    network.transmit(() => {
      // After a kill a reply in flight arrives or is lost.
      if (lifetime.isAlive || random.below(2) === 0) onReply();
    });
  }

  #handlerOf(floor: FloorRuntime, lifetime: Lifetime): StaffRequestHandler {
    const existing = this.#handlers.get(floor);
    if (existing) return existing;
    const { time, key, settings, onError } = this.#options;
    const handler = new StaffRequestHandler(
      {
        clock: time.clock,
        limits: { ...defaultServerLimits, writeBurst: endless, writesPerSecond: endless },
        store: lifetime.faultyStore.store,
        key,
        settings: new Map(settings.map((setting) => [setting.table, setting])),
        builderOf: () => undefined,
        patronHub: { isConnected: () => true, tableOf: () => null },
        cageLimits: { handPay: null, nameFrom: null },
        secretAttempts: new KeyedTokenBuckets(endless, endless),
        isClosing: () => lifetime.parking,
        warn: (what, error) => lifetime.isAlive && onError(error, what),
      },
      floor,
    );
    this.#handlers.set(floor, handler);
    return handler;
  }
}

export const codeOf = (handleReply: StaffReply): string | undefined =>
  isRefused(handleReply) ? handleReply.refused : undefined;
