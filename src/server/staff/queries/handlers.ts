import { type SignInSession } from '../../../staff/state.ts';
import { type Role } from '../../../access/roles.ts';
import { quoted, refuse } from '../../../base/refusal.ts';
import { type StaffSaysOf } from '../../../wire/staff/messages.ts';
import { type Refused, notYourView } from '../../shared/staffRefusals.ts';
import { effectiveRoleAt } from '../commands/viewPermissions.ts';

type Fields = { readonly [field: string]: unknown };

/** Something that can be looked up: who may, and what is told. */
type Ask = {
  readonly posts: readonly Role[];
  readonly answer: (given: Fields, session: SignInSession, at: number) => Fields | Refused | Promise<Fields | Refused>;
};
export type QueryHandlers = { readonly [what: string]: Ask };

/** All that staff can look up, by its name. */
export class Registry {
  readonly #asks: QueryHandlers;

  constructor(...families: readonly QueryHandlers[]) {
    this.#asks = Object.assign({}, ...families) as QueryHandlers;
  }

  async answer(session: SignInSession, said: StaffSaysOf<'ask'>, at: number): Promise<Fields | Refused> {
    const { what } = said;
    const ask = Object.hasOwn(this.#asks, what) ? this.#asks[what] : undefined;
    if (ask === undefined) return unknownQuestion(what);
    if (!ask.posts.includes(effectiveRoleAt(session, at))) return notYourView(what);
    return ask.answer(said.with, session, at);
  }
}

const unknownQuestion = (what: string): Refused =>
  refuse<'unknown-question'>(
    'unknown-question',
    `Nothing is known by the name ${quoted(what)}; ask for something else.`,
  );
