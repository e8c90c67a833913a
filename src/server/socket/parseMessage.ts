import { type Schema, parse } from '../../base/schema.ts';
import { type Refusal, isRefused, quoteForMessage, refuse } from '../../base/refusal.ts';
import { type ServerRefusalCode } from '../../wire/serverRefusalCodes.ts';

type ParseRefusal = Refusal<ServerRefusalCode | 'not-json' | Refusal['refused']> & { readonly id?: string };

/** A message from a client. A message with an id expects a reply. `v` is the protocol version, which only hello has. */
export type SocketMessage = { readonly type: string; readonly id?: string; readonly v?: number };
export type MessageSchemas<Incoming extends SocketMessage> = { readonly [type in Incoming['type']]: Schema<Incoming> };

export type ParsedSocketMessage<Incoming> = { readonly message: Incoming } | { readonly refusal: ParseRefusal };

export function parseSocketMessage<Incoming extends SocketMessage>(
  sent: string,
  messages: MessageSchemas<Incoming>,
): ParsedSocketMessage<Incoming> {
  const isKnown = (type: unknown): type is Incoming['type'] =>
    typeof type === 'string' && Object.hasOwn(messages, type);
  let message: unknown;
  try {
    message = JSON.parse(sent);
  } catch {
    return {
      refusal: refuse<'not-json'>('not-json', 'The message is not JSON. Send one JSON object in each message.'),
    };
  }
  if (typeof message !== 'object' || message === null || Array.isArray(message)) {
    return { refusal: refuse('bad-request', 'The message is not a JSON object. Send one with a "type".') };
  }
  const { type, id } = message as { type?: unknown; id?: unknown };
  const withId = typeof id === 'string' && id.length <= 64 && id.isWellFormed() ? { id } : {};
  if (!isKnown(type)) {
    const known = Object.keys(messages).join(', ');
    const refusal = refuse<'unknown-message'>(
      'unknown-message',
      `Unknown message type ${quoteForMessage(type)}. Use ${known}.`,
    );
    return { refusal: { ...refusal, ...withId } };
  }
  const refusal = parse<object>(message, messages[type]);
  return isRefused(refusal) ? { refusal: { ...refusal, ...withId } } : { message: message as Incoming };
}
