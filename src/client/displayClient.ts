import { type ClientMessage, type ServerMessage } from '../wire/messages.ts';
import { protocol } from '../wire/protocolVersion.ts';
import { type View } from '../wire/tableView.ts';
import { ReconnectingSocket, type LinkState } from './reconnectingSocket.ts';
import { Versions, applyTableDelta } from './viewVersions.ts';
import { type Environment } from './environment.ts';

type WatcherRole = { readonly says: ClientMessage; readonly hears: ServerMessage };

/** What a screen over a table sees. */
export type DisplayState = {
  readonly link: LinkState;
  /** How far the server's clock is ahead of ours, in milliseconds. */
  readonly ahead: number;
  /** Nothing before the table is opened. */
  readonly view: View | null;
  /** Whether the floor knows the table. */
  readonly isKnown: boolean;
};

/** A screen that sees one table and does nothing: no secret, no seat, no money. It comes back by itself. */
export class DisplayClient {
  #seen: DisplayState = { link: 'joining', ahead: 0, view: null, isKnown: true };
  readonly #world: Environment;
  readonly #link: ReconnectingSocket<WatcherRole>;
  readonly #versions = new Versions();
  readonly #tell: (seen: DisplayState) => void;

  constructor(world: Environment, address: () => string, table: string, tell: (seen: DisplayState) => void) {
    this.#world = world;
    this.#tell = tell;
    this.#link = new ReconnectingSocket<WatcherRole>(
      world,
      {
        address,
        firstWords: () => [
          { type: 'hello', v: protocol },
          { type: 'watch', table },
        ],
      },
      { told: (said) => this.#hear(said), changed: (link) => this.#see({ link }) },
    );
  }

  /** Opens the link; where it waits to try again or to be let in, it begins anew at once. */
  open(): void {
    this.#link.open();
  }

  close(): void {
    this.#link.close();
  }

  #hear(told: ServerMessage): void {
    if (told.type === 'welcome') {
      // The server may have begun anew, and counts from there.
      this.#versions.forget();
      this.#see({ ahead: told.at - this.#world.clock(), isKnown: true });
    } else if (told.type === 'beat') this.#see({ ahead: told.at - this.#world.clock() });
    else if (told.type === 'table') {
      this.#versions.begin(told.version);
      this.#see({ view: told.view });
    } else if (told.type === 'change') {
      if (!this.#versions.takes(told.version, () => this.#link.say({ type: 'whole', of: 'table' }))) return;
      this.#see({ view: applyTableDelta(this.#seen.view!, told) });
    } else if (told.type === 'refused' && told.code === 'unknown-table') this.#see({ view: null, isKnown: false });
  }

  #see(news: Partial<DisplayState>): void {
    this.#seen = { ...this.#seen, ...news };
    this.#tell(this.#seen);
  }
}
