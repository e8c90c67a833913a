import { expect, test } from 'vitest';
import { games } from '../../../../src/games/registry.ts';
import { versionedGameId } from '../../../../src/rules/game.ts';
import { formatMoney } from '../../../../src/base/formatMoney.ts';
import { type StaffPage, session } from '../support/staffPage.ts';
import { openOffice, supervisor } from '../office/openOffice.ts';
import {
  boundHash,
  interrupted,
  many,
  nine,
  nineReplayed,
  proposed,
  rulingsOf,
  stopped,
  supervised,
} from './supervisorViews.ts';
import { expectNothingCutOff } from '../support/textChecks.ts';

const shiftManager = session({ person: 'p7', number: 'G-007', role: 'gaming-shift-manager', table: null });

const textOf = (staffPage: StaffPage, selector: string): Promise<string> => staffPage.page.innerText(selector);

test('the ruling matrix shows every terminal with its money under every ruling', async () => {
  const staffPage = await openOffice('/floor/L11/ruling', stopped(Date.now()));
  const text = await textOf(staffPage, '[data-testid=matrix]');
  for (const { terminal, staked, back } of nine) {
    expect(text).toContain(terminal);
    expect(text).toContain(formatMoney(staked));
    expect(text).toContain(formatMoney(back['stand']!));
  }
  expect(await staffPage.page.locator('[data-ruling=void]').count()).toBe(9);
  expect(await staffPage.page.locator('[data-ruling=reconstruct]').first().innerText()).toBe('–');
  await expectNothingCutOff(staffPage, 'ruling');
  expect(staffPage.complaints).toEqual([]);
  await staffPage.leave();
});

test('a void is proposed by its key and Enter, with a reason', async () => {
  const staffPage = await openOffice('/floor/L11/ruling', stopped(Date.now()));
  await staffPage.type('v', '7', 'Enter');
  expect(staffPage.commands).toEqual([{ type: 'VoidRound', reason: 'Cards dealt out of order; camera agrees' }]);
  await staffPage.type('t');
  expect(staffPage.commands.at(-1)).toMatchObject({ type: 'AddNote', to: 'dealer' });
  await staffPage.type('d');
  expect(staffPage.commands.at(-1)).toMatchObject({ type: 'DismissReport' });
  await staffPage.type('f', 'Enter');
  expect(staffPage.commands.at(-1)).toMatchObject({ type: 'Refer' });
  await staffPage.leave();
});

test('a void between rounds is named as a lock of the shoe, and a dismissal needs its role', async () => {
  const staffPage = await openOffice('/floor/L11/ruling', supervised('loose', Date.now(), { rulings: null }));
  const text = await textOf(staffPage, '[data-testid=matrix]');
  expect(text).toContain('Lock the shoe');
  expect(text).not.toContain('All stakes returned');
  expect(await staffPage.page.getByTestId('dismiss').count()).toBe(1);
  await staffPage.type('v', '7', 'Enter');
  expect(staffPage.commands).toMatchObject([{ type: 'VoidRound' }]);
  expect(staffPage.complaints).toEqual([]);
  await staffPage.leave();
});

test('the order of the cards is edited by keys, replayed, previewed and proposed', async () => {
  const previewed: unknown[] = [];
  const staffPage = await openOffice(
    '/floor/L11/ruling',
    stopped(Date.now()),
    supervisor,
    ({ name, params: given }) => {
      previewed.push(given['request']);
      return name === 'preview'
        ? { effects: [], second: 'supervisor', rulings: rulingsOf(nineReplayed, true), sessions: {} }
        : 'not-now';
    },
  );
  await staffPage.type('o', 'ArrowRight', 'Shift+ArrowRight');
  await staffPage.page.waitForSelector('[data-testid=playlist]');
  expect(await textOf(staffPage, '[data-testid=playlist]')).toContain('Banker wins');
  await expectNothingCutOff(staffPage, 'rebuild');
  await staffPage.type('Escape');
  const text = await textOf(staffPage, '[data-testid=matrix]');
  for (const { back } of nineReplayed) expect(text).toContain(formatMoney(back['reconstruct']));
  await staffPage.passEnterGuard();
  await staffPage.type('Enter');
  expect(staffPage.commands).toEqual([
    {
      type: 'ReconstructRound',
      cards: ['AC', '4D', '3H', '2S', '8D'],
      unseen: false,
      reason: 'Cards dealt out of order',
    },
  ]);
  expect(previewed.at(-1)).toMatchObject({ cards: ['AC', '4D', '3H', '2S', '8D'] });
  await staffPage.leave();
});

test('every key counts when keys come faster than the screen is painted', async () => {
  const staffPage = await openOffice('/floor/L11/ruling', stopped(Date.now()));
  await staffPage.page.evaluate(async () => {
    const keys = [{ key: 'o' }, { key: 'ArrowRight' }, { key: 'ArrowRight', shiftKey: true }];
    for (const one of keys) {
      document.body.dispatchEvent(new KeyboardEvent('keydown', { ...one, bubbles: true, cancelable: true }));
      // The component is rendered again, but not painted yet.
      await Promise.resolve();
      await Promise.resolve();
    }
  });
  await staffPage.passEnterGuard();
  await staffPage.type('Enter');
  expect(staffPage.commands).toMatchObject([{ type: 'ReconstructRound', cards: ['AC', '4D', '3H', '2S', '8D'] }]);
  await staffPage.leave();
});

test('the matrix lists rows that differ first, filters by keys, and draws only the rows in view', async () => {
  const rows = many(240);
  const staffPage = await openOffice('/floor/L11/ruling', stopped(Date.now(), rows, true));
  const shown = (): Promise<string> => textOf(staffPage, '[data-testid=sort]');
  const differs = rows.filter(({ back }) => back['reconstruct'] !== back['stand']).length;
  expect(await shown()).toContain(`${differs} of 240`);
  await staffPage.type('a');
  expect(await shown()).toContain('240 of 240');
  await staffPage.type('4');
  expect(await shown()).toContain('3 of 240');
  await staffPage.type('2');
  const loses = rows.filter(({ back, staked }) => back['reconstruct']! < staked).length;
  expect(await shown()).toContain(`${loses} of 240`);
  await staffPage.type('s');
  expect(await shown()).toContain('by terminal');
  await staffPage.type('a', '/', '5', '2', '3', '9', 'Enter');
  expect(await staffPage.page.locator('[data-terminal]').allInnerTexts()).toEqual(['T-5239.1']);
  await staffPage.page.fill('[data-field=find]', '');
  expect(await staffPage.page.locator('[data-terminal]').count()).toBeLessThan(60);
  await staffPage.page.locator('[data-testid=rows]').evaluate((box) => (box.scrollTop = box.scrollHeight));
  await staffPage.waitUntilDrawn();
  expect(await staffPage.page.locator('[data-terminal="T-5239.1"]').count()).toBe(1);
  await expectNothingCutOff(staffPage, 'ruling-many');
  await staffPage.leave();
});

test('a second person approves the hash of a proposal, or declines', async () => {
  const staffPage = await openOffice('/floor/L11/ruling', proposed(Date.now()));
  expect(await textOf(staffPage, '[data-testid=fragment]')).toBe('BA1D-8D81');
  await expectNothingCutOff(staffPage, 'approve');
  // Enter alone approves nothing: the session of the desk is no second person.
  await staffPage.type('Enter', 'Enter');
  expect(staffPage.messages.filter(({ type }) => type === 'command' || type === 'consent')).toEqual([]);
  await staffPage.type(...Array.from('246810'), 'Enter');
  expect(staffPage.messages.at(-1)).toMatchObject({
    type: 'consent',
    proposal: 'proposal-7',
    hash: boundHash,
    number: 'S-031',
    pin: '246810',
  });
  await staffPage.type('Escape');
  expect(staffPage.commands.at(-1)).toEqual({ type: 'WithdrawProposal', proposal: 'proposal-7' });
  await staffPage.leave();
});

test('a proposer cannot approve, and another person signs here with number and PIN', async () => {
  const view = proposed(Date.now());
  const own = {
    ...view,
    proposal: { ...view.proposal!, from: { ...view.proposal!.from, person: 'p2', number: 'S-031' } },
  };
  const staffPage = await openOffice('/floor/L11/ruling', own);
  expect(await staffPage.page.locator('[data-testid=approve]').count()).toBe(0);
  await staffPage.type('Enter');
  expect(staffPage.commands).toEqual([]);
  await expectNothingCutOff(staffPage, 'approve-own');
  // Enter moves to the fields of the second person.
  await staffPage.type('Enter', ...Array.from('s-009'), 'Enter', ...Array.from('246810'), 'Enter');
  expect(staffPage.messages.at(-1)).toMatchObject({
    type: 'consent',
    proposal: 'proposal-7',
    hash: boundHash,
    number: 'S-009',
    pin: '246810',
  });
  await staffPage.leave();
});

test('an unreadable card is entered by rank, suit and Enter', async () => {
  const staffPage = await openOffice('/floor/L11/ruling', supervised('unreadable', Date.now()));
  await staffPage.type('Enter');
  await staffPage.page.waitForSelector('.addc.due');
  await staffPage.type('9', 'c');
  await expectNothingCutOff(staffPage, 'enter');
  await staffPage.passEnterGuard();
  await staffPage.type('Enter');
  expect(staffPage.commands).toEqual([
    { type: 'EnterCard', slot: 'P2', card: '9C', reason: expect.stringContaining('ard cannot be read') },
  ]);
  await staffPage.leave();
});

test('the felt is entered first after an interruption at a live shoe', async () => {
  const staffPage = await openOffice('/floor/L11/ruling', supervised('interruption-felt', Date.now()));
  await expectNothingCutOff(staffPage, 'felt');
  // Two keys a card, and nothing is sent before all cards are entered.
  await staffPage.type('9', 'c', '5', 'd', 'Backspace', '4', 'd');
  expect(staffPage.commands).toEqual([]);
  expect(await textOf(staffPage, '.say')).toContain('2 entered');
  await staffPage.type('Enter');
  expect(staffPage.commands).toEqual([{ type: 'ConfirmFelt', cards: ['9C', '4D'] }]);
  await expectNothingCutOff(staffPage, 'felt-entered');
  await staffPage.type('Backspace', 'u', 'Enter');
  expect(staffPage.commands.at(-1)).toEqual({ type: 'ConfirmFelt', cards: ['9C'], unseen: true });
  await staffPage.leave();
});

test('a card is dragged to another position, and the cards between shift', async () => {
  const staffPage = await openOffice('/floor/L11/ruling', stopped(Date.now()));
  const { page } = staffPage;
  await staffPage.type('o');
  const cards = (): Promise<readonly string[]> =>
    page.locator('.lane [data-place] [aria-label]').evaluateAll((all) => all.map((one) => one.ariaLabel ?? ''));
  const before = await cards();
  const centre = async (place: number) => {
    const { x, y, width, height } = (await page.locator(`.lane [data-place="${place}"]`).boundingBox())!;
    return [x + width / 2, y + height / 2] as const;
  };
  const [from, to] = [await centre(0), await centre(2)];
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move(...to, { steps: 8 });
  await page.mouse.up();
  const dragged = [before[1]!, before[2]!, before[0]!, ...before.slice(3)];
  expect(await cards()).toEqual(dragged);
  // After the release the pointer moves no card.
  await page.mouse.move(...from, { steps: 4 });
  expect(await cards()).toEqual(dragged);
  await staffPage.leave();
});

test('a computed ruling is shown with the reason for every wager, and one person confirms it', async () => {
  const view = interrupted(Date.now());
  const staffPage = await openOffice('/floor/L11/ruling', view);
  const text = await textOf(staffPage, '[data-testid=decided]');
  for (const { name } of view.offered) expect(text).toContain(name);
  expect(text).toContain('LOST');
  const row = (wager: string): Promise<string> => textOf(staffPage, `[data-testid=decided] [data-wager=${wager}]`);
  expect(await row('player')).toContain(`${formatMoney(260_000)} 4 terminals`);
  expect(await row('banker')).toContain(`${formatMoney(490_000)} 1 terminal`);
  expect(await row('tie')).toContain('none');
  expect(await staffPage.page.locator('[data-branch=resume].on').count()).toBe(1);
  await expectNothingCutOff(staffPage, 'interruption');
  await staffPage.type('Enter');
  expect(staffPage.commands).toEqual([{ type: 'ConfirmRuling' }]);
  await staffPage.leave();
});

test('a referral is decided by a digit, and only with a reason', async () => {
  const view = supervised('referred', Date.now(), {
    rulings: null,
    decided: [
      {
        id: 'f0',
        reason: 'Card face up',
        round: 'L11/33',
        decision: 'burn',
        decisionReason: 'Seen by all.',
        by: 'ETG 6.1',
        at: Date.now() - 86_400_000 * 3,
        from: { person: 'p1', number: 'G-007', role: 'gaming-shift-manager', acting: null },
      },
    ],
  });
  const staffPage = await openOffice('/floor/L11/referral', view, shiftManager, ({ params: given }) => {
    const { decision } = given['request'] as { readonly decision: string };
    return decision === 'stand' ? 'incomplete-deal' : { effects: [], second: null, rulings: null };
  });
  await expectNothingCutOff(staffPage, 'referral');
  for (const text of ['Card face up', 'Burn the card', 'Seen by all.', 'L11/33', 'G-007']) {
    expect(await textOf(staffPage, '[data-testid=before]')).toContain(text);
  }
  expect(await staffPage.page.locator('[data-decision=stand]').isDisabled()).toBe(true);
  await staffPage.type('3', 'Enter');
  expect(staffPage.commands).toEqual([]);
  expect(await textOf(staffPage, '[data-testid=refusal]')).toContain('reason');
  expect(await textOf(staffPage, '[data-testid=decision-zh]')).toContain('作废');
  await staffPage.page.fill('[data-field=reason]', 'No stake is favoured');
  await staffPage.page.press('[data-field=reason]', 'Enter');
  await staffPage.type('l', 'Enter');
  expect(staffPage.commands).toEqual([
    { type: 'DecideReferral', referral: 'f1', decision: 'void', lock: true, reason: 'No stake is favoured' },
  ]);
  await staffPage.leave();
});

test('a supervisor cannot decide a referral', async () => {
  const staffPage = await openOffice(
    '/floor/L11/referral',
    supervised('referred', Date.now()),
    supervisor,
    () => 'not-your-role',
  );
  await staffPage.page.fill('[data-field=reason]', 'No stake is favoured');
  await staffPage.page.press('[data-field=reason]', 'Enter');
  await staffPage.type('3', 'Enter');
  expect(staffPage.commands).toEqual([]);
  expect(await staffPage.page.locator('[data-testid=decide]').isDisabled()).toBe(true);
  await staffPage.leave();
});

test('a correction shows the shortfall before it is signed', async () => {
  const at = Date.now();
  const step = (sequence: number, event: object) => ({
    sequence,
    at: at - 600_000 + sequence * 1_000,
    event: event as { type: string },
    actor: { number: 'D-214', role: 'dealer', acting: null },
    second: null,
    postings: [],
    allPostings: 0,
  });
  const cards = ['2C', '2D', '3H', '4S', '8D'];
  const results = (tiger: 'win' | 'lose') => ({
    player: { result: 'lose', pays: [0, 1], by: 'ETG 3.9' },
    banker: { result: 'win', pays: [19, 20], by: 'ETG 4.7' },
    tiger: { result: tiger, pays: tiger === 'win' ? [12, 1] : [0, 1], by: 'ETG 1.1.18' },
  });
  const timeline = {
    table: 'L11',
    round: 'L11/38',
    number: 38,
    day: '2026-11-17',
    game: versionedGameId(games.find(({ id }) => id === 'tiger')!),
    gameHash: boundHash,
    steps: [
      ...cards.map((card, n) => step(n, { type: 'CardDealt', card, slot: ['P1', 'B1', 'P2', 'B2', 'P3'][n] })),
      step(9, { type: 'RoundSettled', results: results('win') }),
    ],
    slips: { count: 3, first: at, last: at },
    rows: [1, 2, 3].map((n) => ({ session: `T${n}.1`, slip: { tiger: 5_000 }, staked: 5_000, returned: 65_000 })),
    entries: [1, 9],
    head: boundHash,
  };
  const rows = [1, 2, 3].map((n) => ({
    terminal: `T${n}.1`,
    staked: 5_000,
    paid: 65_000,
    back: { correct: n === 3 ? 65_000 : 0, stand: 65_000 },
    disconnected: false,
  }));
  const view = supervised('idle', at);
  const staffPage = await openOffice('/rounds/L11%2F38/correct', view, supervisor, ({ name }) =>
    name === 'round'
      ? timeline
      : {
          effects: [{ type: 'RoundResettled', settlement: '38#2', reverses: '38#1', results: results('lose') }],
          second: 'gaming-shift-manager',
          rulings: { round: 'L11/38', columns: [], rows },
          sessions: {
            'T1.1': { credit: 8_000, open: true },
            'T2.1': { credit: 0, open: false },
            'T3.1': { credit: 0, open: false },
          },
          postings: [
            { from: 'demo/SGD/shortfall/T1.1', to: 'demo/SGD/terminal/T1.1', amount: 57_000 },
            { from: 'demo/SGD/terminal/T1.1', to: 'demo/SGD/house/L11', amount: 60_000 },
          ],
          allPostings: 9,
        },
  );
  await staffPage.type('4', '5', 's');
  await staffPage.page.waitForSelector('[data-session]');
  expect(await staffPage.page.locator('[data-session]').count()).toBe(2);
  expect(await textOf(staffPage, '[data-session="T1.1"]')).toContain(formatMoney(57_000));
  expect(await textOf(staffPage, '[data-session="T2.1"]')).toContain('session closed: shortfall');
  const entries = await textOf(staffPage, '[data-testid=entries]');
  expect(await textOf(staffPage, '[data-testid=postings]')).toMatch(
    /shortfall\s*to\s*T1, session 1\s*570\.00\s*T1, session 1\s*to\s*house\s*600\.00/,
  );
  expect(entries).toContain('and 7 more');
  await expectNothingCutOff(staffPage, 'correct');
  await staffPage.type('Enter');
  expect(staffPage.commands).toEqual([]);
  await staffPage.page.fill('[data-field=reason]', 'A five was read as a four');
  await staffPage.page.press('[data-field=reason]', 'Enter');
  await staffPage.type('Enter');
  expect(staffPage.commands).toEqual([
    { type: 'CorrectCard', round: 'L11/38', place: 4, card: '5S', reason: 'A five was read as a four' },
  ]);
  await staffPage.leave();
});

test('every command is disabled when the connection is lost', async () => {
  const staffPage = await openOffice('/floor/L11/ruling', stopped(Date.now()));
  staffPage.cut();
  await staffPage.page.waitForSelector('[data-testid=connection]');
  expect(await staffPage.page.locator('[data-testid=propose]').isDisabled()).toBe(true);
  await staffPage.type('v', 'Enter');
  expect(staffPage.commands).toEqual([]);
  await staffPage.leave();
});
