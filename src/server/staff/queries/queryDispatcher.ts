import { type SignInSession } from '../../../staff/state.ts';
import { type Role } from '../../../access/roles.ts';
import { quoteForMessage, refuse } from '../../../base/refusal.ts';
import { type StaffClientMessageOf } from '../../../wire/staff/messages.ts';
import { effectiveRoleAt } from '../commands/viewPermissions.ts';
import { type ServerRefusal, notYourViewRefusal } from '../../refusals/serverRefusals.ts';

type Fields = { readonly [field: string]: unknown };

type QueryHandler = {
  readonly roles: readonly Role[];
  readonly answer: (
    params: Fields,
    session: SignInSession,
    at: number,
  ) => Fields | ServerRefusal | Promise<Fields | ServerRefusal>;
};
export type QueryHandlers = { readonly [name: string]: QueryHandler };

/** Dispatches queries of staff to their handlers by name, after a check of the role. */
export class QueryDispatcher {
  readonly #handlers: QueryHandlers;

  constructor(...families: readonly QueryHandlers[]) {
    this.#handlers = Object.assign({}, ...families) as QueryHandlers;
  }

  async answer(
    session: SignInSession,
    message: StaffClientMessageOf<'query'>,
    at: number,
  ): Promise<Fields | ServerRefusal> {
    const { name } = message;
    const handler = Object.hasOwn(this.#handlers, name) ? this.#handlers[name] : undefined;
    if (handler === undefined) return unknownQuery(name);
    if (!handler.roles.includes(effectiveRoleAt(session, at))) return notYourViewRefusal(name);
    return handler.answer(message.params, session, at);
  }
}

const unknownQuery = (name: string): ServerRefusal =>
  refuse<'unknown-query'>('unknown-query', `There is no query ${quoteForMessage(name)}. Check its name.`);
