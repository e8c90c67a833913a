import { type PatronClient, type PatronClientState } from '../../../client/patronClient.ts';
import { type ClientEnvironment } from '../../../client/environment.ts';
import { type SlipEvent, nextTimeoutMs, reduceSlipState } from './slipMachine.ts';
import { type SlipState, initialSlipState } from './slipState.ts';

type Clock = Pick<ClientEnvironment, 'clock' | 'after'> & {
  /** Monotonic time in ms, which does not follow changes of the system clock. */
  readonly monotonicMs: () => number;
};

/**
 * Connects the slip machine to a patron client and a screen. It turns changes of the client into events of the machine,
 * and sends the slips of the machine.
 */
export class SlipController {
  readonly #patron: PatronClient;
  readonly #clock: Clock;
  readonly #onChange: (state: SlipState) => void;
  #state: SlipState = initialSlipState;
  #lastState: PatronClientState | undefined;
  #cancel: (() => void) | undefined;

  constructor(patron: PatronClient, clock: Clock, onChange: (state: SlipState) => void) {
    this.#patron = patron;
    this.#clock = clock;
    this.#onChange = onChange;
    this.#onClientState(patron.state);
    patron.watch((state) => this.#onClientState(state));
  }

  get state(): SlipState {
    return this.#state;
  }

  dispatch(...events: readonly SlipEvent[]): void {
    const at = this.#clock.clock() + this.#patron.state.clockOffsetMs;
    for (const event of [{ type: 'time', at, monotonicMs: this.#clock.monotonicMs() } as const, ...events])
      this.#reduce(event);
    this.#cancel?.();
    const due = nextTimeoutMs(this.#state);
    this.#cancel = due === null ? undefined : this.#clock.after(due, () => this.dispatch());
    this.#onChange(this.#state);
  }

  #reduce(event: SlipEvent): void {
    const { state, messages } = reduceSlipState(this.#state, event);
    this.#state = state;
    for (const { request, table, round, slip } of messages) {
      void this.#patron.slip(table, round, slip).then((answer) => this.dispatch({ type: 'answer', request, answer }));
    }
  }

  #onClientState(state: PatronClientState): void {
    const last = this.#lastState;
    this.#lastState = state;
    const { table, connection, view, own, balance } = state;
    const events: SlipEvent[] = [];
    if (table !== last?.table) events.push({ type: 'table', table });
    if (connection !== last?.connection) events.push({ type: 'connection', connection });
    if (view !== last?.view) events.push({ type: 'view', view });
    if (balance !== last?.balance) events.push({ type: 'balance', balance });
    if (own !== last?.own) events.push({ type: 'own', own });
    // A new estimate of the server time may show that bets are closed.
    if (events.length > 0 || state.clockOffsetMs !== last?.clockOffsetMs) this.dispatch(...events);
  }
}
