import { isRefused } from '../../base/refusal.ts';
import { hashOf } from '../../base/canonicalJson.ts';
import { type TableSettings, isDemo, parseSettings } from '../../table/schema/settings.ts';
import { isFixedField, isShoeField } from '../../table/decide/settings.ts';
import { type Table } from '../../table/state.ts';
import { type DueStep, floorPost } from './pacing.ts';

/** In which fields the setting that is wanted is not the one in use; none where it could not be opened at all. */
export function changedSettings(
  wanted: { readonly [field: string]: unknown },
  table: Table,
): readonly (keyof TableSettings)[] {
  const setting = parseSettings(wanted, table.at);
  if (isRefused(setting)) return [];
  const fields = Object.keys(setting) as (keyof TableSettings)[];
  return fields.filter((field) => hashOf(setting[field]) !== hashOf(table.setting[field]));
}

/** Whether the setting that is wanted can take the place of the one in use now. [READING 49] */
export function mayChange(wanted: { readonly [field: string]: unknown }, table: Table): boolean {
  const { phase, pendingSettlements: jobs, shoe, openIrregularities: held, referrals, closed } = table;
  if (phase !== 'idle' || jobs.length > 0 || held.length > 0 || referrals.length > 0 || closed) return false;
  const fields = changedSettings(wanted, table);
  return fields.length > 0 && !fields.some(isFixedField) && (shoe === null || !fields.some(isShoeField));
}

/**
 * The demo takes over what its file says, once between rounds; what two persons change after that holds until the next
 * start. Anywhere else two persons do all of it. Nothing is wanted by a program that has not started the floor. [READING 49]
 */
export function takingOver(
  wanted: { readonly [field: string]: unknown } | undefined,
): (table: Table) => DueStep | undefined {
  if (wanted === undefined) return () => undefined;
  let isDone = false;
  /** The setting in use that was last held against the one that is wanted, where nothing is to be done about it. */
  let looked: { readonly setting: TableSettings; readonly shoe: string | undefined } | undefined;
  return (table) => {
    const { setting, shoe, at, phase } = table;
    if (isDone || !isDemo(setting) || (looked?.setting === setting && looked.shoe === shoe?.id)) return undefined;
    const seen = (): void => void (looked = { setting, shoe: shoe?.id });
    if (mayChange(wanted, table)) {
      return { at, asked: { type: 'ChangeSetting', who: floorPost, setting: wanted }, refused: seen };
    }
    isDone = changedSettings(wanted, table).length === 0;
    if (phase === 'idle') seen();
    return undefined;
  };
}
