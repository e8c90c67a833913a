import {
  type ClientMessage,
  type ClientMessageOf,
  type ServerMessage,
  type SlipStakes,
} from '../../src/wire/messages.ts';
import { protocolVersion } from '../../src/wire/protocolVersion.ts';
import { type TerminalTableView, type PublicTableView } from '../../src/wire/tableView.ts';
import { type FakeSocket, type TestTerminal } from './fakeSocket.ts';

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
export const clockOffset = 1_370;

const totalOf = (slip: SlipStakes): number => Object.values(slip).reduce((sum, stake) => sum + stake, 0);

/** One connection with messages in flight. The client may have left it long before the server notices. */
type Connection = {
  readonly socket: FakeSocket;
  /** Number of client messages that have arrived. */
  arrived: number;
  readonly down: ServerMessage[];
  isSeated: boolean;
  version: number;
  own: number;
};

/** The server, its only terminal, and the connections between them. */
export class TableModel {
  readonly #terminal: TestTerminal;
  readonly connections: Connection[] = [];
  phase: PublicTableView['phase'] = 'idle';
  round: { id: string; number: number; closesAt: number; deadline: number | null } | null = null;
  stopped: PublicTableView['stopped'] = null;
  credit = 8_000;
  slip: SlipStakes = {};
  rebet: SlipStakes = {};
  /** Every slip that was ever accepted, by round. */
  readonly acceptedSlips = new Map<string, SlipStakes[]>();
  readonly #accepted = new Map<string, ClientMessageOf<'slip'>>();
  #heartbeatAt = 0;

  constructor(terminal: TestTerminal) {
    this.#terminal = terminal;
  }

  get now(): number {
    return this.#terminal.now + clockOffset;
  }

  /** The current connection. */
  get connection(): Connection {
    for (const socket of this.#terminal.sockets.slice(this.connections.length)) {
      this.connections.push({ socket, arrived: 0, down: [], isSeated: false, version: 0, own: 0 });
    }
    return this.connections.at(-1)!;
  }

  /** Client messages arrive, also on a connection that the client has left. */
  arrive(connection: Connection, count: number): void {
    const { sent } = connection.socket;
    for (const request of sent.slice(connection.arrived, connection.arrived + count)) this.handle(connection, request);
    connection.arrived = Math.min(sent.length, connection.arrived + count);
  }

  /** Handles a client message, which may be a duplicate. */
  handle(connection: Connection, request: ClientMessage): void {
    if (request.type === 'hello')
      connection.down.push({ type: 'welcome', v: protocolVersion, at: this.now, terminal: 'T1', demo: true });
    if (request.type === 'sit') {
      connection.isSeated = true;
      connection.down.push({ type: 'table', table, version: connection.version, view: this.#view as PublicTableView });
      this.#sendOwn(connection);
    }
    if (request.type === 'slip') this.#handleSlip(connection, request);
  }

  /** On a connection that the client may have left, messages arrive late or a second time. */
  deliverLate(index: number, count: number, isTwice: boolean): void {
    const connection = this.connections[index % this.connections.length]!;
    if (!isTwice) this.arrive(connection, count);
    else if (connection.arrived > 0) this.handle(connection, connection.socket.sent[connection.arrived - 1]!);
  }

  /** The last reply in flight arrives twice. */
  duplicateReply(): void {
    const { down } = this.connection;
    const last = down.findLast(({ type }) => type === 'accepted' || type === 'refused');
    if (last) down.push(last);
  }

  sendHeartbeats(): void {
    if (this.now < this.#heartbeatAt) return;
    this.#heartbeatAt = this.now + 1_000;
    for (const { down, isSeated } of this.connections) if (isSeated) down.push({ type: 'heartbeat', at: this.now });
  }

  /** Moves the table to its next phase. */
  nextPhase(time: number, won: number): void {
    if (this.phase === 'idle') {
      const number = (this.round?.number ?? 0) + 1;
      if (totalOf(this.slip) > 0) this.rebet = this.slip;
      this.slip = {};
      this.round = { id: `r${number}`, number, closesAt: this.now + 4 * time, deadline: null };
      this.acceptedSlips.set(this.round.id, [{}]);
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
    this.publish();
  }

  /** Opens the next round. */
  open(time: number): void {
    this.phase = 'idle';
    this.stopped = null;
    this.nextPhase(time, 500);
  }

  /** Stops the table with an irregularity, or resumes it. */
  stop(kind: string | null): void {
    this.stopped = kind === null ? null : { kind, by: null };
    this.publish();
  }

  /** Another page of the terminal bets. */
  bet(slip: SlipStakes): void {
    if (this.#refusalCode(slip) === undefined) this.#acceptSlip(slip);
  }

  #handleSlip(connection: Connection, request: ClientMessageOf<'slip'>): void {
    const { id, round, slip } = request;
    const accepted = this.#accepted.get(id);
    const code = accepted ? undefined : round === this.round?.id ? this.#refusalCode(slip) : 'bets-closed';
    if (code !== undefined) {
      connection.down.push({ type: 'refused', id, code, message: 'No.', by: 'ETG 5.5' });
      return;
    }
    if (accepted === undefined) {
      this.#accepted.set(id, request);
      this.#acceptSlip(slip);
    }
    connection.down.push({ type: 'accepted', id, round, slip });
  }

  #refusalCode(slip: SlipStakes): string | undefined {
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

  #acceptSlip(slip: SlipStakes): void {
    this.credit += totalOf(this.slip) - totalOf(slip);
    this.slip = slip;
    this.acceptedSlips.get(this.round!.id)!.push(slip);
    for (const connection of this.connections) if (connection.isSeated) this.#sendOwn(connection);
  }

  publish(): void {
    for (const connection of this.connections) {
      if (!connection.isSeated) continue;
      connection.version += 1;
      connection.down.push({ type: 'change', table, version: connection.version, fields: this.#view });
      this.#sendOwn(connection);
    }
  }

  get #view(): Partial<PublicTableView> {
    const { phase, stopped, round } = this;
    return {
      table,
      game: { name: 'Tiger', version: 'tiger@2021-10-28' },
      layout,
      tray,
      totalMinimum,
      phase,
      stopped,
      round: round as PublicTableView['round'],
    };
  }

  #sendOwn(connection: Connection): void {
    const { credit, slip, rebet, round } = this;
    connection.own += 1;
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
    connection.down.push({ type: 'own', table, version: connection.own, view });
  }
}
