import { once } from 'node:events';
import { type Readable } from 'node:stream';
import { inspect } from 'node:util';
import { type Refusal, isRefused, quoted, refuse } from '../../base/refusal.ts';
import { type Pipes } from './command.ts';
import { type ErrorCode } from './codes.ts';

/** A request is one JSON object a line; its answer is one line in the same place. */
export type LineRequest = { readonly [field: string]: unknown };
export type LineHandler = (request: LineRequest) => object | Refusal<ErrorCode>;

/** What makes the exit code. A line that is no request, or that made Punto fail, comes without one. */
export type LineTally = {
  readonly add: (answered: object | Refusal<ErrorCode>, request?: LineRequest) => void;
  readonly isFailed: () => boolean;
};

const mostBytes = 65_536;

/** Every refused line is a failure. */
function anyRefusal(): LineTally {
  let failed = false;
  return { add: (answered) => void (failed ||= isRefused(answered)), isFailed: () => failed };
}

/** Answers every line of the input in order, as soon as it is there. A bad line gets an error, and the tally counts it. */
export async function handleLines(
  { input, output, errors }: Pipes,
  answer: LineHandler,
  tally = anyRefusal(),
): Promise<number> {
  let line = 0;
  for await (const batch of linesOf(input)) {
    let text = '';
    for (const bytes of batch) {
      line++;
      const { answered, request } = answerTo(bytes, answer, (error) =>
        errors.write(`punto: failed on line ${line}: ${inspect(error)}\n`),
      );
      tally.add(answered, request);
      if (isRefused(answered)) {
        const { refused: code, ...rest } = answered;
        text += `${JSON.stringify({ error: { code, ...rest }, line })}\n`;
      } else text += `${JSON.stringify(answered)}\n`;
    }
    if (!output.write(text)) await once(output, 'drain');
  }
  return tally.isFailed() ? 1 : 0;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

type Answered = { readonly answered: object | Refusal<ErrorCode>; readonly request?: LineRequest };

function answerTo(bytes: Buffer | undefined, answer: LineHandler, report: (error: unknown) => void): Answered {
  const read = requestIn(bytes);
  if ('answered' in read) return read;
  try {
    return { ...read, answered: answer(read.request) };
  } catch (error) {
    // A defect of ours in one line must not take the others along.
    report(error);
    return refusal('broken', 'Punto failed on this line; please report what it says on standard error.');
  }
}

const refusal = (code: ErrorCode, message: string): Answered => ({ answered: refuse<ErrorCode>(code, message) });

function requestIn(bytes: Buffer | undefined): { readonly request: LineRequest } | Answered {
  if (bytes === undefined) return refusal('line-too-long', `A line may have ${mostBytes} bytes; send a shorter one.`);
  let request: unknown;
  try {
    const text = utf8.decode(bytes);
    if (text.trim() === '') return refusal('empty-line', 'The line is empty; send one JSON object a line.');
    request = JSON.parse(text);
  } catch {
    return refusal('not-json', 'The line is not JSON in UTF-8; send one JSON object a line.');
  }
  if (typeof request !== 'object' || request === null || Array.isArray(request)) {
    return refusal('bad-request', `${quoted(request)} is not a JSON object; send one, in braces.`);
  }
  return { request: request as LineRequest };
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
