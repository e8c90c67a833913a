import { expect, test } from 'vitest';
import { formatMoney } from '../../../../src/base/formatMoney.ts';
import { settingsDifferences } from '../../../../src/table/views/settingsDifferences.ts';
import { boundHash, supervised } from '../console/supervisorViews.ts';
import { type StaffPage, session } from '../support/staffPage.ts';
import { expectNothingCutOff } from '../support/textChecks.ts';
import { openOffice } from './openOffice.ts';
import { setting } from './queryReplies.ts';

const shiftManager = session({ person: 'p7', number: 'G-007', role: 'gaming-shift-manager', table: null });

const textOf = (staffPage: StaffPage, selector: string): Promise<string> => staffPage.page.innerText(selector);

test('the table page shows the events of a table and the commands of a supervisor', async () => {
  const at = Date.now();
  const view = supervised('third', at, {
    called: { at: at - 5_000, reason: 'shoe', from: { person: 'p1', number: 'D-214', role: 'dealer', acting: null } },
    shortfalls: [{ terminal: 'T7.1', round: 'L11/38', amount: 57_000 }],
    differences: [{ shoe: 'S-2210', expected: 416, seen: 415, since: at - 9_000 }],
  });
  const staffPage = await openOffice('/floor/L11', view, shiftManager);
  expect(await textOf(staffPage, '[data-testid=differs]')).toContain(
    'The closing count of shoe S-2210 differs: 415 of 416 cards.',
  );
  expect(await textOf(staffPage, '[data-testid=facts]')).toContain(formatMoney(view.staked));
  expect(await textOf(staffPage, '[data-testid=events]')).toContain('Bets closed');
  await expectNothingCutOff(staffPage, 'table');
  await staffPage.type('a');
  expect(staffPage.commands).toEqual([{ type: 'AnswerCall' }]);
  await staffPage.type('m');
  await staffPage.page.fill('[data-field=reason]', 'Relief at ten');
  await staffPage.page.press('[data-field=reason]', 'Enter');
  await staffPage.type('Enter');
  expect(staffPage.commands.at(-1)).toEqual({ type: 'AddNote', text: 'Relief at ten', to: 'dealer' });
  await staffPage.type('d');
  await staffPage.page.fill('[data-field=reason]', 'A seven lay in the tray');
  await staffPage.page.press('[data-field=reason]', 'Enter');
  await staffPage.type('Enter');
  const expectedCommand = { type: 'InvestigateCount', shoe: 'S-2210', reason: 'A seven lay in the tray' };
  await expect.poll(() => staffPage.commands.at(-1)).toEqual(expectedCommand);
  await staffPage.page.click('[data-act=collect]');
  await staffPage.page.fill('[data-field=reason]', 'Paid at the cage');
  await expectNothingCutOff(staffPage, 'table-doing');
  await staffPage.page.press('[data-field=reason]', 'Enter');
  await staffPage.type('Enter');
  expect(staffPage.commands.at(-1)).toEqual({
    type: 'CollectShortfall',
    terminal: 'T7.1',
    round: 'L11/38',
    amount: 57_000,
    reason: 'Paid at the cage',
  });
  await staffPage.leave();
});

test('two persons open a table that is not open', async () => {
  const staffPage = await openOffice('/floor/L11', undefined, shiftManager, ({ name }) =>
    name === 'tables'
      ? { tables: [{ table: 'L11', open: false, refused: {} }] }
      : { settings: null, opening: settingsDifferences(null, setting), hash: boundHash },
  );
  await staffPage.page.waitForSelector('[data-field=number]');
  await expectNothingCutOff(staffPage, 'opening');
  await staffPage.page.fill('[data-field=number]', 'M-1');
  await staffPage.page.fill('[data-field=pin]', '246810');
  await staffPage.page.press('[data-field=pin]', 'Enter');
  expect(staffPage.messages).toContainEqual(
    expect.objectContaining({ type: 'open', table: 'L11', hash: boundHash, number: 'M-1', pin: '246810' }),
  );
  await staffPage.leave();
});
