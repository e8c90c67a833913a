import { type PatronSocket } from './testServer.ts';

/** Sends a request with an id and waits for its reply. */
export async function replyTo(
  patron: PatronSocket,
  request: { readonly type: string; readonly id: string; readonly [field: string]: unknown },
) {
  const from = patron.received.length;
  patron.send(request);
  const isReply = (message: object): boolean => 'id' in message && message.id === request.id;
  for (;;) {
    const found = patron.received.slice(from).find(isReply);
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Collects all credit; gives the validation number of the ticket. */
export async function collectTicket(patron: PatronSocket, id: string): Promise<string> {
  const collected = await replyTo(patron, { type: 'collect', id });
  if (collected.type !== 'collected' || collected.ticket === null) throw new Error(JSON.stringify(collected));
  return collected.ticket.number;
}
