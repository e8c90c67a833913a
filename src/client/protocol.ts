/** Messages of one kind of client: `outgoing` contains a hello, `incoming` a welcome. */
export type Protocol = {
  readonly outgoing: { readonly type: string };
  readonly incoming: { readonly type: string };
};

export type Hello<R extends Protocol> = Extract<R['outgoing'], { readonly type: 'hello' }>;

/** Requests and replies share an id. */
export type ClientRequest<R extends Protocol> = Extract<R['outgoing'], { readonly id: string }>;
export type ServerReply<R extends Protocol> = Extract<
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
