import { games } from '../games/registry.ts';
import { dealOf } from '../rules/deal.ts';
import { fullNameOf } from '../rules/game.ts';
import { settle } from '../rules/settle.ts';
import { type Store } from '../store/store.ts';

type Slip = { readonly [wager: string]: number };

/** A slip that a terminal was told is in. */
type Acknowledged = { readonly id: string };

/**
 * Keeps books of its own: what was acknowledged, and what credits must be by the rules alone. It knows nothing of tables,
 * postings or floors, and shares no code with them.
 */
export class Auditor {
  readonly #credit: number;
  readonly #acknowledged: Acknowledged[] = [];

  constructor(credit: number) {
    this.#credit = credit;
  }

  acknowledge(one: Acknowledged): void {
    this.#acknowledged.push(one);
  }

  /** What is wrong between the record, the acknowledgements and the credits. */
  async audit(store: Store): Promise<readonly string[]> {
    const wrong: string[] = [];
    const commands = new Map<string, number>();
    const expected = new Map<string, number>();
    const streams = await store.streams();
    // Terminals first: their credit is where every sum begins.
    const isTerminal = (stream: string): boolean => stream.split('/')[1] === 'terminal';
    for (const stream of [...streams.filter(isTerminal), ...streams.filter((one) => !isTerminal(one))]) {
      const slips = new Map<string, Map<string, Slip>>();
      const gameOf = new Map<string, string>();
      const ended = new Map<string, number>();
      let last = '';
      for await (const entries of store.read(stream)) {
        for (const { event, command } of entries) {
          const round = String(event['round']);
          if (event.type === 'TerminalSeated') expected.set(String(event['terminal']), this.#credit);
          if (event.type === 'BetsOpened') {
            gameOf.set(round, String(event['game']));
            last = round;
          }
          if (event.type === 'SlipSet') {
            const id = command!.id;
            commands.set(id, (commands.get(id) ?? 0) + 1);
            const ofRound = slips.get(round) ?? new Map<string, Slip>();
            slips.set(round, ofRound.set(String(event['terminal']), event['slip'] as Slip));
          }
          if (event.type === 'RoundVoided' || event.type === 'RoundSettled')
            ended.set(round, (ended.get(round) ?? 0) + 1);
          if (event.type === 'RoundSettled') {
            const game = games.find((one) => fullNameOf(one) === gameOf.get(round))!;
            const deal = dealOf(event['cards'] as string[], { deck: game.deck, decks: 8 });
            if ('refused' in deal) wrong.push(`${round} was settled with ${deal.message}`);
            else {
              for (const [terminal, slip] of slips.get(round) ?? []) {
                for (const [wager, stake] of Object.entries(slip)) {
                  const paid = settle(game, wager, deal.facts, stake);
                  if ('refused' in paid) wrong.push(`${round}: ${paid.message}`);
                  else expected.set(terminal, expected.get(terminal)! - stake + paid.returned);
                }
              }
            }
          }
        }
      }
      for (const round of gameOf.keys()) {
        if (ended.get(round) !== 1 && !(round === last && !ended.has(round)))
          wrong.push(`${round} ended ${ended.get(round) ?? 0} times`);
        if (!ended.has(round)) {
          for (const [terminal, slip] of slips.get(round) ?? []) {
            const staked = Object.values(slip).reduce((sum, stake) => sum + stake, 0);
            expected.set(terminal, expected.get(terminal)! - staked);
          }
        }
      }
    }
    for (const { id } of this.#acknowledged) {
      if (commands.get(id) !== 1)
        wrong.push(`The slip ${id} was acknowledged and stands ${commands.get(id) ?? 0} times in the record`);
    }
    for (const [account, { amount }] of await store.balances()) {
      const [, , kind, terminal] = account.split('/');
      if (kind === 'terminal' && expected.get(terminal!) !== amount) {
        wrong.push(`${terminal} has ${amount} and should have ${expected.get(terminal!)}`);
      }
    }
    return wrong;
  }
}
