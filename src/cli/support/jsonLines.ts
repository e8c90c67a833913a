import { once } from 'node:events';
import { type Readable } from 'node:stream';
import { inspect } from 'node:util';
import { type Refusal, isRefused, quoteForMessage, refuse } from '../../base/refusal.ts';
import { type CommandStreams } from './commandLine.ts';
import { type ErrorCode } from './errorCodes.ts';

/** Request in JSON lines: one object per line. Line n of the output is the answer to line n of the input. */
export type LineRequest = { readonly [field: string]: unknown };
export type LineHandler = (request: LineRequest) => object | Refusal<ErrorCode>;

/**
 * Decides the exit code from the results of all lines: 1 if `isFailed` returns true, otherwise 0. `request` is
 * undefined if the line is malformed, or if a bug prevented its answer.
 */
export type ExitCodeTally = {
  readonly add: (result: object | Refusal<ErrorCode>, request?: LineRequest) => void;
  readonly isFailed: () => boolean;
};

const maxLineBytes = 65_536;

/** Default tally: a single refused line gives exit code 1. */
function failOnRefusal(): ExitCodeTally {
  let failed = false;
  return { add: (result) => void (failed ||= isRefused(result)), isFailed: () => failed };
}

/** Answers each input line in order, as soon as it arrives. A malformed line gets an error. Returns the exit code. */
export async function answerJsonLines(
  { input, output, errors }: CommandStreams,
  handler: LineHandler,
  tally = failOnRefusal(),
): Promise<number> {
  let lineNumber = 0;
  for await (const batch of readLines(input)) {
    let text = '';
    for (const bytes of batch) {
      lineNumber++;
      const { result, request } = handleLine(bytes, handler, (error) =>
        errors.write(`punto: failed on line ${lineNumber}: ${inspect(error)}\n`),
      );
      tally.add(result, request);
      if (isRefused(result)) {
        const { refused: code, ...rest } = result;
        text += `${JSON.stringify({ error: { code, ...rest }, line: lineNumber })}\n`;
      } else text += `${JSON.stringify(result)}\n`;
    }
    if (!output.write(text)) await once(output, 'drain');
  }
  return tally.isFailed() ? 1 : 0;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

type LineResult = { readonly result: object | Refusal<ErrorCode>; readonly request?: LineRequest };

function handleLine(bytes: Buffer | undefined, handler: LineHandler, report: (error: unknown) => void): LineResult {
  const read = parseRequest(bytes);
  if ('result' in read) return read;
  try {
    return { ...read, result: handler(read.request) };
  } catch (error) {
    // If one line shows a bug of Punto, the later lines must still be answered.
    report(error);
    return refusedLine('broken', 'Punto failed on this line; please report it with the text on standard error.');
  }
}

const refusedLine = (code: ErrorCode, message: string): LineResult => ({ result: refuse<ErrorCode>(code, message) });

function parseRequest(bytes: Buffer | undefined): { readonly request: LineRequest } | LineResult {
  if (bytes === undefined)
    return refusedLine('line-too-long', `A line may have ${maxLineBytes} bytes at most; send a shorter one.`);
  let request: unknown;
  try {
    const text = utf8.decode(bytes);
    if (text.trim() === '') return refusedLine('empty-line', 'The line is empty; send one JSON object per line.');
    request = JSON.parse(text);
  } catch {
    return refusedLine('not-json', 'The line is not JSON in UTF-8; send one JSON object per line.');
  }
  if (typeof request !== 'object' || request === null || Array.isArray(request)) {
    return refusedLine('bad-request', `${quoteForMessage(request)} is not a JSON object; send one, in braces.`);
  }
  return { request: request as LineRequest };
}

type LineBytes = Buffer | undefined;

/**
 * Reads lines in batches, as they arrive. The line ends are removed. In place of a line that is too long, undefined is
 * given.
 */
async function* readLines(input: Readable): AsyncGenerator<readonly LineBytes[]> {
  let chunks: Buffer[] = [];
  let size = 0;
  const addChunk = (chunk: Buffer): void => {
    size += chunk.length;
    if (size <= maxLineBytes) chunks.push(chunk);
    else chunks = [];
  };
  const endLine = (): LineBytes => {
    const line = size > maxLineBytes ? undefined : Buffer.concat(chunks);
    chunks = [];
    size = 0;
    return line;
  };
  for await (const chunk of input as AsyncIterable<Buffer>) {
    const lines: LineBytes[] = [];
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      addChunk(chunk.subarray(start, end));
      lines.push(endLine());
      start = end + 1;
    }
    if (start < chunk.length) addChunk(chunk.subarray(start));
    if (lines.length > 0) yield lines;
  }
  if (size > 0) yield [endLine()];
}
