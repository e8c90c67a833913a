/** A role is its words: what it may say, with a hello, and what it is told, with a welcome. */
export type Protocol = {
  readonly says: { readonly type: string };
  readonly hears: { readonly type: string };
};

/** What it says first. */
export type Hello<R extends Protocol> = Extract<R['says'], { readonly type: 'hello' }>;

/** What it asks under an id, and what it is answered under it. */
export type ClientRequest<R extends Protocol> = Extract<R['says'], { readonly id: string }>;
export type ServerReply<R extends Protocol> = Extract<
  R['hears'],
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
