import { createHash } from 'node:crypto';
import { secretRevoked } from '../../runtime/stream/refusals.ts';
import { type Terminals } from '../../runtime/terminals/terminals.ts';
import { refuse } from '../../base/refusal.ts';
import { type ClientMessageOf } from '../../wire/messages.ts';
import { type PatronConnection } from '../socket/patronConnection.ts';
import { type ConnectionsBySecret } from './connectionsBySecret.ts';
import { type SlipQueue } from '../tables/slipQueue.ts';
import { notSeated, serverClosing, tooManyWrites } from '../shared/refusals.ts';

type SecretRotationDependencies = {
  readonly terminals: Terminals;
  readonly connections: Pick<ConnectionsBySecret, 'refresh' | 'rebind'>;
  readonly slips: SlipQueue;
  readonly isClosing: () => boolean;
  readonly connectionsAt: (terminal: string) => ReadonlySet<PatronConnection>;
};

/** Only the hash of a secret is stored. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');

export class SecretRotation {
  readonly #dependencies: SecretRotationDependencies;

  constructor(dependencies: SecretRotationDependencies) {
    this.#dependencies = dependencies;
  }

  /** Replaces the secret of a terminal; other connections with the old secret are closed. */
  async renew(connection: PatronConnection, { id, secret }: ClientMessageOf<'renew'>): Promise<void> {
    const { terminals, connections, connectionsAt } = this.#dependencies;
    const next = hashSecret(secret);
    const before = connection.secretHash!;
    // A resend changes nothing.
    if (next !== before) {
      if (await connections.refresh(connection, before, next)) return undefined;
      const refusal = this.#refusalFor(connection, next);
      if (refusal) return connection.refuse(refusal, id);
      const failure = await terminals.renew(before, next);
      if (failure?.refused === secretRevoked.refused) return connection.refuseAndClose(secretRevoked);
      if (failure) return connection.refuse(failure, id);
      connections.rebind(connection, next);
      for (const other of connectionsAt(connection.terminal!))
        if (other !== connection) other.refuseAndClose(secretRevoked);
    }
    return connection.send({ type: 'renewed', id });
  }

  #refusalFor({ terminal, address }: PatronConnection, next: string): { refused: string; message: string } | undefined {
    const { terminals, slips, isClosing } = this.#dependencies;
    if (isClosing()) return serverClosing;
    if (terminal === undefined) return notSeated;
    // A secret that is already bound to this terminal is a retry after a partial write.
    const isTaken =
      (terminals.terminalOf(next) ?? terminal) !== terminal || terminals.bindings.device(next) !== undefined;
    if (isTaken || terminals.isRevoked(next)) {
      return refuse<'bad-request'>('bad-request', 'The secret is or was in use; make another.');
    }
    return slips.takeWrite(address) ? undefined : tooManyWrites;
  }
}
