import { type Metrics } from '../../metrics/metrics.ts';
import { type Tile } from '../../wire/tableView.ts';
import { type ViewDelta } from '../../wire/viewDelta.ts';
import { type PatronConnection, sendAll } from '../socket/patronConnection.ts';

/** Publishes the tiles of all tables, with versioned deltas. */
export class LobbyPublisher {
  readonly #subscribers = new Set<PatronConnection>();
  readonly #tiles: () => readonly Tile[];
  readonly #metrics: Metrics;
  #version = 0;

  constructor(tiles: () => readonly Tile[], metrics: Metrics) {
    this.#tiles = tiles;
    this.#metrics = metrics;
  }

  subscribe(connection: PatronConnection): void {
    this.#subscribers.add(connection);
    this.sendTiles(connection);
  }

  unsubscribe(connection: PatronConnection): void {
    this.#subscribers.delete(connection);
  }

  sendTiles(connection: PatronConnection): void {
    const bytes = sendAll(
      [connection],
      JSON.stringify({ type: 'lobby', version: this.#version, tiles: this.#tiles() }),
    );
    this.#metrics.viewBuilt('lobby', 'whole', bytes);
  }

  /** After a new table. */
  sendTilesToAll(): void {
    for (const connection of this.#subscribers) this.sendTiles(connection);
  }

  publishTile(table: string, delta: ViewDelta): void {
    this.#version += 1;
    const bytes = sendAll(this.#subscribers, JSON.stringify({ type: 'tile', version: this.#version, table, ...delta }));
    this.#metrics.viewBuilt('lobby', 'change', bytes);
  }
}
