import { hashOf } from '../../base/canonicalJson.ts';
import { type JurisdictionProfile, type TableSettings } from '../schema/settings.ts';

export type SettingField = Exclude<keyof TableSettings, 'profile'> | `profile.${keyof JurisdictionProfile}`;

type SettingValue = string | number | boolean | readonly (string | number)[];

/**
 * One setting that differs. Limits are compared for each wager. A value is null if that side has none: a wager that is
 * not offered has no limits.
 */
export type TableSettingsDifference = {
  readonly field: SettingField;
  readonly wager: string | null;
  readonly before: SettingValue | null;
  readonly after: SettingValue | null;
};

/** Every setting that differs, in the order of the schema. Without `before`, all settings. */
export function settingsDifferences(
  before: TableSettings | null,
  after: TableSettings,
): readonly TableSettingsDifference[] {
  const [old, next] = [before === null ? null : rowsOf(before), rowsOf(after)];
  const names = [...new Set([...next.keys(), ...(old?.keys() ?? [])])];
  return names.flatMap((name) => {
    const [was, is] = [old?.get(name) ?? null, next.get(name) ?? null];
    if (was !== null && is !== null && hashOf(was.value) === hashOf(is.value)) return [];
    const { field, wager } = (is ?? was)!;
    return [{ field, wager, before: was?.value ?? null, after: is?.value ?? null }];
  });
}

type Row = { readonly field: SettingField; readonly wager: string | null; readonly value: SettingValue };

function rowsOf({ profile, limits, ...plain }: TableSettings): ReadonlyMap<string, Row> {
  const rows: Row[] = [];
  for (const [field, value] of Object.entries(plain)) {
    rows.push({ field: field as keyof typeof plain, wager: null, value });
    if (field !== 'offered') continue;
    // The limits come right after the offered wagers to which they belong.
    for (const [wager, limit] of Object.entries(limits)) rows.push({ field: 'limits', wager, value: limit });
  }
  for (const [field, value] of Object.entries(profile))
    rows.push({ field: `profile.${field as keyof typeof profile}`, wager: null, value });
  return new Map(rows.map((row) => [`${row.field} ${row.wager ?? ''}`, row]));
}
