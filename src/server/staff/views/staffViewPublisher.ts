import { type Metrics } from '../../../metrics/metrics.ts';
import { diffView } from '../../../wire/viewDelta.ts';
import { type StaffConnection, type TableViewSubscription } from '../../socket/staffConnection.ts';

type Shape = { readonly [field: string]: unknown };

export class StaffViewPublisher {
  readonly subscription: TableViewSubscription;
  readonly subscribers = new Set<StaffConnection>();
  readonly #buildView: () => Shape | undefined;
  readonly #metrics: Metrics;
  #version = 0;
  #lastView: Shape | undefined;

  constructor(subscription: TableViewSubscription, buildView: () => Shape | undefined, metrics: Metrics) {
    this.subscription = subscription;
    this.#buildView = buildView;
    this.#metrics = metrics;
  }

  /** Sends the full view to one subscriber; returns false if the table is not open. */
  sendView(subscriber: StaffConnection): boolean {
    // The other subscribers first get the delta. After that all subscribers have the same version.
    if (this.#lastView !== undefined) this.publish();
    this.#lastView ??= this.#buildView();
    if (this.#lastView === undefined) return false;
    this.#send(this.#whole(this.#lastView), 'whole', [subscriber]);
    return true;
  }

  /**
   * Sends a delta to all subscribers: the changes since the view was last published. The first time the full view is
   * sent.
   */
  publish(): void {
    const now = this.#buildView();
    if (now === undefined) return;
    if (this.#lastView === undefined) {
      this.#lastView = now;
      this.#send(this.#whole(now), 'whole');
      return;
    }
    const change = diffView(this.#lastView, now);
    if (change === undefined) return;
    this.#lastView = now;
    this.#version += 1;
    const { table } = this.subscription;
    this.#send(JSON.stringify({ type: 'change', table, version: this.#version, change }), 'change');
  }

  #whole(view: Shape): string {
    const { table, as } = this.subscription;
    return JSON.stringify({ type: as, table, version: this.#version, view });
  }

  #send(text: string, form: 'whole' | 'change', to: Iterable<StaffConnection> = this.subscribers): void {
    const bytes = Buffer.from(text, 'utf8');
    for (const subscriber of to) subscriber.sendText(bytes);
    this.#metrics.viewBuilt('staff', form, bytes.length);
  }
}
