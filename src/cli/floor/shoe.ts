import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { socketUrlOf, openWebSocketInNode } from '../../client/webSocketInNode.ts';
import { CardReaderClient } from '../../client/cardReaderClient.ts';
import { createClientEnvironment } from '../../client/environment.ts';
import { systemRandom } from '../../runtime/ports/random.ts';
import { quoteForMessage } from '../../base/refusal.ts';
import { defaultScanFormat } from '../../rules/cardScan.ts';
import { type ServerMessageOf } from '../../wire/messages.ts';
import { type CliCommand, type CommandStreams, optionText } from '../support/commandLine.ts';
import { DemoCardSource } from '../support/demoCardSource.ts';
import { print } from '../support/print.ts';
import { CliError } from '../support/cliError.ts';
import { readTextFile } from '../support/readTextFile.ts';

/** Minimum milliseconds between two scans, because the server limits the messages of a connection. */
const minIntervalMs = 70;
/** Default milliseconds before each demo card. */
const defaultEveryMs = 1_200;
/** Milliseconds before a refused demo card is scanned again. */
const retryMs = 2_000;

type DueMessage = ServerMessageOf<'due'>;
type ScanResult = Awaited<ReturnType<CardReaderClient['scan']>>;

export const cardReaderCommand: CliCommand = {
  help: `Usage: punto shoe --table T --url U --key FILE [--demo [--every MS]]

  --table T    the table of the card reader, such as L11
  --url U      the address of the server, such as http://127.0.0.1:2026/
  --key FILE   the file with the key that \`punto enrol --as shoe T\` printed
  --demo       deals cards from shuffled decks whenever the table waits for a card, until Ctrl-C
  --every MS   with --demo, milliseconds before each card; default ${defaultEveryMs}

Sends each line of standard input to the table as one scan, so that any card reader can be connected by a pipe. For each
scan it prints one line of JSON: {"card":"8H","slot":"P1"}, or {"error":{"code":...,"message":...}}. For the cutting card
both "card" and "slot" are null. The property file sets how cards are spelled; by default 8H, TH or 10H, and CUT for the
cutting card. A scan counts as dealt by the dealer who is signed in at the table. It is dealt only once, even if the
connection breaks. The command ends at the end of its input; exit code 1 if a scan was refused.`,
  options: {
    table: { type: 'string' },
    url: { type: 'string' },
    key: { type: 'string' },
    demo: { type: 'boolean' },
    every: { type: 'string' },
  },
  maxArguments: 0,
  run: async (values, _, pipes) => {
    const isDemo = values['demo'] === true;
    const everyMs = everyOption(optionText(values, 'every'), isDemo);
    const table = requiredOption(optionText(values, 'table'), 'table', 'L11');
    const address = parseUrl(requiredOption(optionText(values, 'url'), 'url', 'http://127.0.0.1:2026/'));
    const key = readKey(requiredOption(optionText(values, 'key'), 'key', 'shoe.key'));
    const connectionEnd = Promise.withResolvers<never>();
    // The connection may end while no code awaits this promise. Without this handler, that would be an unhandled
    // rejection.
    connectionEnd.promise.catch(() => {});
    let due: DueMessage | undefined;
    let nextDue = Promise.withResolvers<void>();
    let reason = '';
    const socket = (to: string) =>
      openWebSocketInNode(to).on(
        'error',
        ({ code, message }: NodeJS.ErrnoException) => void (reason = ` (${code ?? message})`),
      );
    const reader = new CardReaderClient(createClientEnvironment(socket), () => socketUrlOf(address), table, key, {
      due: (message) => {
        if (message.table !== table) connectionEnd.reject(toUnenrolledError(table));
        due = message;
        nextDue.resolve();
        nextDue = Promise.withResolvers();
      },
      stranger: () => connectionEnd.reject(toUnenrolledError(table)),
      changed: (connection) => {
        if (connection === 'outdated') connectionEnd.reject(outdatedError);
        else if (connection === 'lost')
          pipes.errors.write(`punto: the connection to the floor is lost${reason}; reconnecting.\n`);
        reason = '';
      },
    });
    reader.open();
    const scan = async (text: string): Promise<ScanResult> => {
      const result = await Promise.race([reader.scan(text), connectionEnd.promise]);
      printResult(pipes, result);
      return result;
    };
    try {
      if (!isDemo) return await scanLines(pipes, scan, connectionEnd.promise);
      const stop = Promise.withResolvers<'stop'>();
      for (const signal of ['SIGINT', 'SIGTERM'] as const) pipes.signals.on(signal, () => stop.resolve('stop'));
      await Promise.race([
        dealDemoCards(
          () => due,
          () => nextDue.promise,
          everyMs,
          scan,
        ),
        stop.promise,
        connectionEnd.promise,
      ]);
      return 0;
    } finally {
      reader.close();
    }
  },
};

/** Sends each input line as a scan. Returns the exit code. */
async function scanLines(
  { input, output }: CommandStreams,
  scan: (text: string) => Promise<ScanResult>,
  connectionEnd: Promise<never>,
): Promise<number> {
  let status = 0;
  const read = createInterface({ input, crlfDelay: Infinity })[Symbol.asyncIterator]();
  for (;;) {
    const { value: line, done } = await Promise.race([read.next(), connectionEnd]);
    if (done) return status;
    const text = line.trim();
    if (text === '' || text.length > 100) {
      const [code, message] =
        text === ''
          ? ['empty-line', 'The line is empty; send one scan per line.']
          : ['line-too-long', 'A scan has at most 100 characters; send a shorter one.'];
      print(output, JSON.stringify({ error: { code, message, by: null } }));
      status = 1;
      continue;
    }
    if ((await scan(text)).type !== 'scanned') status = 1;
    await pause(minIntervalMs);
  }
}

/** Demo: scans a card whenever the table waits for a card. */
async function dealDemoCards(
  due: () => DueMessage | undefined,
  nextDue: () => Promise<void>,
  everyMs: number,
  scan: (text: string) => Promise<ScanResult>,
): Promise<never> {
  const decks = new DemoCardSource(systemRandom, defaultScanFormat);
  const isCardDue = (): boolean => due() !== undefined && decks.next(due()!) !== undefined;
  for (;;) {
    while (!isCardDue()) await nextDue();
    await pause(everyMs);
    const before = due()!;
    const text = decks.next(before);
    if (text === undefined) continue;
    const changed = nextDue();
    const { type } = await scan(text);
    // After a refusal the card is scanned again later. After a dealt card the loop waits for the next `due` message of
    // the server.
    if (type !== 'scanned') await pause(retryMs);
    else if (due() === before) await changed;
  }
}

function printResult({ output }: CommandStreams, result: ScanResult): void {
  if (result.type === 'scanned') {
    const { card, slot, together } = result;
    print(output, JSON.stringify({ card, slot, ...(together && { together }) }));
  } else if (result.type === 'refused') {
    const { code, message, by } = result;
    print(output, JSON.stringify({ error: { code, message, by } }));
  }
}

function requiredOption(text: string | undefined, option: string, example: string): string {
  if (text !== undefined) return text;
  throw new CliError(2, 'missing-argument', `Give --${option}, as in \`punto shoe --${option} ${example}\`.`);
}

function parseUrl(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new CliError(
    2,
    'malformed-argument',
    `--url is ${quoteForMessage(text)}; write an address such as http://127.0.0.1:2026/.`,
  );
}

function everyOption(text: string | undefined, isDemo: boolean): number {
  if (text === undefined) return defaultEveryMs;
  if (!isDemo)
    throw new CliError(
      2,
      'malformed-argument',
      '--every has an effect only with --demo; give both options or neither.',
    );
  if (/^\d{1,6}$/.test(text) && Number(text) >= minIntervalMs) return Number(text);
  throw new CliError(
    2,
    'malformed-argument',
    `--every is ${quoteForMessage(text)}; write a number of milliseconds, at least ${minIntervalMs}.`,
  );
}

/**
 * Reads the key of a card reader from a file. The file contains only the key, or the whole line that `punto enrol`
 * printed.
 */
function readKey(file: string): string {
  const content = readTextFile(file, 'key');
  const [key, ...more] = content.match(/\b[0-9a-f]{64}\b/g) ?? [];
  if (key !== undefined && more.length === 0) return key;
  throw new CliError(
    1,
    'wrong-key',
    `The file ${JSON.stringify(file)} must contain exactly one key of 64 hexadecimal digits; give another file.`,
  );
}

const toUnenrolledError = (table: string): CliError =>
  new CliError(
    1,
    'not-enrolled',
    `This is not the key of the card reader of ${table}; create one with \`punto enrol --as shoe ${table}\`.`,
  );

const outdatedError = new CliError(
  1,
  'secret-revoked',
  'The server refused the card reader: its key was revoked, or this program and the server have different versions. Enrol the card reader again, or install the version that the server has.',
);
