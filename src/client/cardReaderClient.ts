import {
  type ClientMessage,
  type ClientMessageOf,
  type ServerMessage,
  type ServerMessageOf,
} from '../wire/messages.ts';
import { protocol } from '../wire/protocolVersion.ts';
import { type ClientReply, PendingRequests } from './pendingRequests.ts';
import { ReconnectingSocket, type LinkState } from './reconnectingSocket.ts';
import { type Environment } from './environment.ts';

type ReaderRole = { readonly says: ClientMessage; readonly hears: ServerMessage };

type Heard = {
  /** Where the next card goes, and the shoe it comes from. */
  readonly due?: (due: ServerMessageOf<'due'>) => void;
  /** The key is not that of a reader: the server takes it for a patron's. */
  readonly stranger?: () => void;
  readonly changed?: (link: LinkState) => void;
};

/** How long after an answer that nobody knows a scan is sent again, in milliseconds. */
const again = 1_000;

/** The shoe of a table, which reads cards: comes back by itself, and sends again, with the same id, what was not answered. */
export class CardReaderClient {
  readonly #world: Environment;
  readonly #table: string;
  readonly #heard: Heard;
  readonly #link: ReconnectingSocket<ReaderRole>;
  readonly #answers = new PendingRequests<ReaderRole>();

  constructor(world: Environment, address: () => string, table: string, key: string, heard: Heard = {}) {
    this.#world = world;
    this.#table = table;
    this.#heard = heard;
    this.#link = new ReconnectingSocket<ReaderRole>(
      world,
      { address, firstWords: () => [{ type: 'hello', v: protocol, secret: key }] },
      { told: (tell) => this.#hear(tell), changed: (link) => this.#changed(link) },
    );
  }

  open(): void {
    this.#link.open();
  }

  /** Ends it for good; what was not answered is given up. */
  close(): void {
    this.#link.close();
  }

  /** A card came out of the shoe. The promise is kept once, also when the link breaks. */
  scan(text: string, id = this.#world.id()): Promise<ClientReply<ReaderRole>> {
    const ask: ClientMessageOf<'scan'> = { type: 'scan', id, table: this.#table, text };
    const answer = this.#answers.to(ask);
    this.#link.say(ask);
    return answer;
  }

  #hear(tell: ServerMessage): void {
    if (tell.type === 'welcome') this.#sayAgain();
    else if (tell.type === 'lobby') this.#heard.stranger?.();
    else if (tell.type === 'due') this.#heard.due?.(tell);
    else if (tell.type === 'refused' && tell.code === 'result-unknown')
      this.#world.after(again, () => this.#sayAgain());
    else if (tell.type === 'refused' && tell.code === 'secret-revoked') this.#link.retire();
    else if (tell.type === 'scanned' || tell.type === 'refused') this.#answers.hear(tell);
  }

  #sayAgain(): void {
    for (const ask of this.#answers.waiting) this.#link.say(ask);
  }

  #changed(link: LinkState): void {
    this.#heard.changed?.(link);
    if (link === 'closed' || link === 'outdated') for (const { id } of this.#answers.waiting) this.#answers.giveUp(id);
  }
}
