/**
 * Message types of one kind of client. `outgoing` messages go to the server, and hello is one of them; `incoming`
 * messages come from the server, and welcome is one of them.
 */
export type ClientMessageTypes = {
  readonly outgoing: { readonly type: string };
  readonly incoming: { readonly type: string };
};

export type HelloMessage<R extends ClientMessageTypes> = Extract<R['outgoing'], { readonly type: 'hello' }>;

/** The outgoing messages that expect a reply: all messages with an id. The reply has the same id. */
export type ClientRequest<R extends ClientMessageTypes> = Extract<R['outgoing'], { readonly id: string }>;
export type ServerReply<R extends ClientMessageTypes> = Extract<
  R['incoming'],
  {
    readonly type:
      | 'accepted'
      | 'answer'
      | 'collected'
      | 'done'
      | 'limited'
      | 'loaded'
      | 'recalled'
      | 'renewed'
      | 'refused'
      | 'scanned';
    readonly id: string | null;
  }
>;
