import { mkdirSync } from 'node:fs';
import { type Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { type ProposalEffects } from '../../../../src/wire/staff/proposalEffects.ts';
import { type SupervisorView } from '../../../../src/wire/staff/supervisorView.ts';
import { violations } from '../../support/appearance.ts';
import { openOffice, supervisor } from '../office/openOffice.ts';
import { queryReply, setting, supervisorView as settingsView } from '../office/queryReplies.ts';
import { StaffPage, session } from '../support/staffPage.ts';
import { setLanguage } from '../support/textChecks.ts';
import { states } from './dealerStates.ts';
import { noEffects, reconstructed, verifiedShoe, voidedAfterSettlement } from './effectsOfProposals.ts';
import { nine, rulingsOf, supervised } from './supervisorViews.ts';

// What a second person sees of a proposal, at the dealer's console and on every page of the office.

const laid = 'AC 3H 4D 2S 8D';
const proposals: { readonly [name: string]: ProposalEffects } = {
  reconstruction: reconstructed(laid, 'AC 4D 3H 2S 8D', ['6C']),
  'void after settlement': voidedAfterSettlement,
  'shoe verification': verifiedShoe,
  'card by eye': noEffects('EnterCard', {
    changes: [{ type: 'card-enter', slot: 'P2', card: '7S' }],
    round: {
      id: 'demo/L11/2026-11-17/S-2211/41',
      number: 41,
      cards: {
        before: [
          { card: '9S', slot: 'P1' },
          { card: '2C', slot: 'B1' },
        ],
        after: [
          { card: '9S', slot: 'P1' },
          { card: '2C', slot: 'B1' },
          { card: '7S', slot: 'P2' },
        ],
        burned: [],
      },
      before: { type: 'due', slot: 'P2', player: 9, banker: 2 },
      after: { type: 'due', slot: 'B2', player: 6, banker: 2 },
      settled: null,
      results: { before: null, after: null },
    },
  }),
  'decision of a referral': noEffects('DecideReferral', {
    changes: [
      { type: 'referral-decide', decision: 'stand', terminal: 'T-0301', round: 'demo/L11/2026-11-17/S-2211/38' },
    ],
  }),
  'end of shoe': noEffects('EndShoe', {
    changes: [
      { type: 'shoe-end', shoe: 'S-2211', expected: 416, seen: 415, extra: {}, missing: { AC: 1 }, isUnopened: false },
    ],
  }),
};

/** Texts that each proposal must show, in English. */
const texts: { readonly [name: string]: readonly string[] } = {
  reconstruction: [
    'Round 41 of shoe S-2211',
    '6 of clubs is burned',
    'Banker wins, 5 to 3',
    'Banker wins, 6 to 2',
    'settled after the pause',
    'pays 12 : 1',
  ],
  'void after settlement': [
    'Round 38 of shoe S-2211',
    'every stake is returned',
    'Shoe S-2211 is locked',
    'T-0301.1',
    'ended',
    '50.00',
    '25.00',
    'The shortfall stays open until it is paid, collected or written off.',
  ],
  'shoe verification': ['by hand', '7742', '8, red', 'all 416', 'in order', '16'],
  'card by eye': ['7 of spades is entered as P2', 'B2 is due'],
  'decision of a referral': ['Decision for T-0301, round 38 of shoe S-2211: the result stands.'],
  'end of shoe': ['415 of 416 cards', 'Missing: A of clubs × 1'],
};

const sizes = [
  [1366, 768],
  [1024, 768],
] as const;

/** Texts of a part of the page that lie beside their box. A box that scrolls to the side is as wide as its content. */
const outside = (page: Page, selector: string): Promise<readonly string[]> =>
  page.evaluate((part) => {
    const found: string[] = [];
    const walker = document.createTreeWalker(document.querySelector(part)!, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const range = document.createRange();
      range.selectNodeContents(node);
      const cell = node.parentElement!.closest('td, th, dd, li, p, .m, .hd, .sl, div')!;
      const box = cell.getBoundingClientRect();
      for (const { left, right, width } of range.getClientRects())
        if (width > 0 && (left < box.left - 1 || right > box.right + 1)) found.push(node.textContent!);
    }
    const whole = document.querySelector(part)!;
    const panel = whole.closest('.panel, .evi')!;
    if (panel.scrollWidth > panel.clientWidth + 1 && !panel.matches('.matrix'))
      found.push(`${panel.className} is too wide`);
    return found;
  }, selector);

/**
 * Both sizes and languages: no text of the part leaves its box, the header is whole, and axe finds nothing on the page. SHOTS names a
 * folder for screenshots.
 */
async function expectReadable(staffPage: StaffPage, name: string, part = '[data-testid=effects]'): Promise<void> {
  const { page } = staffPage;
  const shots = process.env['SHOTS'];
  for (const language of ['zh', 'en'] as const) {
    await setLanguage(page, language);
    for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height });
      await staffPage.waitUntilDrawn();
      if (shots) {
        mkdirSync(shots, { recursive: true });
        await page.screenshot({ path: `${shots}/${name.replaceAll(' ', '-')}-${language}-${width}.png` });
      }
      expect.soft(await outside(page, part), `${name} ${language} ${width}`).toEqual([]);
      const beyondHeader = await page.locator('.top').evaluate((top) => top.scrollWidth - top.clientWidth);
      expect.soft(beyondHeader, `header, ${name} ${language} ${width}`).toBeLessThanOrEqual(0);
      expect.soft(await violations(page), `${name} ${language} ${width}`).toEqual([]);
    }
  }
  await page.setViewportSize({ width: 1366, height: 768 });
  await staffPage.waitUntilDrawn();
  expect(staffPage.complaints).toEqual([]);
}

function viewWith(effects: ProposalEffects, more: Partial<SupervisorView> = {}): SupervisorView {
  const view = supervised('approve', Date.now(), more);
  return { ...view, proposal: { ...view.proposal!, command: effects.command, effects } };
}

const manager = session({ person: 'p7', number: 'G-007', role: 'gaming-shift-manager', table: null });

describe.each(Object.keys(proposals))('the %s', (name) => {
  const effects = proposals[name]!;

  test("is shown at the dealer's console, also after a reload", async () => {
    const view = states[effects.command === 'VerifyShoe' ? 'shoe-verify-two' : 'approve']!(Date.now());
    const shown = { ...view, proposal: { ...view.proposal!, command: effects.command, effects } };
    const staffPage = await StaffPage.at('/dealer/L11', shown);
    await staffPage.page.reload();
    await staffPage.page.getByTestId('second').waitFor();
    const text = await staffPage.page.getByTestId('effects').innerText();
    for (const part of texts[name]!) expect(text).toContain(part);
    // The title names the round of the proposal, which need not be the round at the table.
    const title = await staffPage.page.getByTestId('second').locator('.title').innerText();
    expect(/round (\d+)/.exec(title)?.[1]).toBe(effects.round?.number.toString());
    await expectReadable(staffPage, `console ${name}`);
    await staffPage.leave();
  });

  test.each(['/floor/L11/ruling', '/floor/L11'])('is shown at %s', async (path) => {
    const staffPage = await openOffice(path, viewWith(effects), manager);
    const text = await staffPage.page.getByTestId('effects').innerText();
    for (const part of texts[name]!) expect(text).toContain(part);
    await expectReadable(staffPage, `${path === '/floor/L11' ? 'table' : 'ruling'} ${name}`);
    await staffPage.leave();
  });
});

test('the order that a dealer keys shows the outcome of the table, and none of its own', async () => {
  const staffPage = await StaffPage.at('/dealer/L11', states['held']!(Date.now()));
  const requests: unknown[] = [];
  staffPage.reply = (request) => {
    if (request.type !== 'query') return { type: 'done', id: request.id, events: [], sequence: 1 };
    requests.push(request.params['request']);
    // An outcome that the cards do not have: the console must show what it was sent.
    const round = { ...reconstructed(laid, laid, ['6C']).round!, after: { type: 'void' } };
    const data = {
      effects: [],
      second: 'supervisor',
      proposal: { ...noEffects('ReconstructRound'), round },
      rulings: null,
    };
    return { type: 'answer', id: request.id, data };
  };
  await staffPage.page.waitForSelector('.ways');
  await staffPage.passEnterGuard();
  await staffPage.type('Enter', ...Array.from('ac3h4d2s8d'));
  const previewed = staffPage.page.getByTestId('previewed');
  await previewed.waitFor();
  expect(await previewed.innerText()).toBe('The 6 of clubs is burned.\n\nVoid');
  expect(requests.at(-1)).toMatchObject({ type: 'ReconstructRound', cards: laid.split(' ') });
  await staffPage.leave();
});

test('the change of a setting shows every value before and after, with the reason', async () => {
  const { tie: _tie, ...others } = setting.limits;
  const after = { ...setting, limits: { ...others, tie: [5_000, 300_000] as const }, pause: 3_500, attended: false };
  const view = settingsView(Date.now(), after);
  const proposal = { ...view.proposal!, reason: 'High limits tonight' };
  for (const [path, name] of [
    ['/settings/L11', 'settings'],
    ['/floor/L11/ruling', 'ruling settings'],
  ] as const) {
    const staffPage = await openOffice(
      path,
      { ...view, proposal },
      manager,
      (query) => queryReply(query.name, Date.now()) as { readonly [field: string]: unknown },
    );
    const text = await staffPage.page.getByTestId('effects').innerText();
    expect(text).toContain('High limits tonight');
    const rows = await staffPage.page.locator('[data-setting]').allInnerTexts();
    expect(rows.map((row) => row.replaceAll(/\s+/g, ' '))).toEqual([
      'Limits: Tie 25.00 to 2,000.00 50.00 to 3,000.00',
      'Pause before settling 2 s 3.5 s',
      'Attended yes no',
    ]);
    await expectReadable(staffPage, name);
    await staffPage.leave();
  }
});

test('the ruling matrix keeps its amounts apart with six rulings', async () => {
  const rulings = rulingsOf(
    nine.map((row) => ({ ...row, staked: row.staked * 100 })),
    false,
  );
  const more = ['enter', 'restore'].map((ruling) => ({ ...rulings.columns[1]!, ruling }));
  const rows = rulings.rows.map((row) => ({
    ...row,
    back: { ...row.back, void: row.staked, enter: row.staked, restore: row.staked * 2 },
  }));
  const view = supervised('held', Date.now(), {
    rulings: { ...rulings, columns: [...rulings.columns, ...more], rows },
    slips: 9,
  });
  const staffPage = await openOffice('/floor/L11/ruling', view, supervisor);
  await expectReadable(staffPage, 'matrix of six', '.matrix');
  expect(await staffPage.page.locator('.matrix .col.hd').count()).toBe(6);
  await staffPage.leave();
});
