import { once } from 'node:events';
import { type Readable, type Writable } from 'node:stream';
import { type Refusal, quoted, refuse } from '../rules/refusal.ts';
import { type ErrorCode } from './stop.ts';

/** A request is one JSON object a line; its answer is one line in the same place. */
export type Request = { readonly [field: string]: unknown };
export type Answer = (request: Request) => object | Refusal<ErrorCode>;

const mostBytes = 65_536;

/** Answers every line of the input in order, as soon as it is there. A bad line gets an error and makes the exit code 1. */
export async function answerLines(input: Readable, output: Writable, answer: Answer): Promise<number> {
  let status = 0;
  let line = 0;
  for await (const batch of linesOf(input)) {
    let text = '';
    for (const bytes of batch) {
      line++;
      const answered = answerTo(bytes, answer);
      if ('refused' in answered) {
        status = 1;
        text += `${JSON.stringify({ error: { code: answered.refused, message: answered.message }, line })}\n`;
      } else text += `${JSON.stringify(answered)}\n`;
    }
    if (!output.write(text)) await once(output, 'drain');
  }
  return status;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function answerTo(bytes: Buffer | undefined, answer: Answer): object | Refusal<ErrorCode> {
  if (bytes === undefined) {
    return refuse<ErrorCode>('line-too-long', `A line may have ${mostBytes} bytes; send a shorter one.`);
  }
  let request: unknown;
  try {
    const text = utf8.decode(bytes);
    if (text.trim() === '') return refuse<ErrorCode>('empty-line', 'The line is empty; send one JSON object a line.');
    request = JSON.parse(text);
  } catch {
    return refuse<ErrorCode>('not-json', 'The line is not JSON in UTF-8; send one JSON object a line.');
  }
  if (typeof request !== 'object' || request === null || Array.isArray(request)) {
    return refuse<ErrorCode>('bad-request', `${quoted(request)} is not a JSON object; send one, in braces.`);
  }
  try {
    return answer(request as Request);
  } catch (error) {
    // A defect of ours in one line must not take the others along.
    return refuse<ErrorCode>('broken', `Punto failed on this line: ${quoted(String(error))}; please report it.`);
  }
}

type Bytes = Buffer | undefined;

/** Lines without their ends, as many as have come; undefined for one that is too long, whose bytes are let go. */
async function* linesOf(input: Readable): AsyncGenerator<readonly Bytes[]> {
  let parts: Buffer[] = [];
  let size = 0;
  const keep = (part: Buffer): void => {
    size += part.length;
    if (size <= mostBytes) parts.push(part);
    else parts = [];
  };
  const take = (): Bytes => {
    const line = size > mostBytes ? undefined : Buffer.concat(parts);
    parts = [];
    size = 0;
    return line;
  };
  for await (const chunk of input as AsyncIterable<Buffer>) {
    const lines: Bytes[] = [];
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      keep(chunk.subarray(start, end));
      lines.push(take());
      start = end + 1;
    }
    if (start < chunk.length) keep(chunk.subarray(start));
    if (lines.length > 0) yield lines;
  }
  if (size > 0) yield [take()];
}

/** What a field of a request may be; `?` marks one that may be left out. */
type Kinds = {
  text: string;
  'text?': string | undefined;
  texts: readonly string[];
  'texts?': readonly string[] | undefined;
  'number?': number | undefined;
};

const wanted: { readonly [K in keyof Kinds]: string } = {
  text: 'a text',
  'text?': 'a text, or leave it out',
  texts: 'a list of texts',
  'texts?': 'a list of texts, or leave it out',
  'number?': 'a number, or leave it out',
};

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((one) => typeof one === 'string');

const fits: { readonly [K in keyof Kinds]: (value: unknown) => boolean } = {
  text: (value) => typeof value === 'string',
  'text?': (value) => value === undefined || typeof value === 'string',
  texts: isTexts,
  'texts?': (value) => value === undefined || isTexts(value),
  'number?': (value) => value === undefined || typeof value === 'number',
};

/** The fields of a request by a form; refused if one is missing, unknown or of the wrong type. */
export function readFields<Form extends { readonly [field: string]: keyof Kinds }>(
  request: Request,
  form: Form,
): { readonly [F in keyof Form]: Kinds[Form[F]] } | Refusal<ErrorCode> {
  const stray = Object.keys(request).find((field) => !Object.hasOwn(form, field));
  if (stray !== undefined) {
    const known = Object.keys(form).join(', ');
    return refuse<ErrorCode>('unknown-field', `The field ${quoted(stray)} is not known here; use ${known}.`);
  }
  for (const [field, kind] of Object.entries(form)) {
    if (fits[kind](request[field])) continue;
    const is = Object.hasOwn(request, field) ? quoted(request[field]) : 'missing';
    return refuse<ErrorCode>('bad-request', `The field "${field}" is ${is}; give ${wanted[kind]}.`);
  }
  return request as { readonly [F in keyof Form]: Kinds[Form[F]] };
}
