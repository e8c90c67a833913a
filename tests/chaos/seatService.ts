import { type CommandResult } from '../../src/runtime/stream/pendingCommand.ts';
import { type RandomSource } from '../../src/runtime/ports/random.ts';
import { type Auditor, type SentSlip } from './auditor.ts';
import { type Lifetime } from './lifetime.ts';
import { type Network } from './network.ts';
import { type Heard } from './patron.ts';
import { type SlipWitness } from './slipWitness.ts';

type Parts = {
  readonly network: Network;
  readonly chance: RandomSource;
  readonly auditor: Auditor;
  readonly witness: SlipWitness;
  readonly life: () => Lifetime | undefined;
  readonly failed: (error: unknown, what: string) => void;
  readonly protest: (what: string) => void;
};

/** Where patrons get a seat and bring their slips, in whatever life the floor is. */
export class SeatService {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  seat(secret: string, credit: number, hear: (terminal: string) => void): void {
    const { network, failed } = this.#parts;
    const life = this.#parts.life();
    if (life?.counter === undefined) return;
    life.seat(life.counter, secret, credit).then(
      (terminal) => life.isAlive && network.carry(() => hear(terminal)),
      (error: unknown) => life.isAlive && failed(error, `Seating ${secret}`),
    );
  }

  ask(sent: SentSlip, hear: (heard: Heard) => void): void {
    const { network, chance, auditor, witness, protest } = this.#parts;
    const life = this.#parts.life();
    if (life?.floor === undefined) return;
    const say = (heard: Heard): void =>
      network.carry(() => {
        // What was under way when the plug was pulled is lost or not.
        if (life.isAlive || chance.below(2) === 0) hear(heard);
      });
    if (life.parking) {
      say({ accepted: false, why: 'server-closing' });
      return;
    }
    const { id, terminal, table, round, slip } = sent;
    auditor.request(sent);
    const asking = witness.request(sent);
    const asked = { type: 'SetSlip', actor: { terminal }, round, slip } as const;
    const answer = (answered: CommandResult): void => {
      if (!life.isAlive) return;
      // That is no answer: it is asked again.
      if ('refused' in answered && answered.refused === 'result-unknown') return;
      witness.answered(asking, answered);
      auditor.answered(id, !('refused' in answered));
      say('refused' in answered ? { accepted: false, why: answered.refused } : { accepted: true });
    };
    const broke = (error: unknown): void => protest(`The slip ${id} broke: ${String(error)}`);
    life.floor.tables.get(table)!.submit(id, asked).then(answer, broke);
  }
}
