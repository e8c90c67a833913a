import { type ClientRequest, type ClientMessageTypes, type ServerReply } from './clientMessageTypes.ts';

/**
 * Reply to a request, or `unanswered` if the client no longer waits for the reply. An unanswered request may have been
 * carried out; only the event log shows it.
 */
export type ClientReply<R extends ClientMessageTypes> =
  | (ServerReply<R> & { readonly id: string })
  | { readonly type: 'unanswered'; readonly id: string };

type PendingRequest<R extends ClientMessageTypes> = {
  readonly request: ClientRequest<R>;
  readonly promise: Promise<ClientReply<R>>;
  readonly resolve: (answer: ClientReply<R>) => void;
};

/** Requests that have no reply yet, in the order in which they were first sent. */
export class PendingRequests<R extends ClientMessageTypes> {
  readonly #pending = new Map<string, PendingRequest<R>>();

  /** Registers a request and returns the promise of its reply. A repeated id gets the same promise. */
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

  /**
   * Resolves the request that has the id of the reply. After a resend a second reply with this id may arrive, and is
   * ignored.
   */
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
