import { createHmac } from 'node:crypto';
import { writeAuthenticated, verifiedText } from '../../store/authenticatedValues.ts';
import { type RuntimeDependencies } from '../ports/runtimeDependencies.ts';

/** A console that is offered, and until when. */
type Offer = { readonly offer: string; readonly until: number };

/** What was typed, as it is compared. */
const plain = (code: string): string => code.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');

/**
 * Consoles that are offered by a code. Nobody knows it any more after a restart, and the offer is made again; where several
 * nodes are on the record it lies beside the chain, since the device may come to any of them.
 */
export class Offers {
  readonly #world: Pick<RuntimeDependencies, 'store' | 'key' | 'shared'>;
  readonly #offers = new Map<string, Offer>();

  constructor(world: Pick<RuntimeDependencies, 'store' | 'key' | 'shared'>) {
    this.#world = world;
  }

  /** By the key of the record: a code is so short that its hash alone would give it away. */
  #idOf(code: string): string {
    return createHmac('sha256', this.#world.key)
      .update(`offer ${plain(code)}`)
      .digest('hex');
  }

  async keep(code: string, offer: Offer, at: number): Promise<void> {
    for (const [id, { until }] of this.#offers) if (until < at) await this.#drop(id);
    const id = this.#idOf(code);
    if (this.#world.shared) await this.#put(id, `${offer.until} ${offer.offer}`);
    this.#offers.set(id, offer);
  }

  /** What is offered by a code. */
  async of(code: string): Promise<string | undefined> {
    const id = this.#idOf(code);
    const { store, key, shared } = this.#world;
    const kept = shared && (await store.listValues('offer', [id])).get(id);
    const text = kept === undefined ? undefined : verifiedText(key, 'offer', id, kept);
    return this.#offers.get(id)?.offer ?? text?.slice(text.indexOf(' ') + 1);
  }

  /** A code is good once. */
  drop(code: string): Promise<void> {
    return this.#drop(this.#idOf(code));
  }

  async #drop(id: string): Promise<void> {
    this.#offers.delete(id);
    if (this.#world.shared) await this.#put(id, undefined);
  }

  #put(id: string, text: string | undefined): Promise<void> {
    return writeAuthenticated(this.#world.store, this.#world.key, 'offer', id, text);
  }
}
