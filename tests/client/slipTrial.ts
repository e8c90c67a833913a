import { assert } from '../../src/base/assert.ts';
import { hasSameStakes } from '../../src/rules/stakes.ts';
import { type SlipEvent } from '../../src/web/patron/slip/slipMachine.ts';
import { SlipController } from '../../src/web/patron/slip/slipController.ts';
import { acceptedStakes, visibleSlip, spotStatus } from '../../src/web/patron/slip/slipView.ts';
import { type SlipState, initialSlipState } from '../../src/web/patron/slip/slipState.ts';
import { type ClientMessageOf, type SlipStakes } from '../../src/wire/messages.ts';
import { TestTerminal } from './fakeSocket.ts';
import { TableModel, layout, table } from './tableModel.ts';

type SlipMessage = ClientMessageOf<'slip'>;

const stateText = ({ at, connection, view, own, wanted, sent, refused, missed }: SlipState): string =>
  JSON.stringify([
    at,
    connection,
    view?.phase,
    view?.round,
    own?.round?.id,
    own?.slip,
    wanted,
    sent,
    refused?.code,
    missed,
  ]);

/** The real client at a model of a table. Every state change is checked against the invariants. */
export class SlipTrial {
  readonly terminal = new TestTerminal();
  readonly model = new TableModel(this.terminal);
  readonly controller: SlipController;
  /** Slips in the order of their first send. */
  readonly sentSlips: SlipMessage[] = [];
  /** Number of resends. */
  resent = 0;
  #checkedCount = new Map<object, number>();
  #lastSent = -Infinity;
  #violation: unknown;
  #before: SlipState = initialSlipState;

  constructor() {
    const { environment } = this.terminal;
    this.controller = new SlipController(
      this.terminal.patron,
      { clock: environment.clock, after: environment.after, monotonicMs: () => this.terminal.now },
      (state) => this.#checkState(state),
    );
    this.terminal.patron.sit(table);
    this.terminal.patron.open();
  }

  get state(): SlipState {
    return this.controller.state;
  }

  get visibleStakes(): SlipStakes {
    return visibleSlip(this.state);
  }

  get isOpen(): boolean {
    const { phase, round } = this.terminal.patron.state.view ?? {};
    const { now, patron } = this.terminal;
    return phase === 'betting' || (phase === 'closing' && now + patron.state.clockOffsetMs < round!.deadline!);
  }

  dispatch(event: SlipEvent): void {
    this.controller.dispatch(event);
  }

  /** Lets pending callbacks run, then throws the first violation. */
  async flush(): Promise<void> {
    for (let n = 0; n < 6; n++) await Promise.resolve();
    if (this.#violation !== undefined) throw this.#violation;
  }

  async deliverToServer(count: number): Promise<void> {
    this.connect();
    this.model.arrive(this.model.connection, count);
    await this.flush();
  }

  async deliverToClient(count: number): Promise<void> {
    this.connect();
    const { socket, down } = this.model.connection;
    for (const message of down.splice(0, count)) {
      if (socket.readyState === 1) socket.deliver(message);
      await this.flush();
    }
  }

  /** The server accepts the connection, if there is one. */
  connect(): void {
    if (this.model.connection.socket.readyState === 0) this.model.connection.socket.accept();
  }

  /** Disconnects: messages to the terminal are lost, those from it may still arrive. */
  async disconnect(): Promise<void> {
    const { socket, down } = this.model.connection;
    down.length = 0;
    if (socket.readyState < 2) socket.drop();
    await this.flush();
  }

  async advance(time: number): Promise<void> {
    for (let left = time; left > 0; left -= 50) {
      this.terminal.advance(Math.min(left, 50));
      this.model.sendHeartbeats();
      await this.flush();
    }
  }

  /** Connected, with no message in flight. */
  async settle(): Promise<void> {
    for (let n = 0; n < 60; n++) {
      for (const line of this.model.connections) this.model.arrive(line, Infinity);
      await this.deliverToServer(Infinity);
      await this.deliverToClient(Infinity);
      await this.advance(200);
    }
    await this.deliverToServer(Infinity);
    await this.deliverToClient(Infinity);
  }

  /** Keeps the violation, because some callers await nothing. */
  #checkState(state: SlipState): void {
    const before = this.#before;
    try {
      this.#checkInvariants(state);
    } catch (error) {
      this.#violation ??= new Error(`${stateText(before)} became ${stateText(state)}`, { cause: error });
    }
  }

  /** Stakes shown as accepted were accepted, every request ends visibly, and every send is allowed. */
  #checkInvariants(state: SlipState): void {
    const before = this.#before;
    this.#before = state;
    const round = state.view?.round?.id;
    const accepted = acceptedStakes(state);
    const everAccepted = round === undefined ? [{}] : this.model.acceptedSlips.get(round)!;
    assert(
      everAccepted.some((slip) => hasSameStakes(slip, accepted)),
      'stakes shown as accepted were accepted',
    );
    for (const { wager } of layout) {
      const isIn = visibleSlip(state)[wager] === accepted[wager];
      assert(spotStatus(state, wager) !== 'accepted' || isIn, 'a spot marked as accepted shows its accepted stake');
    }
    const wasAccepted = (id: string, wanted: SlipStakes): boolean =>
      this.model.acceptedSlips.get(id)!.some((slip) => hasSameStakes(slip, wanted));
    const isReported = ({ number }: { readonly number: number }): boolean =>
      state.refused !== null || state.missed?.number === number;
    // Wanted stakes end as accepted, refused or missed, are still in flight, or were withdrawn before the send.
    if (before.wanted !== null && state.wanted === null) {
      const { slip, round: of } = before.wanted;
      const isInFlight = state.sent !== null && hasSameStakes(state.sent.slip, slip);
      const isWithdrawn = before.sent === null && hasSameStakes(visibleSlip(state), accepted);
      assert(
        wasAccepted(of, slip) || isInFlight || isWithdrawn || isReported(before.wanted),
        'wanted stakes end visibly',
      );
    }
    if (before.sent !== null && state.sent?.request !== before.sent.request) {
      assert(wasAccepted(before.sent.round, before.sent.slip) || isReported(before.sent), 'a sent slip ends visibly');
    }
    this.#checkSent();
  }

  #checkSent(): void {
    for (const socket of this.terminal.sockets) {
      const from = this.#checkedCount.get(socket) ?? 0;
      this.#checkedCount.set(socket, socket.sent.length);
      for (const message of socket.sent.slice(from)) if (message.type === 'slip') this.#checkSlip(message);
    }
  }

  #checkSlip(message: SlipMessage): void {
    const first = this.sentSlips.find(({ id }) => id === message.id);
    if (first !== undefined) {
      assert(JSON.stringify(message) === JSON.stringify(first), 'a resend equals the first send');
      this.resent += 1;
      return;
    }
    const { now, patron } = this.terminal;
    const { view, clockOffsetMs } = patron.state;
    this.sentSlips.push(message);
    assert(this.isOpen, 'nothing is sent after the close');
    assert(message.round === view!.round!.id, 'a slip is for the round of the view');
    for (const { wager, minimum, maximum } of layout) {
      const stake = message.slip[wager] ?? minimum;
      assert(stake >= minimum && stake <= maximum, 'sent stakes are within the limits');
    }
    // No slip is delayed just before the close; otherwise at most three a second are sent.
    const left = (view!.round!.deadline ?? view!.round!.closesAt) - (now + clockOffsetMs);
    assert(now - this.#lastSent >= 334 || left <= 334, 'at most three slips a second are sent');
    this.#lastSent = now;
  }
}
