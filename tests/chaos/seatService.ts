import { type CommandResult } from '../../src/runtime/stream/pendingCommand.ts';
import { type RandomSource } from '../../src/runtime/ports/random.ts';
import { type Auditor, type SentSlip } from './audit/auditor.ts';
import { type Lifetime } from './lifetime.ts';
import { type Network } from './faults/network.ts';
import { type SlipResult } from './patrons/patron.ts';
import { type SlipWitness } from './audit/slipWitness.ts';

type SeatServiceOptions = {
  readonly network: Network;
  readonly random: RandomSource;
  readonly auditor: Auditor;
  readonly witness: SlipWitness;
  readonly currentLifetime: () => Lifetime | undefined;
  readonly onError: (error: unknown, what: string) => void;
  readonly report: (what: string) => void;
};

/** Carries seat requests and slips of patrons to the present floor. */
export class SeatService {
  readonly #options: SeatServiceOptions;

  constructor(options: SeatServiceOptions) {
    this.#options = options;
  }

  seat(secret: string, credit: number, onReply: (terminal: string) => void): void {
    const { network, onError } = this.#options;
    const lifetime = this.#options.currentLifetime();
    if (lifetime?.openFloor === undefined) return;
    lifetime.seat(lifetime.openFloor, secret, credit).then(
      (terminal) => lifetime.isAlive && network.transmit(() => onReply(terminal)),
      (error: unknown) => lifetime.isAlive && onError(error, `Seating ${secret}`),
    );
  }

  sendSlip(sent: SentSlip, onReply: (result: SlipResult) => void): void {
    const { network, random, auditor, witness, report } = this.#options;
    const lifetime = this.#options.currentLifetime();
    if (lifetime?.floor === undefined) return;
    const reply = (result: SlipResult): void =>
      network.transmit(() => {
        // After a kill a reply in flight arrives or is lost.
        if (lifetime.isAlive || random.below(2) === 0) onReply(result);
      });
    if (lifetime.parking) {
      reply({ accepted: false, code: 'server-closing' });
      return;
    }
    const { id, terminal, table, round, slip } = sent;
    auditor.recordRequest(sent);
    const slipRequest = witness.recordRequest(sent);
    const payload = { type: 'SetSlip', actor: { terminal }, round, slip } as const;
    const handleResult = (result: CommandResult): void => {
      if (!lifetime.isAlive) return;
      // No result yet: the patron sends the slip again.
      if ('refused' in result && result.refused === 'result-unknown') return;
      witness.checkReply(slipRequest, result);
      auditor.recordReply(id, !('refused' in result));
      reply('refused' in result ? { accepted: false, code: result.refused } : { accepted: true });
    };
    const onDefect = (error: unknown): void => report(`The slip ${id} failed: ${String(error)}`);
    lifetime.floor.tables.get(table)!.submit(id, payload).then(handleResult, onDefect);
  }
}
