import { createHash } from 'node:crypto';
import { type Terminals } from '../../runtime/terminals/terminals.ts';
import { refuse } from '../../base/refusal.ts';
import { type ClientMessageOf } from '../../wire/messages.ts';
import { type Connection } from '../socket/patronConnection.ts';
import { type ConnectionsBySecret } from './connectionsBySecret.ts';
import { type SlipQueue, closing } from '../tables/slipQueue.ts';

type Parts = {
  readonly terminals: Terminals;
  readonly known: Pick<ConnectionsBySecret, 'ask' | 'rename'>;
  readonly slips: SlipQueue;
  readonly isClosing: () => boolean;
  /** Everyone at a terminal. */
  readonly at: (terminal: string) => ReadonlySet<Connection>;
};

/** What is kept of a secret. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');

export const revoked = refuse<'secret-revoked'>(
  'secret-revoked',
  'This secret leads to no terminal any more; load the page again.',
);

/** Changes the secrets by which patrons are known. */
export class SecretRotation {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Another secret for the terminal of a connection; whoever else came in by the old one is put out. */
  async renew(connection: Connection, { id, secret }: ClientMessageOf<'renew'>): Promise<void> {
    const { terminals, known, at } = this.#parts;
    const next = hashSecret(secret);
    const before = connection.secretHash!;
    // Sent again it changes nothing.
    if (next !== before) {
      if (await known.ask(connection, before, next)) return undefined;
      const barred = this.#barredBy(connection, next);
      if (barred) return connection.refuse(barred, id);
      const denied = await terminals.renew(before, next);
      if (denied?.refused === revoked.refused) return connection.dismiss(revoked);
      if (denied) return connection.refuse(denied, id);
      known.rename(connection, next);
      for (const other of at(connection.terminal!)) if (other !== connection) other.dismiss(revoked);
    }
    return connection.tell({ type: 'renewed', id });
  }

  #barredBy({ terminal, address }: Connection, next: string): { refused: string; message: string } | undefined {
    const { terminals, slips, isClosing } = this.#parts;
    if (isClosing()) return closing;
    if (terminal === undefined) {
      return refuse<'not-seated'>('not-seated', 'You have no seat yet; sit down at a table first.');
    }
    // One that leads here already was asked for before, when not all of it could be written.
    const isTaken = (terminals.of(next) ?? terminal) !== terminal || terminals.links.device(next) !== undefined;
    if (isTaken || terminals.isDead(next)) {
      return refuse<'bad-request'>('bad-request', 'The secret is or was in use; make another.');
    }
    return slips.spend(address)
      ? undefined
      : refuse<'too-many-messages'>('too-many-messages', 'Too much is written for your address; try again soon.');
  }
}
