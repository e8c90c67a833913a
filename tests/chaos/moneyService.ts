import { type RandomSource } from '../../src/runtime/ports/random.ts';
import { type CommandResult } from '../../src/runtime/stream/pendingCommand.ts';
import { type FloorRuntime } from '../../src/runtime/floorRuntime.ts';
import { type Auditor } from './audit/auditor.ts';
import { type LimitRequest } from './patrons/patronLimits.ts';
import { type MoneyRequest } from './patrons/patronMoney.ts';
import { type StoredEntry } from '../../src/store/store.ts';
import { type Lifetime } from './lifetime.ts';
import { type Network } from './faults/network.ts';
import { type MoneyResult } from './patrons/patron.ts';

/** Carries money requests of patrons to the present floor. */
export class MoneyService {
  /** Lost tickets: any patron may redeem one, paid or not. */
  readonly tickets: string[] = [];
  readonly #network: Network;
  readonly #auditor: Pick<Auditor, 'money' | 'limits'>;
  readonly #random: RandomSource;
  readonly #currentLifetime: () => Lifetime | undefined;
  /** Receives unexpected errors. */
  readonly #onError: (error: unknown, what: string) => void;

  constructor(
    network: Network,
    auditor: Pick<Auditor, 'money' | 'limits'>,
    random: RandomSource,
    lifetime: () => Lifetime | undefined,
    onError: (error: unknown, what: string) => void,
  ) {
    this.#network = network;
    this.#auditor = auditor;
    this.#random = random;
    this.#currentLifetime = lifetime;
    this.#onError = onError;
  }

  /** Loads, collects or redeems; the request may be lost or duplicated on the network. */
  requestMoney(request: MoneyRequest, terminal: string, onReply: (paid: MoneyResult) => void): void {
    this.#network.transmit(() => this.#sendMoney(request, terminal, onReply));
  }

  /** Sets a session limit or break over the same network. */
  setLimit(request: LimitRequest, terminal: string, onReply: () => void): void {
    this.#network.transmit(() => this.#sendLimit(request, terminal, onReply));
  }

  #sendLimit(request: LimitRequest, terminal: string, onReply: () => void): void {
    const lifetime = this.#currentLifetime();
    if (lifetime?.openFloor === undefined) return;
    const { limits } = this.#auditor;
    limits.recordRequest(request);
    const { id, ...rest } = request;
    const payload = { type: 'stake' in rest ? 'LimitSession' : 'PauseSession', ...rest };
    const answer = (result: CommandResult): void => {
      if (!lifetime.isAlive) return;
      const isDone = !('refused' in result);
      if (!isDone && (result.refused === 'result-unknown' || result.refused === 'cannot-record')) return;
      limits.recordReply(id, isDone ? limitOf(result.entries[0]!, terminal) : undefined);
      this.#network.transmit(() => {
        if (lifetime.isAlive || this.#random.below(2) === 0) onReply();
      });
    };
    lifetime.openFloor.terminals.submit(terminal, id, payload).then(answer, (error: unknown) => {
      if (lifetime.isAlive) this.#onError(error, `${id} broke`);
    });
  }

  #sendMoney(request: MoneyRequest, terminal: string, onReply: (paid: MoneyResult) => void): void {
    const lifetime = this.#currentLifetime();
    if (lifetime?.openFloor === undefined) return;
    this.#auditor.money.recordRequest(request);
    const answer = (paid: MoneyResult): void => {
      if (!lifetime.isAlive) return;
      // No result yet: the patron sends the request again.
      if ('code' in paid && (paid.code === 'result-unknown' || paid.code === 'cannot-record')) return;
      this.#auditor.money.recordReply(request.id, 'reply' in paid ? paid.reply : null);
      this.#network.transmit(() => {
        // After a kill a reply in flight arrives or is lost.
        if (lifetime.isAlive || this.#random.below(2) === 0) onReply(paid);
      });
    };
    submitMoney(lifetime.openFloor, request, terminal).then(answer, (error: unknown) => {
      if (lifetime.isAlive) this.#onError(error, `${request.id} broke`);
    });
  }
}

/** Result of a money request. */
async function submitMoney(
  { terminals, tickets }: FloorRuntime,
  request: MoneyRequest,
  terminal: string,
): Promise<MoneyResult> {
  const { id, amount, number } = request;
  if (number === undefined && amount === null) {
    const collected = await tickets.collect(terminal, id);
    if ('refused' in collected) return { code: collected.refused };
    const { ticket } = collected;
    return { reply: { amount: collected.amount, ...(ticket && { number: ticket.number }) } };
  }
  const result = await (number === undefined
    ? terminals.submit(terminal, id, { type: 'LoadCredit', method: 'bill', amount, bill: amount })
    : tickets.redeem(terminal, id, number));
  if (result === undefined) return { code: 'unknown-ticket' };
  if ('refused' in result) return { code: result.refused };
  return { reply: { amount: Number(result.entries[0]!.event['amount']) } };
}

/** Session of a limit, and the end of a break. */
const limitOf = ({ event }: StoredEntry, terminal: string) => ({
  session: `${terminal}.${String(event['session'])}`,
  until: Number(event['until'] ?? 0),
});
