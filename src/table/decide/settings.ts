import { mayAct } from '../../access/roles.ts';
import { areSame } from '../../access/actor.ts';
import { hashOf } from '../../base/canonicalJson.ts';
import { isRefused } from '../../base/refusal.ts';
import { type CommandOf } from '../schema/commands.ts';
import { type Decision, type Stamp, notNow, stampOf } from './decision.ts';
import { duties } from '../../access/approvalRules.ts';
import { deny } from '../schema/refusals.ts';
import { type Setting, isDemo, settingOf, termsOf } from '../schema/settings.ts';
import { type Table } from '../state.ts';

/** A table opens by two persons, or by the system where it runs unattended or in a demo. */
export function openTable(command: CommandOf<'OpenTable'>): Decision {
  const { who, second, at } = command;
  const setting = settingOf(command.setting, at);
  if (isRefused(setting)) return setting;
  const { posts } = termsOf(setting).book.clauses;
  const duty = duties['change the setting'];
  const alone = 'system' in who && (!setting.attended || isDemo(setting));
  const allowed =
    alone ||
    ('person' in who && second !== undefined && mayAct(who, duty.first, at) && mayAct(second, duty.second, at));
  if (!allowed) {
    return deny(
      'not-your-post',
      posts,
      `A table is opened by a ${duty.first} with a ${duty.second} as second; name both.`,
    );
  }
  if (second !== undefined && areSame(who, second)) {
    return deny('same-person', posts, 'The second consent comes from another person; name one.');
  }
  return [{ type: 'TableOpened', ...stampOf(command), ...(second && { second }), setting, hash: hashOf(setting) }];
}

/** What a shoe is played by; it changes between shoes only. [READING 49] */
const shoeFields: readonly (keyof Setting)[] = [
  'profile',
  'game',
  'decks',
  'offered',
  'roundsAfterCut',
  'behind',
  'burn',
  'dealing',
  'bets',
  'attended',
];
/** Whether a field of the setting changes between shoes only. */
export const isOfShoe = (field: keyof Setting): boolean => shoeFields.includes(field);
const fixedFields: readonly (keyof Setting)[] = ['property', 'table', 'currency'];
/** Whether a field of the setting never changes. */
export const isFixed = (field: keyof Setting): boolean => fixedFields.includes(field);

export function changeSetting(command: CommandOf<'ChangeSetting'>, stamp: Stamp, table: Table): Decision {
  const setting = settingOf(command.setting, stamp.at);
  // The system changes the demo into the demo alone; whatever else is to be, two persons do.
  if ('system' in stamp.who && !(isDemo(table.setting) && (isRefused(setting) || isDemo(setting)))) {
    const { first, second } = duties['change the setting'];
    const message = `ChangeSetting is for a ${first} with a ${second} as second; let them do it.`;
    return deny('not-your-post', termsOf(table.setting).book.clauses.posts, message);
  }
  if (table.phase !== 'idle' || table.jobs.length > 0) return notNow(table, 'HOUSE 10', 'finish the round first');
  if (isRefused(setting)) return setting;
  const differs = (field: keyof Setting): boolean => hashOf(setting[field]) !== hashOf(table.setting[field]);
  const fixed = fixedFields.find(differs);
  if (fixed !== undefined) {
    return deny(
      'bad-setting',
      'HOUSE 10',
      `The setting's "${fixed}" belongs to the table and never changes; open another table.`,
      { field: fixed },
    );
  }
  const between = shoeFields.find(differs);
  if (between !== undefined && table.shoe !== null) {
    return notNow(table, 'HOUSE 10', `"${between}" changes between shoes; end the shoe first`);
  }
  return [{ type: 'SettingChanged', ...stamp, setting, hash: hashOf(setting) }];
}

/** A round that is played goes to its end, since a table may open the next one at once; until it is opened again none is. */
export function closeTable(command: CommandOf<'CloseTable'>, stamp: Stamp, table: Table): Decision {
  if (table.closed) return deny('table-closed', null, 'The table is closed already; open it again.');
  return [{ type: 'TableClosed', ...stamp, reason: command.reason }];
}

export function reopenTable(command: CommandOf<'ReopenTable'>, stamp: Stamp, table: Table): Decision {
  return table.closed
    ? [{ type: 'TableReopened', ...stamp, reason: command.reason }]
    : deny('already-open', null, 'The table is not closed; go on.');
}
