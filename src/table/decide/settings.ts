import { hasAuthority } from '../../access/roles.ts';
import { isSameActor } from '../../access/actor.ts';
import { hashOf } from '../../base/canonicalJson.ts';
import { isRefused } from '../../base/refusal.ts';
import { type CommandOf } from '../schema/commands.ts';
import { type TableDecision, type EventStamp, refuseNotNow, tableEventStamp } from './decision.ts';
import { approvalRules } from '../../access/approvalRules.ts';
import { refuseAtTable } from '../schema/refusals.ts';
import { type TableSettings, isDemo, parseSettings, gameAndRulebookOf } from '../schema/settings.ts';
import { type Table } from '../state.ts';

/**
 * Opens a table. Two persons must sign. The system needs no second person, but may open only an unattended table or a
 * demo.
 */
export function decideOpenTable(command: CommandOf<'OpenTable'>): TableDecision {
  const { actor, second, at } = command;
  const settings = parseSettings(command.settings, at);
  if (isRefused(settings)) return settings;
  const { roles } = gameAndRulebookOf(settings).book.clauses;
  const rule = approvalRules['change the settings'];
  const isSystemAllowed = 'system' in actor && (!settings.attended || isDemo(settings));
  const allowed =
    isSystemAllowed ||
    ('person' in actor &&
      second !== undefined &&
      hasAuthority(actor, rule.first, at) &&
      hasAuthority(second, rule.second, at));
  if (!allowed) {
    return refuseAtTable(
      'not-your-role',
      roles,
      `A ${rule.first} opens a table and a ${rule.second} approves it; name both.`,
    );
  }
  if (second !== undefined && isSameActor(actor, second)) {
    return refuseAtTable(
      'same-person',
      roles,
      'Another person must approve the opening of the table; name that person.',
    );
  }
  return [
    {
      type: 'TableOpened',
      ...tableEventStamp(command),
      ...(second && { second }),
      settings,
      hash: hashOf(settings),
    },
  ];
}

/** Settings that may change only while no shoe is at the table. [READING 49] */
const shoeFields: readonly (keyof TableSettings)[] = [
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
export const isFixedDuringShoe = (field: keyof TableSettings): boolean => shoeFields.includes(field);
const fixedFields: readonly (keyof TableSettings)[] = ['property', 'table', 'currency'];
export const isFixedForTable = (field: keyof TableSettings): boolean => fixedFields.includes(field);

export function decideChangeSettings(
  command: CommandOf<'ChangeSettings'>,
  stamp: EventStamp,
  table: Table,
): TableDecision {
  const settings = parseSettings(command.settings, stamp.at);
  // The system may only replace demo settings by demo settings; any other change takes two persons.
  if ('system' in stamp.actor && !(isDemo(table.settings) && (isRefused(settings) || isDemo(settings)))) {
    const { first, second } = approvalRules['change the settings'];
    const message = `A ${first} changes the settings and a ${second} approves them; ask them.`;
    return refuseAtTable('not-your-role', gameAndRulebookOf(table.settings).book.clauses.roles, message);
  }
  if (table.phase !== 'idle' || table.pendingSettlements.length > 0)
    return refuseNotNow(table, 'HOUSE 10', 'finish the round first');
  if (isRefused(settings)) return settings;
  const differs = (field: keyof TableSettings): boolean => hashOf(settings[field]) !== hashOf(table.settings[field]);
  const changedFixedField = fixedFields.find(differs);
  if (changedFixedField !== undefined) {
    return refuseAtTable(
      'bad-settings',
      'HOUSE 10',
      `The table setting "${changedFixedField}" never changes; open another table.`,
      { field: changedFixedField },
    );
  }
  const changedShoeField = shoeFields.find(differs);
  if (changedShoeField !== undefined && table.shoe !== null) {
    return refuseNotNow(table, 'HOUSE 10', `"${changedShoeField}" changes only between shoes; end the shoe first`);
  }
  return [{ type: 'SettingsChanged', ...stamp, settings, hash: hashOf(settings) }];
}

export function decideCloseTable(command: CommandOf<'CloseTable'>, stamp: EventStamp, table: Table): TableDecision {
  if (table.closed) return refuseAtTable('table-closed', null, 'The table is already closed; there is nothing to do.');
  return [{ type: 'TableClosed', ...stamp, reason: command.reason }];
}

export function decideReopenTable(command: CommandOf<'ReopenTable'>, stamp: EventStamp, table: Table): TableDecision {
  return table.closed
    ? [{ type: 'TableReopened', ...stamp, reason: command.reason }]
    : refuseAtTable('already-open', null, 'The table is not closed; there is nothing to do.');
}
