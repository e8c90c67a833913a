import {
  type ClientMessage,
  type ClientMessageOf,
  type ServerMessage,
  type SlipStakes,
} from '../../src/wire/messages.ts';
import { protocolVersion } from '../../src/wire/protocolVersion.ts';
import { type TerminalTableView, type View } from '../../src/wire/tableView.ts';
import { type FakeSocket, type Machine } from './fake.ts';

// Reference model of a table, written independently of the real one, with a network of any delay.

export const table = 'tiger';
export const layout = [
  { wager: 'player', name: 'Player', minimum: 500, maximum: 5_000 },
  { wager: 'tie', name: 'Tie', minimum: 100, maximum: 1_000 },
  { wager: 'banker', name: 'Banker', minimum: 600, maximum: 5_000 },
];
export const tray = [100, 600, 2_500];
export const totalMinimum = 500;
const grace = 500;
/** Offset of the server's clock to that of the terminal, in milliseconds. */
export const ahead = 1_370;

const totalOf = (slip: SlipStakes): number => Object.values(slip).reduce((sum, stake) => sum + stake, 0);

/** One connection with messages in flight. The client may have left it long before the server notices. */
type Line = {
  readonly socket: FakeSocket;
  /** Number of client messages that have arrived. */
  arrived: number;
  readonly down: ServerMessage[];
  isSeated: boolean;
  version: number;
  own: number;
};

/** The server, its only terminal, and the connections between them. */
export class Model {
  readonly #machine: Machine;
  readonly lines: Line[] = [];
  phase: View['phase'] = 'idle';
  round: { id: string; number: number; closesAt: number; deadline: number | null } | null = null;
  stopped: View['stopped'] = null;
  credit = 8_000;
  slip: SlipStakes = {};
  rebet: SlipStakes = {};
  /** Every slip that was ever accepted, by round. */
  readonly stood = new Map<string, SlipStakes[]>();
  readonly #accepted = new Map<string, ClientMessageOf<'slip'>>();
  #beatAt = 0;

  constructor(machine: Machine) {
    this.#machine = machine;
  }

  get now(): number {
    return this.#machine.now + ahead;
  }

  /** The current connection. */
  get line(): Line {
    for (const socket of this.#machine.sockets.slice(this.lines.length)) {
      this.lines.push({ socket, arrived: 0, down: [], isSeated: false, version: 0, own: 0 });
    }
    return this.lines.at(-1)!;
  }

  /** Client messages arrive, also on a connection that the client has left. */
  arrive(line: Line, count: number): void {
    const { said } = line.socket;
    for (const ask of said.slice(line.arrived, line.arrived + count)) this.hear(line, ask);
    line.arrived = Math.min(said.length, line.arrived + count);
  }

  /** Handles a client message, which may be a duplicate. */
  hear(line: Line, ask: ClientMessage): void {
    if (ask.type === 'hello')
      line.down.push({ type: 'welcome', v: protocolVersion, at: this.now, terminal: 'T1', demo: true });
    if (ask.type === 'sit') {
      line.isSeated = true;
      line.down.push({ type: 'table', table, version: line.version, view: this.#view as View });
      this.#tellOwn(line);
    }
    if (ask.type === 'slip') this.#take(line, ask);
  }

  /** On a connection that the client may have left, messages arrive late or a second time. */
  late(place: number, count: number, isTwice: boolean): void {
    const line = this.lines[place % this.lines.length]!;
    if (!isTwice) this.arrive(line, count);
    else if (line.arrived > 0) this.hear(line, line.socket.said[line.arrived - 1]!);
  }

  /** The last reply in flight arrives twice. */
  answerTwice(): void {
    const { down } = this.line;
    const last = down.findLast(({ type }) => type === 'accepted' || type === 'refused');
    if (last) down.push(last);
  }

  beat(): void {
    if (this.now < this.#beatAt) return;
    this.#beatAt = this.now + 1_000;
    for (const { down, isSeated } of this.lines) if (isSeated) down.push({ type: 'heartbeat', at: this.now });
  }

  /** Moves the table to its next phase. */
  goOn(time: number, won: number): void {
    if (this.phase === 'idle') {
      const number = (this.round?.number ?? 0) + 1;
      if (totalOf(this.slip) > 0) this.rebet = this.slip;
      this.slip = {};
      this.round = { id: `r${number}`, number, closesAt: this.now + 4 * time, deadline: null };
      this.stood.set(this.round.id, [{}]);
      this.phase = 'betting';
    } else if (this.phase === 'betting') {
      this.round = { ...this.round!, deadline: this.now + time };
      this.phase = 'closing';
    } else if (this.phase === 'closing') {
      if (this.now <= this.round!.deadline! + grace) return;
      this.phase = 'dealing';
    } else {
      this.credit += won;
      this.phase = 'idle';
    }
    this.tellAll();
  }

  /** Opens the next round. */
  open(time: number): void {
    this.phase = 'idle';
    this.stopped = null;
    this.goOn(time, 500);
  }

  /** Stops the table with an irregularity, or resumes it. */
  stop(kind: string | null): void {
    this.stopped = kind === null ? null : { kind, by: null };
    this.tellAll();
  }

  /** Another page of the terminal bets. */
  bet(slip: SlipStakes): void {
    if (this.#wrong(slip) === undefined) this.#set(slip);
  }

  #take(line: Line, ask: ClientMessageOf<'slip'>): void {
    const { id, round, slip } = ask;
    const known = this.#accepted.get(id);
    const code = known ? undefined : round === this.round?.id ? this.#wrong(slip) : 'bets-closed';
    if (code !== undefined) {
      line.down.push({ type: 'refused', id, code, message: 'No.', by: 'ETG 5.5' });
      return;
    }
    if (known === undefined) {
      this.#accepted.set(id, ask);
      this.#set(slip);
    }
    line.down.push({ type: 'accepted', id, round, slip });
  }

  #wrong(slip: SlipStakes): string | undefined {
    if (this.stopped) return 'awaiting-ruling';
    const isOpen = this.phase === 'betting' || (this.phase === 'closing' && this.now <= this.round!.deadline! + grace);
    if (!isOpen) return totalOf(this.slip) === 0 ? 'bets-closed' : 'late-raise';
    for (const [wager, stake] of Object.entries(slip)) {
      const spot = layout.find((one) => one.wager === wager)!;
      if (stake < spot.minimum) return 'under-minimum';
      if (stake > spot.maximum) return 'over-maximum';
    }
    const total = totalOf(slip);
    if (total > 0 && total < totalMinimum) return 'under-total-minimum';
    return total > this.credit + totalOf(this.slip) ? 'not-enough-credit' : undefined;
  }

  #set(slip: SlipStakes): void {
    this.credit += totalOf(this.slip) - totalOf(slip);
    this.slip = slip;
    this.stood.get(this.round!.id)!.push(slip);
    for (const line of this.lines) if (line.isSeated) this.#tellOwn(line);
  }

  tellAll(): void {
    for (const line of this.lines) {
      if (!line.isSeated) continue;
      line.version += 1;
      line.down.push({ type: 'change', table, version: line.version, fields: this.#view });
      this.#tellOwn(line);
    }
  }

  get #view(): Partial<View> {
    const { phase, stopped, round } = this;
    return {
      table,
      game: { name: 'Tiger', version: 'tiger@2021-10-28' },
      layout,
      tray,
      totalMinimum,
      phase,
      stopped,
      round: round as View['round'],
    };
  }

  #tellOwn(line: Line): void {
    const { credit, slip, rebet, round } = this;
    line.own += 1;
    const view: TerminalTableView = {
      terminal: 'T1',
      credit,
      round: round && { id: round.id, number: round.number },
      slip,
      stake: totalOf(slip),
      rebet,
      paid: null,
      last: null,
    };
    line.down.push({ type: 'own', table, version: line.own, view });
  }
}
