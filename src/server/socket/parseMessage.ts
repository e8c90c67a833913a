import * as s from '../../base/schema.ts';
import { type Schema } from '../../base/schema.ts';
import { type Refusal, isRefused, quoted, refuse } from '../../base/refusal.ts';
import { type WireCode } from '../../wire/refusals.ts';

type Refused = Refusal<WireCode | 'not-json' | Refusal['refused']> & { readonly id?: string };

/** A message has a type, and an id if it gets a reply. */
export type SocketMessage = { readonly type: string; readonly id?: string; readonly v?: number };
export type MessageSchemas<Says extends SocketMessage> = { readonly [type in Says['type']]: Schema<Says> };

export type ParsedMessage<Says> = { readonly message: Says } | { readonly refusal: Refused };

export function parseMessage<Says extends SocketMessage>(
  sent: string,
  messages: MessageSchemas<Says>,
): ParsedMessage<Says> {
  const isKnown = (type: unknown): type is Says['type'] => typeof type === 'string' && Object.hasOwn(messages, type);
  let message: unknown;
  try {
    message = JSON.parse(sent);
  } catch {
    return {
      refusal: refuse<'not-json'>('not-json', 'The message is not JSON; send one JSON object in each message.'),
    };
  }
  if (typeof message !== 'object' || message === null || Array.isArray(message)) {
    return { refusal: refuse('bad-request', 'The message is not a JSON object; send one with a "type".') };
  }
  const { type, id } = message as { type?: unknown; id?: unknown };
  const named = typeof id === 'string' && id.length <= 64 && id.isWellFormed() ? { id } : {};
  if (!isKnown(type)) {
    const known = Object.keys(messages).join(', ');
    const wrong = refuse<'unknown-message'>('unknown-message', `There is no message ${quoted(type)}; use ${known}.`);
    return { refusal: { ...wrong, ...named } };
  }
  const wrong = s.parse<object>(message, messages[type]);
  return isRefused(wrong) ? { refusal: { ...wrong, ...named } } : { message: message as Says };
}
