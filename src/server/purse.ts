import { type Terminals } from '../floor/terminals.ts';
import { type Purse } from '../wire/purse.ts';
import { type CareSetting, limitsOf } from './care.ts';

type Parts = {
  readonly terminals: Terminals;
  /** What a new terminal of a demo begins with; null where money is real. */
  readonly credit: number | null;
  readonly care: CareSetting;
  /** What a session has at stake, table by table. */
  readonly standing: (session: string) => Purse['standing'];
};

/** What a terminal has, whatever table it sits at; undefined where that is not known yet. */
export function purseOf({ terminals, credit, care, standing }: Parts, terminal: string): Purse | undefined {
  const session = terminals.session(terminal);
  if (session === undefined) return undefined;
  const state = terminals.standing(terminal);
  const isOpen = state?.open === true;
  return {
    terminal,
    // Before the first bet of a demo nothing is written of its credit, but what it begins with is known.
    credit: terminals.isNew(terminal) ? (credit ?? 0) : terminals.creditOf(terminal),
    session: isOpen ? { number: state.sessions, since: state.since, in: state.loaded } : null,
    standing: standing(session),
    limits: limitsOf(state, care),
  };
}
