import { expect, test } from 'vitest';
import { games } from '../../../src/games/registry.ts';
import { fullNameOf } from '../../../src/rules/game.ts';
import { formatMoney } from '../../../src/base/formatMoney.ts';
import { Fed, session } from './console.ts';
import { opened, supervisor } from './opened.ts';
import { boundHash, interrupted, many, nine, nineReplayed, proposed, rulingsOf, stopped, supervised } from './supervised.ts';
import { expectWhole } from './whole.ts';

const shiftManager = session({ person: 'p7', number: 'G-007', post: 'gaming-shift-manager', table: null });

const textOf = (fed: Fed, selector: string): Promise<string> => fed.page.innerText(selector);

test('every terminal of the view stands in the matrix with its money by every ruling', async () => {
  const fed = await opened('/floor/L11/ruling', stopped(Date.now()));
  const text = await textOf(fed, '[data-testid=matrix]');
  for (const { terminal, staked, back } of nine) {
    expect(text).toContain(terminal);
    expect(text).toContain(formatMoney(staked));
    expect(text).toContain(formatMoney(back['stand']!));
  }
  expect(await fed.page.locator('[data-ruling=void]').count()).toBe(9);
  expect(await fed.page.locator('[data-ruling=reconstruct]').first().innerText()).toBe('–');
  await expectWhole(fed, 'ruling');
  expect(fed.complaints).toEqual([]);
  await fed.leave();
});

test('a void is proposed by its key and Enter, with the reason', async () => {
  const fed = await opened('/floor/L11/ruling', stopped(Date.now()));
  await fed.type('v', '7', 'Enter');
  expect(fed.commands).toEqual([{ type: 'VoidRound', reason: 'Cards in the wrong place; camera agrees' }]);
  await fed.type('t');
  expect(fed.commands.at(-1)).toMatchObject({ type: 'AddNote', to: 'dealer' });
  await fed.type('d');
  expect(fed.commands.at(-1)).toMatchObject({ type: 'DismissReport' });
  await fed.type('f', 'Enter');
  expect(fed.commands.at(-1)).toMatchObject({ type: 'Refer' });
  await fed.leave();
});

test('the order is edited by keys, replayed, looked up for its money and proposed', async () => {
  const asked: unknown[] = [];
  const fed = await opened('/floor/L11/ruling', stopped(Date.now()), supervisor, ({ what, with: given }) => {
    asked.push(given['asked']);
    return what === 'preview'
      ? { effects: [], second: 'supervisor', rulings: rulingsOf(nineReplayed, true), sessions: {} }
      : 'not-now';
  });
  await fed.type('o', 'ArrowRight', 'Shift+ArrowRight');
  await fed.page.waitForSelector('[data-testid=playlist]');
  expect(await textOf(fed, '[data-testid=playlist]')).toContain('Banker wins');
  await expectWhole(fed, 'rebuild');
  await fed.type('Escape');
  const text = await textOf(fed, '[data-testid=matrix]');
  for (const { back } of nineReplayed) expect(text).toContain(formatMoney(back['reconstruct']));
  await fed.ready();
  await fed.type('Enter');
  expect(fed.commands).toEqual([
    {
      type: 'ReconstructRound',
      cards: ['AC', '4D', '3H', '2S', '8D'],
      unseen: false,
      reason: 'Cards in the wrong place',
    },
  ]);
  expect(asked.at(-1)).toMatchObject({ cards: ['AC', '4D', '3H', '2S', '8D'] });
  await fed.leave();
});

test('keys that come faster than the screen is painted all count', async () => {
  const fed = await opened('/floor/L11/ruling', stopped(Date.now()));
  await fed.page.evaluate(async () => {
    const keys = [{ key: 'o' }, { key: 'ArrowRight' }, { key: 'ArrowRight', shiftKey: true }];
    for (const one of keys) {
      document.body.dispatchEvent(new KeyboardEvent('keydown', { ...one, bubbles: true, cancelable: true }));
      // The component is drawn anew, and nothing is painted yet.
      await Promise.resolve();
      await Promise.resolve();
    }
  });
  await fed.ready();
  await fed.type('Enter');
  expect(fed.commands).toMatchObject([{ type: 'ReconstructRound', cards: ['AC', '4D', '3H', '2S', '8D'] }]);
  await fed.leave();
});

test('of hundreds of slips those that differ come first, keys filter them, and rows are drawn as they are scrolled to', async () => {
  const rows = many(240);
  const fed = await opened('/floor/L11/ruling', stopped(Date.now(), rows, true));
  const shown = (): Promise<string> => textOf(fed, '[data-testid=sort]');
  const differs = rows.filter(({ back }) => back['reconstruct'] !== back['stand']).length;
  expect(await shown()).toContain(`${differs} of 240`);
  await fed.type('a');
  expect(await shown()).toContain('240 of 240');
  await fed.type('4');
  expect(await shown()).toContain('3 of 240');
  await fed.type('2');
  const loses = rows.filter(({ back, staked }) => back['reconstruct']! < staked).length;
  expect(await shown()).toContain(`${loses} of 240`);
  await fed.type('s');
  expect(await shown()).toContain('by terminal');
  await fed.type('a', '/', '5', '2', '3', '9', 'Enter');
  expect(await fed.page.locator('[data-terminal]').allInnerTexts()).toEqual(['T-5239.1']);
  await fed.page.fill('[data-field=find]', '');
  expect(await fed.page.locator('[data-terminal]').count()).toBeLessThan(60);
  await fed.page.locator('[data-testid=rows]').evaluate((box) => (box.scrollTop = box.scrollHeight));
  await fed.settled();
  expect(await fed.page.locator('[data-terminal="T-5239.1"]').count()).toBe(1);
  await expectWhole(fed, 'ruling-many');
  await fed.leave();
});

test('a second person approves with the hash, in a violet band, or declines', async () => {
  const fed = await opened('/floor/L11/ruling', proposed(Date.now()));
  expect(await textOf(fed, '[data-testid=fragment]')).toBe('BA1D-8D81');
  await expectWhole(fed, 'approve');
  await fed.type('Enter');
  expect(fed.commands).toEqual([{ type: 'Approve', proposal: 'proposal-7', hash: boundHash }]);
  await fed.type('Escape');
  expect(fed.commands.at(-1)).toEqual({ type: 'WithdrawProposal', proposal: 'proposal-7' });
  await fed.leave();
});

test('nobody approves what they proposed: another signs here with number and PIN', async () => {
  const view = proposed(Date.now());
  const own = {
    ...view,
    proposal: { ...view.proposal!, from: { ...view.proposal!.from, person: 'p2', number: 'S-031' } },
  };
  const fed = await opened('/floor/L11/ruling', own);
  expect(await fed.page.locator('[data-testid=approve]').count()).toBe(0);
  await fed.type('Enter');
  expect(fed.commands).toEqual([]);
  await expectWhole(fed, 'approve-own');
  // Enter leads to the fields of whoever is to sign.
  await fed.type('Enter', ...Array.from('s-009'), 'Tab', ...Array.from('246810'), 'Enter');
  expect(fed.heard.at(-1)).toMatchObject({
    type: 'consent',
    proposal: 'proposal-7',
    hash: boundHash,
    number: 'S-009',
    pin: '246810',
  });
  await fed.leave();
});

test('a card that cannot be read is entered by eye: rank and suit, then Enter', async () => {
  const fed = await opened('/floor/L11/ruling', supervised('unreadable', Date.now()));
  await fed.type('Enter');
  await fed.page.waitForSelector('.addc.due');
  await fed.type('9', 'c');
  await expectWhole(fed, 'enter');
  await fed.ready();
  await fed.type('Enter');
  expect(fed.commands).toEqual([
    { type: 'EnterCard', slot: 'P2', card: '9C', reason: expect.stringContaining('ard cannot be read') },
  ]);
  await fed.leave();
});

test('at an enrolled console the second person gives the PIN of the session', async () => {
  const fed = await Fed.for(supervisor);
  fed.me = { ...fed.me, console: { console: 'c1', kind: 'floor', table: null } };
  fed.supervised = proposed(Date.now());
  await fed.page.goto('http://staff.test/floor/L11/ruling');
  await fed.page.waitForSelector('[data-field=pin]');
  await expectWhole(fed, 'approve-pin');
  await fed.type('Enter', ...Array.from('246810'), 'Enter');
  expect(fed.commands).toEqual([]);
  expect(fed.heard).toContainEqual(
    expect.objectContaining({ type: 'consent', hash: boundHash, number: 'S-031', pin: '246810' }),
  );
  await fed.leave();
});

test('after an interruption at a live shoe the felt is entered first, and nothing is computed', async () => {
  const fed = await opened('/floor/L11/ruling', supervised('interruption-felt', Date.now()));
  await expectWhole(fed, 'felt');
  await fed.type('9', 'c');
  expect(fed.commands).toMatchObject([{ type: 'EnterCard', slot: 'P2', card: '9C' }]);
  await fed.type('u', 'Enter');
  expect(fed.commands.at(-1)).toEqual({ type: 'ConfirmFelt', unseen: true });
  await fed.leave();
});

test('a card of the order is dragged to its place with the pointer, and those between make room', async () => {
  const fed = await opened('/floor/L11/ruling', stopped(Date.now()));
  const { page } = fed;
  await fed.type('o');
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
  // Once it is let go, the pointer carries nothing.
  await page.mouse.move(...from, { steps: 4 });
  expect(await cards()).toEqual(dragged);
  await fed.leave();
});

test('what the clause computes is shown with why for every wager, and one person confirms it', async () => {
  const view = interrupted(Date.now());
  const fed = await opened('/floor/L11/ruling', view);
  const text = await textOf(fed, '[data-testid=decided]');
  for (const { name } of view.offered) expect(text).toContain(name);
  expect(text).toContain('LOST');
  const row = (wager: string): Promise<string> => textOf(fed, `[data-testid=decided] [data-wager=${wager}]`);
  expect(await row('player')).toContain(`${formatMoney(260_000)} 4 terminals`);
  expect(await row('banker')).toContain(`${formatMoney(490_000)} 1 terminal`);
  expect(await row('tie')).toContain('nobody');
  expect(await fed.page.locator('[data-branch=resume].on').count()).toBe(1);
  await expectWhole(fed, 'interruption');
  await fed.type('Enter');
  expect(fed.commands).toEqual([{ type: 'ConfirmRuling' }]);
  await fed.leave();
});

test('a referral is decided by its digit, and never without a reason', async () => {
  const view = supervised('referred', Date.now(), {
    rulings: null,
    decided: [
      {
        id: 'f0',
        reason: 'Card face up',
        round: 'L11/33',
        decision: 'burn',
        why: 'Seen by all.',
        by: 'ETG 6.1',
        at: Date.now() - 86_400_000 * 3,
        from: { person: 'p1', number: 'G-007', post: 'gaming-shift-manager', acting: null },
      },
    ],
  });
  const fed = await opened('/floor/L11/referral', view, shiftManager, ({ with: given }) => {
    const { decision } = given['asked'] as { readonly decision: string };
    return decision === 'stand' ? 'deal-not-complete' : { effects: [], second: null, rulings: null };
  });
  await expectWhole(fed, 'referral');
  for (const said of ['Card face up', 'Burn the card', 'Seen by all.', 'L11/33', 'G-007']) {
    expect(await textOf(fed, '[data-testid=before]')).toContain(said);
  }
  expect(await fed.page.locator('[data-decision=stand]').isDisabled()).toBe(true);
  await fed.type('3', 'Enter');
  expect(fed.commands).toEqual([]);
  expect(await textOf(fed, '[data-testid=refusal]')).toContain('reason');
  expect(await textOf(fed, '[data-testid=told-zh]')).toContain('作废');
  await fed.page.fill('[data-field=reason]', 'No stake is favoured');
  await fed.page.press('[data-field=reason]', 'Enter');
  await fed.type('l', 'Enter');
  expect(fed.commands).toEqual([
    { type: 'DecideReferral', referral: 'f1', decision: 'void', lock: true, reason: 'No stake is favoured' },
  ]);
  await fed.leave();
});

test('a supervisor sees a referral and decides nothing', async () => {
  const fed = await opened(
    '/floor/L11/referral',
    supervised('referred', Date.now()),
    supervisor,
    () => 'not-your-post',
  );
  await fed.page.fill('[data-field=reason]', 'No stake is favoured');
  await fed.page.press('[data-field=reason]', 'Enter');
  await fed.type('3', 'Enter');
  expect(fed.commands).toEqual([]);
  expect(await fed.page.locator('[data-testid=decide]').isDisabled()).toBe(true);
  await fed.leave();
});

test('a correction shows what is short before anybody signs', async () => {
  const at = Date.now();
  const step = (sequence: number, event: object) => ({
    sequence,
    at: at - 600_000 + sequence * 1_000,
    event: event as { type: string },
    who: { number: 'D-214', post: 'dealer', acting: null },
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
  const story = {
    table: 'L11',
    round: 'L11/38',
    number: 38,
    day: '2026-11-17',
    game: fullNameOf(games.find(({ id }) => id === 'tiger')!),
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
    lost: false,
  }));
  const view = supervised('idle', at);
  const fed = await opened('/rounds/L11%2F38/correct', view, supervisor, ({ what }) =>
    what === 'round'
      ? story
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
  await fed.type('4', '5', 's');
  await fed.page.waitForSelector('[data-session]');
  expect(await fed.page.locator('[data-session]').count()).toBe(2);
  expect(await textOf(fed, '[data-session="T1.1"]')).toContain(formatMoney(57_000));
  expect(await textOf(fed, '[data-session="T2.1"]')).toContain('session closed: shortfall');
  const entries = await textOf(fed, '[data-testid=entries]');
  expect(await textOf(fed, '[data-testid=postings]')).toMatch(
    /shortfall\s*to\s*T1, session 1\s*570\.00\s*T1, session 1\s*to\s*house\s*600\.00/,
  );
  expect(entries).toContain('and 7 more');
  await expectWhole(fed, 'correct');
  await fed.type('Enter');
  expect(fed.commands).toEqual([]);
  await fed.page.fill('[data-field=reason]', 'A five was read as a four');
  await fed.page.press('[data-field=reason]', 'Enter');
  await fed.type('Enter');
  expect(fed.commands).toEqual([
    { type: 'CorrectCard', round: 'L11/38', place: 4, card: '5S', reason: 'A five was read as a four' },
  ]);
  await fed.leave();
});

test('a table shows what happens there, and what a supervisor does about it', async () => {
  const at = Date.now();
  const view = supervised('third', at, {
    called: { at: at - 5_000, reason: 'shoe', from: { person: 'p1', number: 'D-214', post: 'dealer', acting: null } },
    shortfalls: [{ terminal: 'T7.1', round: 'L11/38', amount: 57_000 }],
    differences: [{ shoe: 'S-2210', expected: 416, seen: 415, since: at - 9_000 }],
  });
  const fed = await opened('/floor/L11', view, shiftManager);
  expect(await textOf(fed, '[data-testid=differs]')).toContain(
    'The closing count of shoe S-2210 differs: 415 of 416 cards.',
  );
  expect(await textOf(fed, '[data-testid=facts]')).toContain(formatMoney(view.staked));
  expect(await textOf(fed, '[data-testid=events]')).toContain('Bets closed');
  await expectWhole(fed, 'table');
  await fed.type('a');
  expect(fed.commands).toEqual([{ type: 'AnswerCall' }]);
  await fed.type('m');
  await fed.page.fill('[data-field=reason]', 'Relief at ten');
  await fed.page.press('[data-field=reason]', 'Enter');
  await fed.type('Enter');
  expect(fed.commands.at(-1)).toEqual({ type: 'AddNote', text: 'Relief at ten', to: 'dealer' });
  await fed.type('d');
  await fed.page.fill('[data-field=reason]', 'A seven lay in the tray');
  await fed.page.press('[data-field=reason]', 'Enter');
  await fed.type('Enter');
  const looked = { type: 'LookIntoCount', shoe: 'S-2210', reason: 'A seven lay in the tray' };
  await expect.poll(() => fed.commands.at(-1)).toEqual(looked);
  await fed.page.click('[data-act=collect]');
  await fed.page.fill('[data-field=reason]', 'Paid at the cage');
  await expectWhole(fed, 'table-doing');
  await fed.page.press('[data-field=reason]', 'Enter');
  await fed.type('Enter');
  expect(fed.commands.at(-1)).toEqual({
    type: 'CollectShortfall',
    terminal: 'T7.1',
    round: 'L11/38',
    amount: 57_000,
    reason: 'Paid at the cage',
  });
  await fed.leave();
});

test('a table that is not open is opened by two persons', async () => {
  const fed = await opened('/floor/L11', undefined, shiftManager, ({ what }) =>
    what === 'tables'
      ? { tables: [{ table: 'L11', open: false, refused: {} }] }
      : { setting: null, wanted: { game: 'tiger', bets: 'terminals', dealing: 'scanned' }, hash: boundHash },
  );
  await fed.page.waitForSelector('[data-field=number]');
  await expectWhole(fed, 'opening');
  await fed.page.fill('[data-field=number]', 'M-1');
  await fed.page.fill('[data-field=pin]', '246810');
  await fed.page.press('[data-field=pin]', 'Enter');
  expect(fed.heard).toContainEqual(
    expect.objectContaining({ type: 'open', table: 'L11', hash: boundHash, number: 'M-1', pin: '246810' }),
  );
  await fed.leave();
});

test('a lost link leaves nothing to press', async () => {
  const fed = await opened('/floor/L11/ruling', stopped(Date.now()));
  fed.cut();
  await fed.page.waitForSelector('[data-testid=link]');
  expect(await fed.page.locator('[data-testid=propose]').isDisabled()).toBe(true);
  await fed.type('v', 'Enter');
  expect(fed.commands).toEqual([]);
  await fed.leave();
});
