import { type ClientRequest, type Protocol, type ServerReply } from './protocol.ts';

/** `unanswered`: given up; only the event log shows whether the request arrived. */
export type ClientReply<R extends Protocol> =
  | (ServerReply<R> & { readonly id: string })
  | { readonly type: 'unanswered'; readonly id: string };

type PendingRequest<R extends Protocol> = {
  readonly request: ClientRequest<R>;
  readonly promise: Promise<ClientReply<R>>;
  readonly resolve: (answer: ClientReply<R>) => void;
};

/** Unanswered requests in the order of their first send. */
export class PendingRequests<R extends Protocol> {
  readonly #pending = new Map<string, PendingRequest<R>>();

  /** Promise of the reply; the same promise for a repeated id. */
  add(request: ClientRequest<R>): Promise<ClientReply<R>> {
    const pending = this.#pending.get(request.id);
    if (pending) return pending.promise;
    let resolve!: (reply: ClientReply<R>) => void;
    const promise = new Promise<ClientReply<R>>((settle) => {
      resolve = settle;
    });
    this.#pending.set(request.id, { request, promise, resolve });
    return promise;
  }

  /** A second reply to an id, as after a resend, is ignored. */
  resolve(reply: ServerReply<R>): void {
    if (reply.id !== null) this.#settle({ ...reply, id: reply.id });
  }

  get unanswered(): readonly ClientRequest<R>[] {
    return Array.from(this.#pending.values(), ({ request }) => request);
  }

  giveUp(id: string): void {
    this.#settle({ type: 'unanswered', id });
  }

  #settle(reply: ClientReply<R>): void {
    this.#pending.get(reply.id)?.resolve(reply);
    this.#pending.delete(reply.id);
  }
}
