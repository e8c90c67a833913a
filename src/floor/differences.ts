import { isRefused } from '../rules/refusal.ts';
import { hashOf } from '../rules/hash.ts';
import { type Setting, settingOf } from '../table/declare/setting.ts';
import { isFixed, isOfShoe } from '../table/decide/settings.ts';
import { type Table } from '../table/table.ts';

/** In which fields the setting that is wanted is not the one in use; none where it could not be opened at all. */
export function differences(wanted: { readonly [field: string]: unknown }, table: Table): readonly (keyof Setting)[] {
  const setting = settingOf(wanted, table.at);
  if (isRefused(setting)) return [];
  const fields = Object.keys(setting) as (keyof Setting)[];
  return fields.filter((field) => hashOf(setting[field]) !== hashOf(table.setting[field]));
}

/** Whether the setting that is wanted can take the place of the one in use now. [READING 49] */
export function mayChange(wanted: { readonly [field: string]: unknown }, table: Table): boolean {
  const { phase, jobs, shoe, held, referrals, closed } = table;
  if (phase !== 'idle' || jobs.length > 0 || held.length > 0 || referrals.length > 0 || closed) return false;
  const fields = differences(wanted, table);
  return fields.length > 0 && !fields.some(isFixed) && (shoe === null || !fields.some(isOfShoe));
}
