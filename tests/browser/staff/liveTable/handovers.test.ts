import { beforeAll, expect, test } from 'vitest';
import { demoPin } from '../../../../src/runtime/staff/initialStaff.ts';
import { type Scheduler } from '../../../../src/runtime/ports/scheduler.ts';
import { called, meter, settled, spot, toTable } from '../../support/patron.ts';
import { cardsOn, keyCards, keysOf, expectPromptSoon, prepareShoe, textOf, textsOf } from './tableActions.ts';
import { type Person, Pit } from '../support/pit.ts';

// A live table that changes hands: shoes, dealers, proposals and approvals.

/** Milliseconds by which the server clock is ahead. */
let clockOffsetMs = 0;
const time: Scheduler = {
  now: () => Date.now() + clockOffsetMs,
  after: (span, run) => {
    const timer = setTimeout(run, span);
    return () => clearTimeout(timer);
  },
};

let pit: Pit;
let dealer: Person;
let one: Person;
let two: Person;
let patron: Person;
beforeAll(async () => {
  pit = await Pit.of('tiger', { bettingTime: 0 }, { scheduler: time });
  await prepareShoe(pit.server, 'tiger', 'S1');
  [dealer, one, two, patron] = await Promise.all([
    pit.person('D-1', '/dealer/tiger', 'tiger'),
    pit.person('S-1', '/floor/tiger'),
    pit.person('S-2', '/floor/tiger'),
    pit.patron('tiger'),
  ]);
});
/** Text of a page without times of day, in which any number may occur. */
const textWithoutTimes = async (person: Person): Promise<string> =>
  (await textOf(person, 'main')).replaceAll(/\d?\d:\d\d(:\d\d)?/g, '');

/** First digits of the proposal's hash, as both screens show it. */
const fragment = ({ page }: Person): Promise<string> =>
  page.locator('[data-testid=fragment], .bound b').first().innerText();

test('two persons change a shoe: the old one leaves sealed and is counted blind by others, the new one is inspected and counted blind', async () => {
  await dealer.expectPrompt('Ready for the next round');
  await dealer.type('n', 'u', ...keysOf('8812'), 'Enter');
  await one.page.getByTestId('sign-bar').waitFor();
  // The second person reads the seal, at the console and in the office.
  expect(await textOf(dealer, '[data-testid=effects]')).toContain('seal 8812, to Card room');
  await one.type('p');
  expect(await textOf(one, '[data-testid=effects]')).toContain('seal 8812, to Card room');
  await one.sign();
  await dealer.expectPrompt('Receive the new cards');

  // Number, seal, decks and backs; then the inspection.
  await dealer.type(...keysOf('S2'), 'Tab', ...keysOf('7741'), 'Tab', '8', 'Tab', ...keysOf('red'), 'Enter');
  await dealer.expectPrompt('Inspect faces and backs');
  await dealer.type('1', 'Enter');
  await dealer.expectPrompt('Count the new cards');
  expect(await dealer.page.locator('[data-field=count]').inputValue()).toBe('');
  expect(await textWithoutTimes(dealer)).not.toMatch(/416|52\b/);
  await dealer.type(...keysOf('415'), 'Enter');
  await dealer.page.getByTestId('refusal').waitFor();
  expect(await textWithoutTimes(dealer)).not.toMatch(/416|52\b/);
  expect(await textOf(dealer, '[data-testid=refusal]')).toBe('Wrong number of cards or decks. Count again.');
  await dealer.type(...keysOf('416'), 'Enter');
  await dealer.expectPrompt('Shuffle the cards');
  await dealer.type('1', 'Enter');
  await dealer.expectPrompt('Cut the cards');
  await dealer.type(...keysOf('16'), 'Enter');
  await dealer.expectPrompt('Shoe waits for verification');
  expect(await textOf(dealer, '[data-testid=shoe-facts]')).toMatch(/8, red/);
  await dealer.type('Enter');
  await expectPromptSoon(dealer, 'Wait for the supervisor');
  await one.page.getByTestId('shoe-facts').waitFor();
  expect(await textOf(dealer, '[data-testid=shoe-facts]')).toBe(await textOf(one, '[data-testid=shoe-facts]'));
  expect(await textsOf(one, '[data-testid=shoe-facts] dd')).toEqual([
    'S2',
    '7741',
    '416',
    '8, red',
    'in order',
    'all 416',
    'machine',
    '16',
  ]);
  await dealer.approveAs('S-1');
  await expectPromptSoon(dealer, 'Ready for the next round');

  // The person who sealed the old shoe does not count it; the number is shown after the whole count.
  await two.type('k');
  await two.page.locator('.counts').waitFor();
  expect(await textsOf(two, '.counts button')).toEqual(Array.from({ length: 52 }, () => ''));
  expect(await textWithoutTimes(two)).not.toMatch(/416|8 ×/);
  await two.page.keyboard.type('8'.repeat(52));
  expect(await textWithoutTimes(two)).not.toMatch(/416/);
  await two.type('Enter');
  await one.page.getByTestId('sign-bar').waitFor();
  expect(await textOf(two, '[data-testid=effects]')).toContain('416 of 416 cards. Missing: none. Extra: none.');
  expect(await fragment(one)).toBe(await fragment(two));
  await one.sign();
  await one.page.locator('[data-testid=signature-text]:not(:empty)').waitFor();
  expect(await textOf(one, '[data-testid=signature-text]')).toBe(
    'S-1 cannot be the second person. Enter the number of another person.',
  );
  await two.page.locator('[data-field=number]').focus();
  await two.page.keyboard.type('m-1');
  await two.page.locator('[data-field=pin]').focus();
  await two.page.keyboard.type(demoPin);
  await two.type('Enter');
  await two.page.getByRole('heading', { name: 'tiger has no sealed shoe to count.' }).waitFor();
});

/** Opens bets, places one on Banker and closes. */
async function placeBet(): Promise<void> {
  await dealer.expectPrompt('Ready for the next round');
  await dealer.type('Enter');
  await dealer.expectPrompt('Bets are open');
  await called(patron.page, 'Place your bets, please');
  await spot(patron.page, 'banker').click();
  await settled(patron.page);
  await dealer.type('Enter');
  await expectPromptSoon(dealer, 'Player’s first card');
}

test('each card names its dealer after a relief in mid-round and a reload', async () => {
  await toTable(patron.page, pit.server, 'tiger');
  await placeBet();
  await keyCards(dealer, '2c 2s');
  await expectPromptSoon(dealer, 'Player’s second card');
  const before = dealer.keys;
  await dealer.type('r', ...keysOf('d-2'), 'Tab', ...keysOf(demoPin));
  await dealer.page.locator('header >> text=D-2').waitFor();
  expect(dealer.keys - before).toBe(11);
  expect(await dealer.page.locator('.pop').count()).toBe(0);
  await keyCards(dealer, '3d');
  await expectPromptSoon(dealer, 'Banker’s second card');

  // The state is the same after a reload, and the next card goes on.
  await dealer.page.reload();
  await expectPromptSoon(dealer, 'Banker’s second card');
  expect(await cardsOn(dealer)).toEqual(['2C', '2S', '3D']);
  await keyCards(dealer, '4s');
  await expectPromptSoon(dealer, 'Player draws a third card');
  // Player 5 and an ace: 6. Banker stands on 6 only against an ace; so it is a tie of 6.
  await keyCards(dealer, 'ac');
  await dealer.expectPrompt('Tie');
  await dealer.type('Enter');
  await dealer.expectPrompt('Ready for the next round');
  // 5.00 on Banker comes back.
  await patron.page.locator('[data-outcome=banker]').waitFor();
  expect(await meter(patron.page, 'credit')).toBe(100_000);

  const { id } = pit.server.floor.tables.get('tiger')!.table.round!;
  await two.page.goto(new URL(`/rounds/${encodeURIComponent(id)}`, pit.server.address).href);
  await two.page.locator('.cardsrow').first().waitFor();
  const steps = await textsOf(two, 'li:has(.cardsrow)');
  expect(steps.map((step) => /Dealer D-\d/.exec(step)?.[0])).toEqual(['Dealer D-1', 'Dealer D-2']);
  expect(steps[0]).toMatch(/P1.*B1/);
  expect(steps[1]).toMatch(/P2.*B2.*P3/);
});

test('both screens show a proposal that is withdrawn, refused to its proposer, replaced, expired and finally approved', async () => {
  await placeBet();
  await keyCards(dealer, 'ac 3h 4d 2s 8d');
  await expectPromptSoon(dealer, 'Banker wins, 5 to 3');
  await dealer.type('w', '1', '4');
  const stopped = 'Stopped: extra card';
  await dealer.expectPrompt(stopped);
  await one.page.goto(new URL('/floor/tiger/ruling', pit.server.address).href);
  await one.page.getByTestId('matrix').waitFor();

  // Withdrawn by the supervisor: both screens return to the rulings.
  await dealer.type('2', 'Enter');
  await expectPromptSoon(dealer, 'Wait for the supervisor');
  await one.page.getByTestId('sign-bar').waitFor();
  expect(await fragment(one)).toBe(await fragment(dealer));
  await one.type('Escape');
  await dealer.expectPrompt(stopped);
  expect(await textOf(dealer, '.msgs li')).toContain('Supervisor S-1 withdrew the proposal. Nothing has changed.');
  await one.page.getByTestId('sign-bar').waitFor({ state: 'detached' });

  // Proposed by the supervisor and signed by the same person: refused.
  await one.type('v', 'Enter');
  await expectPromptSoon(dealer, 'Wait for the supervisor');
  await one.page.getByTestId('sign-bar').waitFor();
  const first = await fragment(dealer);
  expect(await fragment(one)).toBe(first);
  await one.page.locator('[data-field=number]').focus();
  await one.page.keyboard.type('s-1');
  await one.page.locator('[data-field=pin]').focus();
  await one.page.keyboard.type(demoPin);
  await one.type('Enter');
  await one.page.locator('[data-testid=signature-text]:not(:empty)').waitFor();
  expect(await textOf(one, '[data-testid=signature-text]')).toBe(
    'S-1 cannot be the second person. Enter the number of another person.',
  );
  expect([await fragment(one), await fragment(dealer)]).toEqual([first, first]);

  // Another supervisor proposes a corrected card, which replaces the first proposal.
  const { id } = pit.server.floor.tables.get('tiger')!.table.round!;
  await two.page.goto(new URL(`/rounds/${encodeURIComponent(id)}/correct`, pit.server.address).href);
  await two.page.getByTestId('which').waitFor();
  await two.type('4', '3', 's');
  await two.page.locator('[data-field=reason]').fill('A three was read as a two');
  await two.page.locator('[data-field=reason]').press('Enter');
  await two.type('Enter');
  await two.page.getByTestId('sign-bar').waitFor();
  await expect.poll(() => fragment(dealer)).not.toBe(first);
  expect(await textOf(dealer, '.msgs li')).toContain('Replaced by a new proposal from Supervisor S-2');
  expect(await textOf(one, '[data-testid=refusal]')).toBe('Replaced by a new proposal from Supervisor S-2.');
  expect([await fragment(one), await fragment(two)]).toEqual(Array(2).fill(await fragment(dealer)));

  // Two minutes are over.
  clockOffsetMs += 121_000;
  await dealer.page.getByTestId('refusal').waitFor();
  expect(await textOf(dealer, '[data-testid=refusal]')).toBe('The proposal has expired. Propose again.');
  await dealer.expectPrompt(stopped);
  await expect.poll(() => textOf(one, '[data-testid=refusal]')).toBe('The proposal has expired. Propose again.');
  await one.page.getByTestId('matrix').waitFor();

  // At last one proposes, the other approves, and the stake is back.
  expect(await meter(patron.page, 'credit')).toBe(99_500);
  await dealer.type('2', 'Enter');
  await one.page.getByTestId('sign-bar').waitFor();
  await one.sign();
  await expectPromptSoon(dealer, 'Shoe locked');
  await patron.page.locator('[data-outcome=banker]').waitFor();
  expect(await meter(patron.page, 'credit')).toBe(100_000);
});

test('no page logs an error, and the event log verifies', async () => {
  const participants = [dealer, one, two, patron];
  expect(participants.map(({ complaints }) => complaints)).toEqual([[], [], [], []]);
  expect(await pit.close()).toBeUndefined();
});
