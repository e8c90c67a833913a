import { type Metrics } from '../../metrics/metrics.ts';
import { type LobbyTile } from '../../wire/tableView.ts';
import { type ViewDelta } from '../../wire/viewDelta.ts';
import { type DeviceConnection, sendToDeviceConnections } from '../socket/deviceConnection.ts';

/** Publishes the lobby: the tiles of all tables, and versioned deltas of single tiles. */
export class LobbyPublisher {
  readonly #subscribers = new Set<DeviceConnection>();
  readonly #tiles: () => readonly LobbyTile[];
  readonly #metrics: Metrics;
  #version = 0;

  constructor(tiles: () => readonly LobbyTile[], metrics: Metrics) {
    this.#tiles = tiles;
    this.#metrics = metrics;
  }

  subscribe(connection: DeviceConnection): void {
    this.#subscribers.add(connection);
    this.sendTiles(connection);
  }

  unsubscribe(connection: DeviceConnection): void {
    this.#subscribers.delete(connection);
  }

  sendTiles(connection: DeviceConnection): void {
    const bytes = sendToDeviceConnections(
      [connection],
      JSON.stringify({ type: 'lobby', version: this.#version, tiles: this.#tiles() }),
    );
    this.#metrics.viewBuilt('lobby', 'whole', bytes);
  }

  /** Sends all tiles to all subscribers, after a new table was opened. */
  sendTilesToAll(): void {
    for (const connection of this.#subscribers) this.sendTiles(connection);
  }

  publishTile(table: string, delta: ViewDelta): void {
    this.#version += 1;
    const bytes = sendToDeviceConnections(
      this.#subscribers,
      JSON.stringify({ type: 'tile', version: this.#version, table, ...delta }),
    );
    this.#metrics.viewBuilt('lobby', 'change', bytes);
  }
}
