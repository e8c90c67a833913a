import { type ClientMessage, type ServerMessageOf } from '../wire/messages.ts';

/** What is asked under an id, and answered under it. */
export type Asked = Extract<ClientMessage, { readonly id: string }>;

/** Unanswered is what was given up: whether it got there is in the record alone. */
export type Answer =
  | ServerMessageOf<'accepted'>
  | (ServerMessageOf<'refused'> & { readonly id: string })
  | { readonly type: 'unanswered'; readonly id: string };

type Waiting = { readonly ask: Asked; readonly promise: Promise<Answer>; readonly resolve: (answer: Answer) => void };

/** What was asked and not answered yet, in the order in which it was asked. */
export class Answers {
  readonly #waiting = new Map<string, Waiting>();

  /** The answer to come; asked again with its id, it is the same one. */
  to(ask: Asked): Promise<Answer> {
    const known = this.#waiting.get(ask.id);
    if (known) return known.promise;
    const { promise, resolve } = Promise.withResolvers<Answer>();
    this.#waiting.set(ask.id, { ask, promise, resolve });
    return promise;
  }

  /** A second answer to the same id, as a resend may lead to, changes nothing. */
  hear(tell: ServerMessageOf<'accepted'> | ServerMessageOf<'refused'>): void {
    if (tell.id !== null) this.#settle({ ...tell, id: tell.id });
  }

  /** All that waits, to be said once more with its id. */
  get waiting(): readonly Asked[] {
    return Array.from(this.#waiting.values(), ({ ask }) => ask);
  }

  giveUp(id: string): void {
    this.#settle({ type: 'unanswered', id });
  }

  #settle(answer: Answer): void {
    this.#waiting.get(answer.id)?.resolve(answer);
    this.#waiting.delete(answer.id);
  }
}
