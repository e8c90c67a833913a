import { createHash } from 'node:crypto';
import { asFinalRefusal, secretRevokedRefusal } from '../../runtime/stream/refusals.ts';
import { type Terminals } from '../../runtime/terminals/terminals.ts';
import { refuse } from '../../base/refusal.ts';
import { type ClientMessageOf } from '../../wire/messages.ts';
import { type DeviceConnection } from '../socket/deviceConnection.ts';
import { type DeviceConnectionBinder } from './deviceConnectionBinder.ts';
import { type SlipQueue } from '../tables/slipQueue.ts';
import { notSeatedRefusal, serverClosingRefusal, tooManyWritesRefusal } from '../refusals/serverRefusals.ts';

type SecretRotationDependencies = {
  readonly terminals: Terminals;
  readonly connections: Pick<DeviceConnectionBinder, 'refresh' | 'rebind'>;
  readonly slips: SlipQueue;
  readonly isClosing: () => boolean;
  readonly connectionsAt: (terminal: string) => ReadonlySet<DeviceConnection>;
};

/** SHA-256 hash of a secret. Only the hash is stored. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');

export class SecretRotationHandler {
  readonly #dependencies: SecretRotationDependencies;

  constructor(dependencies: SecretRotationDependencies) {
    this.#dependencies = dependencies;
  }

  /** Replaces the secret of a terminal, and closes all other connections of the terminal. */
  async renew(connection: DeviceConnection, { id, secret }: ClientMessageOf<'renew'>): Promise<void> {
    const { terminals, connections, connectionsAt } = this.#dependencies;
    const next = hashSecret(secret);
    const before = connection.secretHash!;
    // If this request was carried out before, the new secret is in use already, and only the reply is sent again.
    if (next !== before) {
      if (await connections.refresh(connection, before, next)) return undefined;
      const refusal = this.#refusalFor(connection, next);
      // Secrets are not in the event log. So there is no stored command whose result could replace the refusal.
      if (refusal) return connection.refuse(asFinalRefusal(refusal), id);
      const failure = await terminals.renew(before, next);
      if (failure?.refused === secretRevokedRefusal.refused) return connection.refuseAndClose(secretRevokedRefusal);
      if (failure) return connection.refuse(asFinalRefusal(failure), id);
      connections.rebind(connection, next);
      for (const other of connectionsAt(connection.terminal!))
        if (other !== connection) other.refuseAndClose(secretRevokedRefusal);
    }
    return connection.send({ type: 'renewed', id });
  }

  #refusalFor({ terminal, address }: DeviceConnection, next: string): { refused: string; message: string } | undefined {
    const { terminals, slips, isClosing } = this.#dependencies;
    if (isClosing()) return serverClosingRefusal;
    if (terminal === undefined) return notSeatedRefusal;
    // If the new secret belongs to this terminal already, an earlier attempt has bound the new secret and failed before
    // it revoked the old one.
    const isTaken =
      (terminals.terminalOf(next) ?? terminal) !== terminal || terminals.bindings.device(next) !== undefined;
    if (isTaken || terminals.isRevoked(next)) {
      return refuse<'bad-request'>('bad-request', 'This secret is or was in use. Make a new one.');
    }
    return slips.takeWrite(address) ? undefined : tooManyWritesRefusal;
  }
}
