import * as s from '../../base/schema.ts';
import { type Schema } from '../../base/schema.ts';
import { type Refusal, isRefused, quoted, refuse } from '../../base/refusal.ts';
import { type WireCode } from '../../wire/refusals.ts';

type Refused = Refusal<WireCode | 'not-json' | Refusal['refused']> & { readonly id?: string };

/** What crosses a socket: an object with a type, and with an id where it is to be answered. */
export type SocketMessage = { readonly type: string; readonly id?: string; readonly v?: number };
/** The kind of each message that somebody may say, by its type. */
export type MessageSchemas<Says extends SocketMessage> = { readonly [type in Says['type']]: Schema<Says> };

/** A message from outside, or what is wrong with it. */
export type Incoming<Says> = { readonly said: Says } | { readonly wrong: Refused };

export function messageIn<Says extends SocketMessage>(sent: string, messages: MessageSchemas<Says>): Incoming<Says> {
  const isKnown = (type: unknown): type is Says['type'] => typeof type === 'string' && Object.hasOwn(messages, type);
  let message: unknown;
  try {
    message = JSON.parse(sent);
  } catch {
    return { wrong: refuse<'not-json'>('not-json', 'The message is not JSON; send one JSON object in each message.') };
  }
  if (typeof message !== 'object' || message === null || Array.isArray(message)) {
    return { wrong: refuse('bad-request', 'The message is not a JSON object; send one with a "type".') };
  }
  const { type, id } = message as { type?: unknown; id?: unknown };
  const named = typeof id === 'string' && id.length <= 64 && id.isWellFormed() ? { id } : {};
  if (!isKnown(type)) {
    const known = Object.keys(messages).join(', ');
    const wrong = refuse<'unknown-message'>('unknown-message', `There is no message ${quoted(type)}; use ${known}.`);
    return { wrong: { ...wrong, ...named } };
  }
  const wrong = s.parse<object>(message, messages[type]);
  return isRefused(wrong) ? { wrong: { ...wrong, ...named } } : { said: message as Says };
}
