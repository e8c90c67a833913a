import { type Metrics } from '../../metrics/metrics.ts';
import { type Tile } from '../../wire/tableView.ts';
import { type ViewDelta } from '../../wire/viewDelta.ts';
import { type Connection, sendAll } from '../socket/patronConnection.ts';

/** Everyone who is told of all tables, in versions. */
export class LobbyPublisher {
  readonly #those = new Set<Connection>();
  readonly #tiles: () => readonly Tile[];
  readonly #gauges: Metrics;
  #version = 0;

  constructor(tiles: () => readonly Tile[], gauges: Metrics) {
    this.#tiles = tiles;
    this.#gauges = gauges;
  }

  /** Is told at once of all tables, and from now on of what changes. */
  enter(connection: Connection): void {
    this.#those.add(connection);
    this.tell(connection);
  }

  leave(connection: Connection): void {
    this.#those.delete(connection);
  }

  tell(connection: Connection): void {
    const bytes = sendAll(
      [connection],
      JSON.stringify({ type: 'lobby', version: this.#version, tiles: this.#tiles() }),
    );
    this.#gauges.viewed('lobby', 'whole', bytes);
  }

  /** A table has come. */
  tellAll(): void {
    for (const connection of this.#those) this.tell(connection);
  }

  /** A table has changed. */
  changed(table: string, change: ViewDelta): void {
    this.#version += 1;
    const bytes = sendAll(this.#those, JSON.stringify({ type: 'tile', version: this.#version, table, ...change }));
    this.#gauges.viewed('lobby', 'change', bytes);
  }
}
