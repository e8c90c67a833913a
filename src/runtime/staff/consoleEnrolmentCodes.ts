import { createHmac } from 'node:crypto';
import { writeAuthenticatedValue, textOfAuthenticValue } from '../../store/authenticatedValues.ts';
import { type FloorDependencies } from '../ports/runtimeDependencies.ts';
import { normalizeShortCode } from './shortCode.ts';

/** Id of an offer to enrol a console, and the time at which the offer expires, in milliseconds since 1970. */
type Offer = { readonly offer: string; readonly until: number };

/**
 * Codes by which other devices are enrolled as consoles. Without a cluster the codes are in memory only, and a restart
 * loses them. In a cluster the codes are also in the key-value table, because the device may connect to any node.
 */
export class ConsoleEnrolmentCodes {
  readonly #dependencies: Pick<FloorDependencies, 'store' | 'key' | 'cluster'>;
  readonly #offers = new Map<string, Offer>();

  constructor(dependencies: Pick<FloorDependencies, 'store' | 'key' | 'cluster'>) {
    this.#dependencies = dependencies;
  }

  /** Stored id of a code: an HMAC with the data key, because a code is too short to be protected by a hash alone. */
  #idOf(code: string): string {
    return createHmac('sha256', this.#dependencies.key)
      .update(`offer ${normalizeShortCode(code)}`)
      .digest('hex');
  }

  async save(code: string, offer: Offer, at: number): Promise<void> {
    for (const [id, { until }] of this.#offers) if (until < at) await this.#delete(id);
    const id = this.#idOf(code);
    if (this.#dependencies.cluster) await this.#put(id, `${offer.until} ${offer.offer}`);
    this.#offers.set(id, offer);
  }

  async offerOf(code: string): Promise<string | undefined> {
    const id = this.#idOf(code);
    const { store, key, cluster } = this.#dependencies;
    const stored = cluster && (await store.listValues('offer', [id])).get(id);
    const text = stored === undefined ? undefined : textOfAuthenticValue(key, 'offer', id, stored);
    return this.#offers.get(id)?.offer ?? text?.slice(text.indexOf(' ') + 1);
  }

  delete(code: string): Promise<void> {
    return this.#delete(this.#idOf(code));
  }

  async #delete(id: string): Promise<void> {
    this.#offers.delete(id);
    if (this.#dependencies.cluster) await this.#put(id, undefined);
  }

  #put(id: string, text: string | undefined): Promise<void> {
    return writeAuthenticatedValue(this.#dependencies.store, this.#dependencies.key, 'offer', id, text);
  }
}
