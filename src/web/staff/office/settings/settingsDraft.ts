import { type TableSettings } from '../../../../wire/staff/cageTypes.ts';
import { parseMoney } from '../../kit/text/parseMoney.ts';

/** Settings with a single value, in the order of the page. */
export const singleValueSettingFields = [
  'game',
  'decks',
  'totalMinimum',
  'bettingTime',
  'grace',
  'pause',
  'interruption',
  'behind',
  'roundsAfterCut',
  'burn',
] as const;
export type SingleValueSettingField = (typeof singleValueSettingFields)[number];

/** Typed text by field, such as `bettingTime`, `limits.tie.0` or `offered.tie`. */
export type SettingsDraft = { readonly [field: string]: string };

/** Settings that may change only between shoes. All others may change while no round is open. [READING 49] */
const shoeFields: ReadonlySet<string> = new Set(['game', 'decks', 'offered', 'behind', 'roundsAfterCut', 'burn']);
export const isBetweenShoesSetting = (field: string): boolean => shoeFields.has(field);

const secondFields: ReadonlySet<string> = new Set(['bettingTime', 'pause', 'interruption']);
const moneyFields: ReadonlySet<string> = new Set(['totalMinimum']);
const textFields: ReadonlySet<string> = new Set(['game', 'burn']);

const plainMoney = (cents: number): string => (cents / 100).toFixed(2);

/**
 * Text for the input of a setting. Amounts are in currency units. Times are in seconds, except the grace period in
 * milliseconds.
 */
export function settingInputText(setting: TableSettings, field: string): string {
  const [name, wager, limit] = field.split('.');
  if (name === 'limits') return plainMoney(setting.limits[wager!]?.[Number(limit)] ?? 0);
  if (name === 'offered') return setting.offered.includes(wager!) ? 'yes' : '';
  const value = setting[name as SingleValueSettingField];
  if (moneyFields.has(field)) return plainMoney(Number(value));
  return secondFields.has(field) ? String(Number(value) / 1000) : String(value);
}

/** Value of a typed text, with amounts in cents and times in milliseconds; undefined when the text is not valid. */
function parseField(field: string, text: string): number | string | undefined {
  if (textFields.has(field)) return text;
  if (moneyFields.has(field) || field.startsWith('limits.')) return parseMoney(text.replaceAll(',', ''));
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number) || number < 0) return undefined;
  const value = secondFields.has(field) ? Math.round(number * 1000) : number;
  return Number.isInteger(value) ? value : undefined;
}

/** Fields whose typed text differs from the settings in use. */
export const editedSettingFields = (setting: TableSettings, draft: SettingsDraft): readonly string[] =>
  Object.keys(draft).filter((field) => {
    const [typed, used] = [draft[field]!, settingInputText(setting, field)];
    const [one, other] = [parseField(field, typed), parseField(field, used)];
    return field.startsWith('offered.') ? typed !== used : one === undefined || one !== other;
  });

export const invalidSettingFields = (draft: SettingsDraft): readonly string[] =>
  Object.keys(draft).filter((field) => !field.startsWith('offered.') && parseField(field, draft[field]!) === undefined);

/**
 * Settings with the changes of a valid draft. `wagers` are all wagers of the game. If the draft changes the game, all
 * of them are offered.
 */
export function applySettingsDraft(
  setting: TableSettings,
  draft: SettingsDraft,
  wagers: readonly string[],
): TableSettings {
  const next: { [field: string]: unknown } = { ...setting };
  for (const field of singleValueSettingFields)
    if (draft[field] !== undefined) next[field] = parseField(field, draft[field]);
  const isOffered = (wager: string): boolean =>
    draft[`offered.${wager}`] === undefined ? setting.offered.includes(wager) : draft[`offered.${wager}`] === 'yes';
  const offered = draft['game'] === undefined ? wagers.filter(isOffered) : wagers;
  next['offered'] = offered;
  const defaultLimits = setting.limits['tie'] ?? Object.values(setting.limits)[0]!;
  next['limits'] = Object.fromEntries(
    offered.map((wager) => {
      const [min, max] = setting.limits[wager] ?? defaultLimits;
      const limit = (n: 0 | 1, value: number): number =>
        Number(parseField(`limits.${wager}.${n}`, draft[`limits.${wager}.${n}`] ?? plainMoney(value)));
      return [wager, [limit(0, min), limit(1, max)]];
    }),
  );
  return next as TableSettings;
}

export function changedSettingFields(before: TableSettings, after: TableSettings): readonly string[] {
  const plain = singleValueSettingFields.filter(
    (field) => settingInputText(before, field) !== settingInputText(after, field),
  );
  const wagers = [...new Set([...before.offered, ...after.offered])];
  const offers = wagers.filter((wager) => before.offered.includes(wager) !== after.offered.includes(wager));
  const both = wagers.filter((wager) => before.offered.includes(wager) && after.offered.includes(wager));
  const limits = both.filter((wager) => before.limits[wager]!.join() !== after.limits[wager]!.join());
  return [...plain, ...offers.map((wager) => `offered.${wager}`), ...limits.map((wager) => `limits.${wager}`)];
}
