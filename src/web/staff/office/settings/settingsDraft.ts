import { type TableSettings } from '../../../../wire/staff/cageTypes.ts';
import { moneyOf } from '../../kit/text/parseMoney.ts';

// A setting as somebody changes it: what was typed by field, and the setting that it makes. Pure.

/** The fields that are one number or one of few, in the order of the page. */
export const plainFields = [
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
export type PlainField = (typeof plainFields)[number];

/** What was typed, by its field: `bettingTime`, `limits.tie.0`, `offered.tie`. */
export type SettingsDraft = { readonly [field: string]: string };

/** What changes between shoes only; everything else with no round open. [READING 49] */
const shoeFields: ReadonlySet<string> = new Set(['game', 'decks', 'offered', 'behind', 'roundsAfterCut', 'burn']);
export const isShoeSetting = (field: string): boolean => shoeFields.has(field);

const seconds: ReadonlySet<string> = new Set(['bettingTime', 'pause', 'interruption']);
const amounts: ReadonlySet<string> = new Set(['totalMinimum']);
const texts: ReadonlySet<string> = new Set(['game', 'burn']);

const plainMoney = (cents: number): string => (cents / 100).toFixed(2);

/** A value as it is typed: amounts in units, times in seconds but for the grace, which is short. */
export function fieldText(setting: TableSettings, field: string): string {
  const [name, wager, end] = field.split('.');
  if (name === 'limits') return plainMoney(setting.limits[wager!]?.[Number(end)] ?? 0);
  if (name === 'offered') return setting.offered.includes(wager!) ? 'yes' : '';
  const value = setting[name as PlainField];
  if (amounts.has(field)) return plainMoney(Number(value));
  return seconds.has(field) ? String(Number(value) / 1000) : String(value);
}

/** What was typed as a value; undefined where it is none. */
function valueOf(field: string, text: string): number | string | undefined {
  if (texts.has(field)) return text;
  if (amounts.has(field) || field.startsWith('limits.')) return moneyOf(text.replaceAll(',', ''));
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number) || number < 0) return undefined;
  const value = seconds.has(field) ? Math.round(number * 1000) : number;
  return Number.isInteger(value) ? value : undefined;
}

/** Only what differs from the setting in use. */
export const changedIn = (setting: TableSettings, draft: SettingsDraft): readonly string[] =>
  Object.keys(draft).filter((field) => {
    const [typed, used] = [draft[field]!, fieldText(setting, field)];
    const [one, other] = [valueOf(field, typed), valueOf(field, used)];
    return field.startsWith('offered.') ? typed !== used : one === undefined || one !== other;
  });

/** The fields that hold no value. */
export const wrongIn = (draft: SettingsDraft): readonly string[] =>
  Object.keys(draft).filter((field) => !field.startsWith('offered.') && valueOf(field, draft[field]!) === undefined);

/** The setting that a draft makes; `wagers` are those of its game. */
export function applyDraft(setting: TableSettings, draft: SettingsDraft, wagers: readonly string[]): TableSettings {
  const next: { [field: string]: unknown } = { ...setting };
  for (const field of plainFields) if (draft[field] !== undefined) next[field] = valueOf(field, draft[field]);
  const isOffered = (wager: string): boolean =>
    draft[`offered.${wager}`] === undefined ? setting.offered.includes(wager) : draft[`offered.${wager}`] === 'yes';
  const offered = draft['game'] === undefined ? wagers.filter(isOffered) : wagers;
  next['offered'] = offered;
  const usual = setting.limits['tie'] ?? Object.values(setting.limits)[0]!;
  next['limits'] = Object.fromEntries(
    offered.map((wager) => {
      const [least, most] = setting.limits[wager] ?? usual;
      const end = (n: 0 | 1, value: number): number =>
        Number(valueOf(`limits.${wager}.${n}`, draft[`limits.${wager}.${n}`] ?? plainMoney(value)));
      return [wager, [end(0, least), end(1, most)]];
    }),
  );
  return next as TableSettings;
}

/** Where two settings differ, by the fields of the page. */
export function changedFields(before: TableSettings, after: TableSettings): readonly string[] {
  const plain = plainFields.filter((field) => fieldText(before, field) !== fieldText(after, field));
  const wagers = [...new Set([...before.offered, ...after.offered])];
  const offers = wagers.filter((wager) => before.offered.includes(wager) !== after.offered.includes(wager));
  const both = wagers.filter((wager) => before.offered.includes(wager) && after.offered.includes(wager));
  const limits = both.filter((wager) => before.limits[wager]!.join() !== after.limits[wager]!.join());
  return [...plain, ...offers.map((wager) => `offered.${wager}`), ...limits.map((wager) => `limits.${wager}`)];
}
