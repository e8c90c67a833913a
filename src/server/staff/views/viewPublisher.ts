import { type Metrics } from '../../../metrics/metrics.ts';
import { diffView } from '../../../wire/viewDelta.ts';
import { type StaffConnection, type Subscription } from '../../socket/staffConnection.ts';

type Shape = { readonly [field: string]: unknown };

/** What staff see of one table in one way, in versions. It is made while somebody looks, and for nobody else. */
export class StaffFeed {
  readonly watched: Subscription;
  readonly watchers = new Set<StaffConnection>();
  readonly #make: () => Shape | undefined;
  readonly #gauges: Metrics;
  #version = 0;
  #told: Shape | undefined;

  constructor(watched: Subscription, make: () => Shape | undefined, gauges: Metrics) {
    this.watched = watched;
    this.#make = make;
    this.#gauges = gauges;
  }

  /** Tells one of them everything; nothing where the table is not open yet. */
  tellWhole(watcher: StaffConnection): boolean {
    // What has changed is told to all first, so that they hold the same version.
    if (this.#told !== undefined) this.tell();
    this.#told ??= this.#make();
    if (this.#told === undefined) return false;
    this.#send(this.#whole(this.#told), 'whole', [watcher]);
    return true;
  }

  /** Tells all of them what has changed, or everything the first time. */
  tell(): void {
    const now = this.#make();
    if (now === undefined) return;
    if (this.#told === undefined) {
      this.#told = now;
      this.#send(this.#whole(now), 'whole');
      return;
    }
    const change = diffView(this.#told, now);
    if (change === undefined) return;
    this.#told = now;
    this.#version += 1;
    const { table } = this.watched;
    this.#send(JSON.stringify({ type: 'change', table, version: this.#version, change }), 'change');
  }

  #whole(view: Shape): string {
    const { table, as } = this.watched;
    return JSON.stringify({ type: as, table, version: this.#version, view });
  }

  #send(text: string, form: 'whole' | 'change', to: Iterable<StaffConnection> = this.watchers): void {
    const bytes = Buffer.from(text, 'utf8');
    for (const watcher of to) watcher.send(bytes);
    this.#gauges.viewed('staff', form, bytes.length);
  }
}
