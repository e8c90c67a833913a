import { Compile } from 'typebox/compile';
import { quoted, refuse } from '../rules/refusal.ts';
import { type Refusal } from '../rules/refusal.ts';
import { type Ask, asks } from '../wire/messages.ts';
import { type WireCode } from '../wire/refusals.ts';

const checks = Object.fromEntries(Object.entries(asks).map(([type, schema]) => [type, Compile(schema)]));

type Refused = Refusal<WireCode | 'not-json' | 'bad-request'>;

/** A message from outside, or what is wrong with it. */
export function askIn(text: string): Ask | (Refused & { readonly id?: string }) {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return refuse<'not-json'>('not-json', 'The message is not JSON; send one JSON object in each message.');
  }
  if (typeof message !== 'object' || message === null || Array.isArray(message)) {
    return refuse<'bad-request'>('bad-request', 'The message is not a JSON object; send one with a "type".');
  }
  const { type, id } = message as { type?: unknown; id?: unknown };
  const named = typeof id === 'string' && id.length <= 64 ? { id } : {};
  if (typeof type !== 'string' || !Object.hasOwn(checks, type)) {
    const known = Object.keys(asks).join(', ');
    return {
      ...refuse<'unknown-message'>('unknown-message', `There is no message ${quoted(type)}; use ${known}.`),
      ...named,
    };
  }
  const check = checks[type]!;
  if (check.Check(message)) return message as Ask;
  const [wrong] = check.Errors(message);
  const where = wrong?.instancePath ? `at ${quoted(wrong.instancePath)}: ` : '';
  const what = `${where}${wrong?.message ?? 'it does not fit'}`;
  return { ...refuse<'bad-request'>('bad-request', `The message "${type}" is not right ${what}.`), ...named };
}
