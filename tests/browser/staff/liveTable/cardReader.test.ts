import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Readable, type Writable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { punto, puntoUntilOutput } from '../../../cli/support/punto.ts';
import { demoOf, started } from '../../../cli/support/serverProcess.ts';
import { root } from '../../../architecture/sources.ts';
import { temporaryFolder } from '../../../temporary.ts';
import { called, meter, settled, spot } from '../../support/patron.ts';
import { freePort } from '../../../freePort.ts';
import { cardsOn, keyCards, expectPromptSoon, prepareShoe, textOf } from './tableActions.ts';
import { type Person, openPatronPage, openStaffPage } from '../support/pit.ts';

// Live table of the real program with a card reader on a pipe: cards, a power failure, and the felt.

/** Compile cache, since the program is started often here. */
const env = { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled') };

/** The `shoe` command as a process of its own, on a pipe. */
function shoe(...words: readonly string[]) {
  const program: ChildProcessByStdio<Writable, Readable, Readable> = spawn(
    process.execPath,
    [join(root, 'src/cli/main.ts'), 'shoe', ...words],
    { stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, ...env } },
  );
  onTestFinished(() => void program.kill('SIGKILL'));
  const lines = createInterface({ input: program.stdout })[Symbol.asyncIterator]();
  return { program, line: async () => JSON.parse(String((await lines.next()).value)) as unknown };
}

/** Errors of a page, except those about a server that is down. */
const own = ({ complaints }: Person): readonly string[] =>
  complaints.filter((one) => !/^WebSocket connection to \S+ failed/.test(one));

/** Presses Enter once an element is shown. */
async function enter(person: Person, shown: string): Promise<void> {
  await person.page.getByTestId(shown).waitFor();
  await person.type('Enter');
}

/** Starts the server with a clock that SIGUSR2 moves by the time in which no hand draws another card. */
const movable = [
  '--import',
  `data:text/javascript,
    const now = performance.now.bind(performance);
    let clockOffset = 0;
    performance.now = () => now() + clockOffset;
    process.on('SIGUSR2', () => console.error('The clock is moved by', (clockOffset += 300)));`.replaceAll(/\s+/g, ' '),
  join(root, 'src/cli/main.ts'),
];

/** Starts the server with its clock 15 s ahead: more than the 10 s from which a pause is an interruption. */
const later = [
  '--import',
  'data:text/javascript,const now = Date.now; Date.now = () => now() + 15_000',
  join(root, 'src/cli/main.ts'),
];

/** Power failure after two cards: the cards on the felt by then, and the ruling that follows. */
const felts = [
  // Player has 6 with two cards: Tiger, which needs a six of Banker, is lost. Resumed, Banker wins 9 to 6: 5.00 less a
  // twentieth.
  { felt: '4d', ruling: 'resume', by: 'ETG 5.9.2', next: 'Banker’s second card', credit: 100_000 + 475 },
  // Two cards decide nothing.
  { felt: '', ruling: 'void', by: 'ETG 5.9.1', next: 'Ready for the next round', credit: 100_000 },
] as const;

test.each(felts)(
  'a round dealt by a card reader gets its ruling after a power failure, once two persons have entered the felt: $ruling',
  async ({ felt, ruling, by, next, credit }) => {
    const folder = temporaryFolder('device');
    const [data, file, key] = [join(folder, 'data'), join(folder, 'floor.jsonc'), join(folder, 'shoe.key')];
    const quick = demoOf('L11', 'L13')
      .replace('"bettingTime": 15000', '"bettingTime": 0')
      .replace('"grace": 500', '"grace": 0')
      .replace('"pause": 2000', '"pause": 0');
    writeFileSync(file, quick);
    const port = String(await freePort());
    const serve = ['--property', file, '--data', data, '--port', port];
    expect((await puntoUntilOutput(['serve', ...serve])).status).toBe(0);
    writeFileSync(key, (await punto(['enrol', '--data', data, '--as', 'shoe', 'L11'])).stdout);
    const first = await started(serve, { env, start: movable });
    const { address } = first;
    const reader = (table: string) => ['--table', table, '--url', address, '--key', key];

    // A card reader may only send cards to its own table.
    const other = await punto(['shoe', ...reader('L13')], '5H\n');
    expect([other.status, other.stdout]).toEqual([1, '']);
    expect(other.stderr).toMatch(/not the key of the card reader of L13.*\(not-enrolled\)/);

    await prepareShoe(first, 'L11');
    const [dealer, supervisor, patron] = await Promise.all([
      openStaffPage(first, 'D-1', '/dealer/L11', 'L11'),
      openStaffPage(first, 'S-1', '/floor/L11/ruling'),
      openPatronPage(first, 'L11'),
    ]);
    await expectPromptSoon(dealer, 'Turn the first card');
    const { program, line } = shoe(...reader('L11'));
    const scans = (text: string): unknown => {
      program.stdin.write(`${text}\n`);
      return line();
    };
    expect(await scans('5H')).toEqual({ card: '5H', slot: null });
    await dealer.expectPrompt('Ready for the next round');
    await dealer.type('Enter');
    await dealer.expectPrompt('Bets are open');
    // A chip that comes before the patron's page has received the open bets is refused.
    await called(patron.page, 'Place your bets, please');
    await spot(patron.page, 'banker').click();
    await settled(patron.page);
    // A refused card stays on screen with its reason until a card is accepted.
    expect(await scans('2C')).toMatchObject({ error: { code: 'not-now', by: 'ETG 3.2' } });
    const kept = dealer.page.getByTestId('kept');
    await kept.waitFor();
    expect(await textOf(dealer, '[data-testid=kept]')).toContain('2 of clubs: Not possible in this phase. ETG 3.2');
    await dealer.type('Enter');
    await expectPromptSoon(dealer, 'Player’s first card');
    expect(await kept.count()).toBe(1);
    // The server asks about cards that are read closer together, a refused one included.
    const moveClock = async (clockOffset: number): Promise<void> => {
      first.program.kill('SIGUSR2');
      await first.waitForOutput(new RegExp(`The clock is moved by ${clockOffset}\\b`));
    };
    await moveClock(300);
    expect(await scans('2C')).toEqual({ card: '2C', slot: 'P1' });
    await expectPromptSoon(dealer, 'Banker’s first card');
    expect(await kept.count()).toBe(0);
    await moveClock(600);
    expect(await scans('9S')).toEqual({ card: '9S', slot: 'B1' });
    await expectPromptSoon(dealer, 'Player’s second card');

    const gone = once(first.program, 'exit');
    first.program.kill('SIGKILL');
    await gone;
    await dealer.page.getByTestId('connection').waitFor();
    const second = await started(serve, { env, start: later });
    // The pages reconnect by themselves, and the felt comes first.
    await expectPromptSoon(dealer, 'Key every card that left the shoe');
    // All cards of the felt are signed once.
    if (felt !== '') await keyCards(dealer, felt);
    await dealer.page.locator(`.say >> text=2 on record, ${felt === '' ? 0 : 1} entered`).waitFor();
    await dealer.type('Enter');
    await supervisor.sign();
    await supervisor.page.getByTestId('confirm').waitFor();
    const branch = await textOf(supervisor, '.branch.on');
    expect([await supervisor.page.locator('.branch.on').getAttribute('data-branch'), branch.split(' ').at(-1)]).toEqual(
      [ruling, by.split(' ').at(-1)],
    );
    await enter(supervisor, 'confirm');
    await dealer.expectPrompt(next);
    if (ruling === 'resume') {
      // The card reader has reconnected as well.
      expect(await scans('TD')).toEqual({ card: 'TD', slot: 'B2' });
      await dealer.expectPrompt('Banker wins, 9 to 6');
      await dealer.type('Enter');
      await dealer.expectPrompt('Ready for the next round');
    }
    await patron.page.locator('[data-outcome=banker]').waitFor();
    expect(await meter(patron.page, 'credit')).toBe(credit);
    program.stdin.end();
    // Exit status 1: not every scan was accepted.
    expect(await once(program, 'exit')).toEqual([1, null]);

    // Without a reader the command deals from decks of its own.
    const demo = shoe(...reader('L11'), '--demo', '--every', '350');
    await dealer.type('Enter');
    await dealer.type('Enter');
    const dealt: unknown[] = [];
    for (let n = 0; n < 4; n++) dealt.push(await demo.line());
    const cards = dealt.map((one) => (one as { readonly card: string }).card);
    await expect.poll(() => cardsOn(dealer)).toEqual(expect.arrayContaining(cards));
    demo.program.kill('SIGTERM');
    await once(demo.program, 'exit');

    for (const person of [dealer, supervisor, patron]) {
      expect(own(person)).toEqual([]);
    }
    second.program.kill('SIGTERM');
    expect(await once(second.program, 'exit')).toEqual([0, null]);
    expect(await punto(['verify', '--data', data])).toMatchObject({ status: 0, stderr: '' });
  },
);
