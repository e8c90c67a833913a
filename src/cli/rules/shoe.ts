import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { socketUrl, openSocket } from '../../client/nodeSocket.ts';
import { CardReaderClient } from '../../client/cardReaderClient.ts';
import { systemEnvironment } from '../../client/environment.ts';
import { systemRandom } from '../../runtime/ports/random.ts';
import { quoted } from '../../base/refusal.ts';
import { defaultScanFormat } from '../../rules/cardScan.ts';
import { type ServerMessageOf } from '../../wire/messages.ts';
import { type CliCommand, type Pipes, optionText } from '../support/command.ts';
import { ShuffledDecks } from '../support/shuffledDecks.ts';
import { print } from '../support/print.ts';
import { CliError } from '../support/cliError.ts';

/** So long after one scan the next is sent at the earliest, in milliseconds: a server hears so many from one link. */
const least = 70;
/** How long after one card a demo deals the next, unless told otherwise. */
const usualEvery = 1_200;
/** How long a card that was refused is held before it is shown again. */
const patience = 2_000;

type Due = ServerMessageOf<'due'>;
type Given = Awaited<ReturnType<CardReaderClient['scan']>>;

export const shoeCommand: CliCommand = {
  help: `Usage: punto shoe --table T --url U --key FILE [--demo [--every MS]]

  --table T    the table that the cards are for, such as L11
  --url U      the address of the floor, such as http://127.0.0.1:2026/
  --key FILE   the file with the key that \`punto enrol --as shoe T\` printed
  --demo       deals from shuffled decks of its own, a card whenever the table waits for one, until it is stopped
  --every MS   so many milliseconds pass before a demo deals a card; ${usualEvery} unless given

Hands each line of its standard input on as a scan, so that any reader of cards can be connected by a pipe, and answers it
with one line of JSON: {"card":"8H","slot":"P1"}, with neither for the cutting card, or {"error":{"code":...,"message":...}}.
How cards are spelled is a setting of the property; 8H, TH or 10H, and CUT for the cutting card, unless it says otherwise. A
scan is dealt in the name of the dealer who is signed in at the table, and once, however often the link breaks. Ends with its
input; exit code 1 where a scan was refused.`,
  options: {
    table: { type: 'string' },
    url: { type: 'string' },
    key: { type: 'string' },
    demo: { type: 'boolean' },
    every: { type: 'string' },
  },
  mostArguments: 0,
  run: async (values, _, pipes) => {
    const isDemo = values['demo'] === true;
    const every = everyIn(optionText(values, 'every'), isDemo);
    const table = needed(optionText(values, 'table'), 'table', 'L11');
    const address = addressIn(needed(optionText(values, 'url'), 'url', 'http://127.0.0.1:2026/'));
    const key = keyIn(needed(optionText(values, 'key'), 'key', 'shoe.key'));
    const ended = Promise.withResolvers<never>();
    // Whoever waits for it hears of it; nobody has to.
    ended.promise.catch(() => {});
    let due: Due | undefined;
    let news = Promise.withResolvers<void>();
    let why = '';
    const socket = (to: string) =>
      openSocket(to).on('error', ({ code, message }: NodeJS.ErrnoException) => void (why = ` (${code ?? message})`));
    const reader = new CardReaderClient(systemEnvironment(socket), () => socketUrl(address), table, key, {
      due: (told) => {
        if (told.table !== table) ended.reject(stranger(table));
        due = told;
        news.resolve();
        news = Promise.withResolvers();
      },
      stranger: () => ended.reject(stranger(table)),
      changed: (link) => {
        if (link === 'outdated') ended.reject(outdated);
        else if (link === 'lost') pipes.errors.write(`punto: the link to the floor is lost${why}; trying again.\n`);
        why = '';
      },
    });
    reader.open();
    const scan = async (text: string): Promise<Given> => {
      const given = await Promise.race([reader.scan(text), ended.promise]);
      answer(pipes, given);
      return given;
    };
    try {
      if (!isDemo) return await lines(pipes, scan, ended.promise);
      const stop = Promise.withResolvers<'stop'>();
      for (const signal of ['SIGINT', 'SIGTERM'] as const) pipes.signals.on(signal, () => stop.resolve('stop'));
      await Promise.race([
        dealing(
          () => due,
          () => news.promise,
          every,
          scan,
        ),
        stop.promise,
        ended.promise,
      ]);
      return 0;
    } finally {
      reader.close();
    }
  },
};

/** Every line of the input, one after the other. */
async function lines(
  { input, output }: Pipes,
  scan: (text: string) => Promise<Given>,
  ended: Promise<never>,
): Promise<number> {
  let status = 0;
  const read = createInterface({ input, crlfDelay: Infinity })[Symbol.asyncIterator]();
  for (;;) {
    const { value: line, done } = await Promise.race([read.next(), ended]);
    if (done) return status;
    const text = line.trim();
    if (text === '' || text.length > 100) {
      const [code, message] =
        text === ''
          ? ['empty-line', 'The line is empty; send one scan a line.']
          : ['line-too-long', 'A scan has 100 letters at most; send a shorter one.'];
      print(output, JSON.stringify({ error: { code, message, by: null } }));
      status = 1;
      continue;
    }
    if ((await scan(text)).type !== 'scanned') status = 1;
    await pause(least);
  }
}

/** A card whenever one is due, for ever. */
async function dealing(
  due: () => Due | undefined,
  news: () => Promise<void>,
  every: number,
  scan: (text: string) => Promise<Given>,
): Promise<never> {
  const decks = new ShuffledDecks(systemRandom, defaultScanFormat);
  const isWanted = (): boolean => due() !== undefined && decks.next(due()!) !== undefined;
  for (;;) {
    while (!isWanted()) await news();
    await pause(every);
    const before = due()!;
    const text = decks.next(before);
    if (text === undefined) continue;
    const told = news();
    const { type } = await scan(text);
    // What was refused may be taken once somebody has done something about it; what was dealt leads to other news.
    if (type !== 'scanned') await pause(patience);
    else if (due() === before) await told;
  }
}

function answer({ output }: Pipes, given: Given): void {
  if (given.type === 'scanned') {
    const { card, slot, together } = given;
    print(output, JSON.stringify({ card, slot, ...(together && { together }) }));
  } else if (given.type === 'refused') {
    const { code, message, by } = given;
    print(output, JSON.stringify({ error: { code, message, by } }));
  }
}

function needed(text: string | undefined, option: string, such: string): string {
  if (text !== undefined) return text;
  throw new CliError(2, 'missing-argument', `Give --${option}, as in \`punto shoe --${option} ${such}\`.`);
}

function addressIn(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new CliError(
    2,
    'malformed-argument',
    `--url is ${quoted(text)}; write an address such as http://127.0.0.1:2026/.`,
  );
}

function everyIn(text: string | undefined, isDemo: boolean): number {
  if (text === undefined) return usualEvery;
  if (!isDemo) throw new CliError(2, 'malformed-argument', '--every is for --demo; give both, or neither.');
  if (/^\d{1,6}$/.test(text) && Number(text) >= least) return Number(text);
  throw new CliError(
    2,
    'malformed-argument',
    `--every is ${quoted(text)}; write a number of milliseconds, ${least} at least.`,
  );
}

/** The key alone, or the sentence that it was printed in. */
function keyIn(file: string): string {
  let content: string;
  try {
    content = readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CliError(
      1,
      'unreadable-file',
      `The key file ${JSON.stringify(file)} cannot be read (${code}); name another.`,
    );
  }
  const [key, ...more] = content.match(/\b[0-9a-f]{64}\b/g) ?? [];
  if (key !== undefined && more.length === 0) return key;
  throw new CliError(
    1,
    'wrong-key',
    `The file ${JSON.stringify(file)} holds no key of 64 hexadecimal digits; name another.`,
  );
}

const stranger = (table: string): CliError =>
  new CliError(
    1,
    'not-enrolled',
    `This is not the key of the shoe of ${table}; get one with \`punto enrol --as shoe ${table}\`.`,
  );

const outdated = new CliError(
  1,
  'secret-revoked',
  'The key was taken away, or the floor speaks another version; enrol the shoe anew.',
);
