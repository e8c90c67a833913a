import { type TableSettings } from '../../../../wire/staff/cageTypes.ts';
import { moneyOf } from '../../kit/text/parseMoney.ts';

// Editor state: typed text by field, and the settings that result. Pure.

/** Fields with a single value, in the order of the page. */
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

/** Typed text by field: `bettingTime`, `limits.tie.0`, `offered.tie`. */
export type SettingsDraft = { readonly [field: string]: string };

/** Settings that change only between shoes; all others while no round is open. [READING 49] */
const shoeFields: ReadonlySet<string> = new Set(['game', 'decks', 'offered', 'behind', 'roundsAfterCut', 'burn']);
export const isShoeSetting = (field: string): boolean => shoeFields.has(field);

const seconds: ReadonlySet<string> = new Set(['bettingTime', 'pause', 'interruption']);
const amounts: ReadonlySet<string> = new Set(['totalMinimum']);
const texts: ReadonlySet<string> = new Set(['game', 'burn']);

const plainMoney = (cents: number): string => (cents / 100).toFixed(2);

/** Value as typed: amounts in currency units, times in seconds, the short grace period in milliseconds. */
export function fieldText(setting: TableSettings, field: string): string {
  const [name, wager, end] = field.split('.');
  if (name === 'limits') return plainMoney(setting.limits[wager!]?.[Number(end)] ?? 0);
  if (name === 'offered') return setting.offered.includes(wager!) ? 'yes' : '';
  const value = setting[name as PlainField];
  if (amounts.has(field)) return plainMoney(Number(value));
  return seconds.has(field) ? String(Number(value) / 1000) : String(value);
}

/** Undefined when the text is not a valid value. */
function valueOf(field: string, text: string): number | string | undefined {
  if (texts.has(field)) return text;
  if (amounts.has(field) || field.startsWith('limits.')) return moneyOf(text.replaceAll(',', ''));
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number) || number < 0) return undefined;
  const value = seconds.has(field) ? Math.round(number * 1000) : number;
  return Number.isInteger(value) ? value : undefined;
}

/** Fields that differ from the settings in use. */
export const changedIn = (setting: TableSettings, draft: SettingsDraft): readonly string[] =>
  Object.keys(draft).filter((field) => {
    const [typed, used] = [draft[field]!, fieldText(setting, field)];
    const [one, other] = [valueOf(field, typed), valueOf(field, used)];
    return field.startsWith('offered.') ? typed !== used : one === undefined || one !== other;
  });

/** Fields without a valid value. */
export const wrongIn = (draft: SettingsDraft): readonly string[] =>
  Object.keys(draft).filter((field) => !field.startsWith('offered.') && valueOf(field, draft[field]!) === undefined);

/** Settings with the draft applied; `wagers` are those of the game. */
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

/** Fields in which two settings differ. */
export function changedFields(before: TableSettings, after: TableSettings): readonly string[] {
  const plain = plainFields.filter((field) => fieldText(before, field) !== fieldText(after, field));
  const wagers = [...new Set([...before.offered, ...after.offered])];
  const offers = wagers.filter((wager) => before.offered.includes(wager) !== after.offered.includes(wager));
  const both = wagers.filter((wager) => before.offered.includes(wager) && after.offered.includes(wager));
  const limits = both.filter((wager) => before.limits[wager]!.join() !== after.limits[wager]!.join());
  return [...plain, ...offers.map((wager) => `offered.${wager}`), ...limits.map((wager) => `limits.${wager}`)];
}
