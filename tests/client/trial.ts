import { assert } from '../../src/base/assert.ts';
import { areSameStakes } from '../../src/rules/stakes.ts';
import { type Event } from '../../src/web/patron/slip/slipMachine.ts';
import { SlipRun } from '../../src/web/patron/slip/slipController.ts';
import { acceptedOf, visibleSlip, spotStatus } from '../../src/web/patron/slip/slipView.ts';
import { type State, initial } from '../../src/web/patron/slip/slipState.ts';
import { type ClientMessageOf, type SlipStakes } from '../../src/wire/messages.ts';
import { Machine } from './fake.ts';
import { Model, layout, table } from './model.ts';

type Asked = ClientMessageOf<'slip'>;

const briefly = ({ at, link, view, own, wanted, sent, refused, missed }: State): string =>
  JSON.stringify([at, link, view?.phase, view?.round, own?.round?.id, own?.slip, wanted, sent, refused?.code, missed]);

/** A terminal with the real client at a model of a table; whatever happens, what must always hold is looked at. */
export class Trial {
  readonly machine = new Machine();
  readonly model = new Model(this.machine);
  readonly run: SlipRun;
  /** Every slip that was sent for the first time, in order. */
  readonly request: Asked[] = [];
  /** So often something was sent again. */
  resent = 0;
  #looked = new Map<object, number>();
  #lastSent = -Infinity;
  #wrong: unknown;
  #before: State = initial;

  constructor() {
    const { world } = this.machine;
    this.run = new SlipRun(
      this.machine.patron,
      { clock: world.clock, after: world.after, ran: () => this.machine.now },
      (state) => this.#look(state),
    );
    this.machine.patron.sit(table);
    this.machine.patron.open();
  }

  get state(): State {
    return this.run.state;
  }

  get felt(): SlipStakes {
    return visibleSlip(this.state);
  }

  get isOpen(): boolean {
    const { phase, round } = this.machine.patron.state.view ?? {};
    const { now, patron } = this.machine;
    return phase === 'betting' || (phase === 'closing' && now + patron.state.clockOffsetMs < round!.deadline!);
  }

  act(event: Event): void {
    this.run.dispatch(event);
  }

  /** Answers are heard a moment after they have come. */
  async heard(): Promise<void> {
    for (let n = 0; n < 6; n++) await Promise.resolve();
    if (this.#wrong !== undefined) throw this.#wrong;
  }

  async up(count: number): Promise<void> {
    this.connect();
    this.model.arrive(this.model.line, count);
    await this.heard();
  }

  async down(count: number): Promise<void> {
    this.connect();
    const { socket, down } = this.model.line;
    for (const tell of down.splice(0, count)) {
      if (socket.readyState === 1) socket.tells(tell);
      await this.heard();
    }
  }

  /** The call is taken, where there is one. */
  connect(): void {
    if (this.model.line.socket.readyState === 0) this.model.line.socket.opens();
  }

  /** The line breaks: what is under way to the terminal is lost, what is under way from it may still arrive. */
  async cut(): Promise<void> {
    const { socket, down } = this.model.line;
    down.length = 0;
    if (socket.readyState < 2) socket.ends();
    await this.heard();
  }

  async pass(time: number): Promise<void> {
    for (let left = time; left > 0; left -= 50) {
      this.machine.pass(Math.min(left, 50));
      this.model.beat();
      await this.heard();
    }
  }

  /** The link is there, and everything has arrived. */
  async quiet(): Promise<void> {
    for (let n = 0; n < 60; n++) {
      for (const line of this.model.lines) this.model.arrive(line, Infinity);
      await this.up(Infinity);
      await this.down(Infinity);
      await this.pass(200);
    }
    await this.up(Infinity);
    await this.down(Infinity);
  }

  /** Also where it is called by what nobody waits for. */
  #look(state: State): void {
    const before = this.#before;
    try {
      this.#check(state);
    } catch (error) {
      this.#wrong ??= new Error(`${briefly(before)} became ${briefly(state)}`, { cause: error });
    }
  }

  /** What is shown as accepted has stood, what ends is told, and what is sent may be sent. */
  #check(state: State): void {
    const before = this.#before;
    this.#before = state;
    const round = state.view?.round?.id;
    const shown = acceptedOf(state);
    const everStood = round === undefined ? [{}] : this.model.stood.get(round)!;
    assert(
      everStood.some((slip) => areSameStakes(slip, shown)),
      'what is shown as accepted has stood',
    );
    for (const { wager } of layout) {
      const isIn = visibleSlip(state)[wager] === shown[wager];
      assert(spotStatus(state, wager) !== 'accepted' || isIn, 'what is marked as accepted lies there');
    }
    const hasStood = (id: string, wanted: SlipStakes): boolean =>
      this.model.stood.get(id)!.some((slip) => areSameStakes(slip, wanted));
    const isTold = ({ number }: { readonly number: number }): boolean =>
      state.refused !== null || state.missed?.number === number;
    // What was wanted ends as accepted, refused or missed, is still under way, or was taken back before it went.
    if (before.wanted !== null && state.wanted === null) {
      const { slip, round: of } = before.wanted;
      const isUnderWay = state.sent !== null && areSameStakes(state.sent.slip, slip);
      const isTakenBack = before.sent === null && areSameStakes(visibleSlip(state), shown);
      assert(hasStood(of, slip) || isUnderWay || isTakenBack || isTold(before.wanted), 'what was wanted ends');
    }
    if (before.sent !== null && state.sent?.ask !== before.sent.ask) {
      assert(hasStood(before.sent.round, before.sent.slip) || isTold(before.sent), 'what was sent ends');
    }
    this.#checkSent();
  }

  #checkSent(): void {
    for (const socket of this.machine.sockets) {
      const from = this.#looked.get(socket) ?? 0;
      this.#looked.set(socket, socket.said.length);
      for (const ask of socket.said.slice(from)) if (ask.type === 'slip') this.#checkAsk(ask);
    }
  }

  #checkAsk(ask: Asked): void {
    const known = this.request.find(({ id }) => id === ask.id);
    if (known !== undefined) {
      assert(JSON.stringify(ask) === JSON.stringify(known), 'what is sent again is the same');
      this.resent += 1;
      return;
    }
    const { now, patron } = this.machine;
    const { view, clockOffsetMs } = patron.state;
    this.request.push(ask);
    assert(this.isOpen, 'nothing is sent after the close');
    assert(ask.round === view!.round!.id, 'a slip is for the round in sight');
    for (const { wager, minimum, maximum } of layout) {
      const stake = ask.slip[wager] ?? minimum;
      assert(stake >= minimum && stake <= maximum, 'what is sent is within its limits');
    }
    // Before the close none is held back; otherwise there are three in a second at most.
    const left = (view!.round!.deadline ?? view!.round!.closesAt) - (now + clockOffsetMs);
    assert(now - this.#lastSent >= 334 || left <= 334, 'three slips go in a second at most');
    this.#lastSent = now;
  }
}
