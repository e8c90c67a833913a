import { type Tile } from '../wire/views.ts';
import { type Change } from '../wire/changes.ts';
import { type Connection, sendAll } from './connection.ts';

/** Everyone who is told of all tables, in versions. */
export class Lobby {
  readonly #those = new Set<Connection>();
  readonly #tiles: () => readonly Tile[];
  #version = 0;

  constructor(tiles: () => readonly Tile[]) {
    this.#tiles = tiles;
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
    connection.tell({ type: 'lobby', version: this.#version, tiles: this.#tiles() });
  }

  /** A table has come. */
  tellAll(): void {
    for (const connection of this.#those) this.tell(connection);
  }

  /** A table has changed. */
  changed(table: string, change: Change): void {
    this.#version += 1;
    sendAll(this.#those, JSON.stringify({ type: 'tile', version: this.#version, table, ...change }));
  }
}
