import { randomBytes } from 'node:crypto';
import { WebSocket } from 'ws';
import { type Auditor } from '../chaos/auditor.ts';
import { type Chance } from '../../src/floor/chance.ts';
import { changed } from '../../src/wire/changes.ts';
import { type ServerMessage } from '../../src/wire/messages.ts';
import { type View } from '../../src/wire/views.ts';
import { protocol } from '../../src/wire/protocol.ts';

type Sent = {
  readonly id: string;
  readonly round: string;
  readonly slip: { readonly [wager: string]: number };
  readonly socket: WebSocket | undefined;
};

/**
 * A terminal that stakes something new whenever it can, and lets an auditor know what it sends and what it is told. A slip
 * without an answer is sent again with its id when the link is back, as the page does.
 */
export class Bettor {
  /** So many slips were accepted in answer to a resend, in a later life of the server. */
  late = 0;
  readonly #secret = randomBytes(32).toString('hex');
  readonly #table: string;
  readonly #chance: Chance;
  readonly #auditor: Auditor;
  readonly #unanswered = new Map<string, Sent>();
  #socket: WebSocket | undefined;
  #terminal: string | undefined;
  #view: View | undefined;
  #wagers: readonly string[] = [];
  #round: string | undefined;
  #stake = 0;
  #resend = false;

  constructor(table: string, chance: Chance, auditor: Auditor) {
    this.#table = table;
    this.#chance = chance;
    this.#auditor = auditor;
  }

  /** Comes in and stays until the link breaks. */
  connect(address: string): void {
    const { host, origin } = new URL(address);
    const socket = new WebSocket(`ws://${host}/socket`, { origin });
    this.#socket = socket;
    this.#round = undefined;
    this.#resend = true;
    // The plug is pulled on purpose: a link that breaks is no news.
    socket.on('error', () => {});
    socket.on('open', () => {
      this.#say({ type: 'hello', v: protocol, secret: this.#secret });
      this.#say({ type: 'sit', table: this.#table });
    });
    socket.on('message', (data: Buffer) => this.#hear(JSON.parse(data.toString('utf8')) as ServerMessage));
  }

  leave(): void {
    this.#socket?.terminate();
  }

  #say(message: unknown): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #hear(tell: ServerMessage): void {
    switch (tell.type) {
      case 'own':
        if (this.#terminal !== undefined && this.#terminal !== tell.view.terminal) {
          throw new Error(`${this.#terminal} came back as ${tell.view.terminal}.`);
        }
        this.#terminal = tell.view.terminal;
        if (this.#resend) for (const sent of this.#unanswered.values()) this.#send(sent);
        this.#resend = false;
        return;
      case 'table':
        this.#see(tell.view);
        return;
      case 'change':
        this.#see(changed(this.#view!, tell));
        return;
      case 'accepted':
        if (this.#unanswered.get(tell.id)?.socket !== this.#socket) this.late += 1;
        this.#unanswered.delete(tell.id);
        this.#auditor.answered(this.#recorded(tell.id), true);
        this.#bet();
        return;
      case 'refused':
        if (tell.id === null) return;
        this.#unanswered.delete(tell.id);
        this.#auditor.answered(this.#recorded(tell.id), false);
        return;
      case 'welcome':
      case 'lobby':
      case 'tile':
      case 'beat':
    }
  }

  #see(view: View): void {
    this.#view = view;
    const { phase, round, layout } = view;
    this.#wagers = layout.map(({ wager }) => wager);
    if (phase === 'betting' && round && round.id !== this.#round) {
      this.#round = round.id;
      this.#stake = 0;
      this.#bet();
    }
  }

  /** The id of a slip as the record knows it. */
  #recorded(id: string): string {
    return `${id}/${this.#terminal!}`;
  }

  /** Another slip: more than the last one, so that each that is accepted stands in the record. */
  #bet(): void {
    if (this.#round === undefined || this.#wagers.length === 0) return;
    this.#stake += 100;
    const wager = this.#wagers[this.#chance.below(this.#wagers.length)]!;
    const id = Date.now().toString(16).padStart(12, '0') + randomBytes(10).toString('hex');
    const sent = { id, round: this.#round, slip: { [wager]: this.#stake }, socket: this.#socket };
    setTimeout(() => {
      this.#unanswered.set(id, sent);
      this.#send(sent);
    }, this.#chance.below(40));
  }

  #send({ id, round, slip }: Sent): void {
    this.#auditor.asked({ id: this.#recorded(id), terminal: this.#terminal!, table: this.#table, round, slip });
    this.#say({ type: 'slip', id, table: this.#table, round, slip });
  }
}
