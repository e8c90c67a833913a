import { read } from '../rules/fields.ts';
import { type Refusal, isRefused, quoted, refuse } from '../rules/refusal.ts';
import { type ClientMessage, clientMessages } from '../wire/messages.ts';
import { type WireCode } from '../wire/refusals.ts';

type Refused = Refusal<WireCode | 'not-json' | Refusal['refused']> & { readonly id?: string };

const isKnown = (type: unknown): type is ClientMessage['type'] =>
  typeof type === 'string' && Object.hasOwn(clientMessages, type);

/** A message from outside, or what is wrong with it. */
export function messageIn(sent: string): ClientMessage | Refused {
  let message: unknown;
  try {
    message = JSON.parse(sent);
  } catch {
    return refuse<'not-json'>('not-json', 'The message is not JSON; send one JSON object in each message.');
  }
  if (typeof message !== 'object' || message === null || Array.isArray(message)) {
    return refuse('bad-request', 'The message is not a JSON object; send one with a "type".');
  }
  const { type, id } = message as { type?: unknown; id?: unknown };
  const named = typeof id === 'string' && id.length <= 64 && id.isWellFormed() ? { id } : {};
  if (!isKnown(type)) {
    const known = Object.keys(clientMessages).join(', ');
    return {
      ...refuse<'unknown-message'>('unknown-message', `There is no message ${quoted(type)}; use ${known}.`),
      ...named,
    };
  }
  const known = read<ClientMessage>(message, clientMessages[type]);
  return isRefused(known) ? { ...known, ...named } : known;
}
