import { type Guest } from './house.ts';

/** What is answered to something that was asked with an id. */
export async function answer(
  guest: Guest,
  asks: { readonly type: string; readonly id: string; readonly [field: string]: unknown },
) {
  const from = guest.heard.length;
  guest.say(asks);
  const isAnswer = (tell: object): boolean => 'id' in tell && tell.id === asks.id;
  for (;;) {
    const found = guest.heard.slice(from).find(isAnswer);
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** The number on the ticket that is given for all the credit. */
export async function ticketOf(guest: Guest, id: string): Promise<string> {
  const collected = await answer(guest, { type: 'collect', id });
  if (collected.type !== 'collected' || collected.ticket === null) throw new Error(JSON.stringify(collected));
  return collected.ticket.number;
}
