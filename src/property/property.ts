import { id, reason } from '../base/commonSchemas.ts';
import { findGame, games } from '../games/registry.ts';
import { type TableTheme, themeSchema, defaultTheme } from '../games/tableTheme.ts';
import * as s from '../base/schema.ts';
import { type Shape, type Infer, isObject } from '../base/schema.ts';
import { fullNameOf, wagerIdsOf } from '../rules/game.ts';
import { quoted } from '../base/refusal.ts';
import { type ScanFormat, scanFormat } from '../rules/scanFormat.ts';
import { defaultScanFormat, invalidScanCode } from '../rules/cardScan.ts';
import { type TableSettings, demoProfile, gameByName, limitsRange, settingsShape, parseSettings } from '../table/schema/settings.ts';
import { propertyTimeOf } from '../table/schema/gamingDay.ts';

// A property is a file: who owns it, its time, what it is held to, and its tables. This is what such a file may say; where
// it lies, and how it is written down, is for others.

const waitMs = s.integer('a number of milliseconds, ten minutes at most', 0, 600_000);
/** How long a table without staff waits between its steps. */
const pace = s.object('a pace: betweenRounds and betweenCards, in milliseconds, and a cycle or none', {
  betweenRounds: waitMs,
  betweenCards: waitMs,
  /** Bets open once in a cycle, at one table after another in the order of the file. */
  cycle: s.optional(s.integer('a number of milliseconds, a second to an hour', 1_000, 3_600_000)),
});
type FilePace = Infer<typeof pace>;
const defaultPace: FilePace = { betweenRounds: 3_000, betweenCards: 1_200 };

/** An hour. */
const defaultReminderMs = 3_600_000;

/** Three seconds. */
const defaultLinkTimeMs = 3_000;

/** What patrons are told, in one language. */
const helpText = reason;

const { property, currency, profile: _profile, table, limits: _limits, ...tableSettingsShape } = settingsShape;

/** What is said of a table beside its name. All of it may stand in `usual` instead, for every table that does not say it. */
const tableShape = s.partial({
  ...tableSettingsShape,
  limits: s.record(s.string, limitsRange, '[least, most] in whole minor units by wager; "*" stands for all others'),
  pace,
  look: themeSchema,
});

const propertyShape = {
  owner: s.object('an owner: property and currency', { property, currency }),
  timeZone: s.string,
  dayTurns: s.integer('an hour, 0 to 23', 0, 23),
  profile: s.object('a profile: name, version and approved', { name: id, version: id, approved: s.strings }),
  demo: s.optional(s.object('a demo: credit', { credit: s.integer('a whole number of minor units, one at least', 1) })),
  handPay: s.optional(s.integer('a whole number of minor units, one at least', 1)),
  nameFrom: s.optional(s.integer('a whole number of minor units, one at least', 1)),
  care: s.optional(
    s.object('care for patrons: remindEvery and help', {
      remindEvery: s.optional(s.integer('a number of milliseconds, a minute to a day', 60_000, 86_400_000)),
      help: s.optional(s.object('words of help: en and zh', { en: helpText, zh: helpText })),
    }),
  ),
  linkTime: s.optional(s.integer('a number of milliseconds, half a second to a minute', 500, 60_000)),
  scanner: s.optional(scanFormat),
  usual: s.optional(s.object('what tables have in common', tableShape)),
  tables: s.array(s.object('a table', { table, ...tableShape }), 'a list of tables, one at least', { min: 1 }),
};

/** A property as the file says it. */
const propertyFile = s.object('a property', propertyShape);
type PropertyFile = Infer<typeof propertyFile>;

/** A pace as it is run: the turn of the table is so long after the beginning of each cycle. */
type Pace = Omit<FilePace, 'cycle'> & { readonly turn?: { readonly cycle: number; readonly after: number } };

/** A property as it is run. */
export type Property = {
  readonly owner: PropertyFile['owner'];
  readonly tables: readonly { readonly setting: TableSettings; readonly pace: Pace; readonly look: TableTheme }[];
  /** Of a demo: the credit that each terminal begins with. */
  readonly demo: { readonly credit: number } | null;
  /** Above so much COLLECT waits to be paid by hand; null where there is no limit. */
  readonly handPay: number | null;
  /** From so much on the cage asks for a name; null where it never does. */
  readonly nameFrom: number | null;
  /** How often patrons are reminded of time and money, in milliseconds, and the property's own words of help. */
  readonly care: { readonly remindEvery: number; readonly help: { readonly en: string; readonly zh: string } | null };
  /** So long after the first link broke, broken links of terminals are reported together, in milliseconds. */
  readonly linkTime: number;
  /** What readers of cards say. */
  readonly scanner: ScanFormat;
};

/** Something wrong in the file, with the way to it. */
export type PropertyIssue = { readonly path: readonly (string | number)[]; readonly message: string };

/** The property that a file describes at that time, or all that is wrong with it. */
export function parseProperty(data: unknown, at: number): Property | { readonly mistakes: readonly PropertyIssue[] } {
  const issues = [...fieldIssues(data)];
  if (issues.length > 0) return { mistakes: issues };
  const file = data as PropertyFile;
  const now = propertyTimeOf(at, file.timeZone);
  if (now === undefined) {
    const message = `is ${quoted(file.timeZone)}, which is no time zone; give one such as Asia/Singapore.`;
    return { mistakes: [{ path: ['timeZone'], message }] };
  }
  const tableIssues: NumberedIssue[] = [];
  const tables = file.tables.map((tableEntry, n) =>
    tableOf(tableEntry, file, { at, now, n }, (fail) => tableIssues.push({ ...fail, n })),
  );
  issues.push(...placedIssues(tableIssues, file));
  if (issues.length === 0) issues.push(...unknownLimits(file, tables));
  if (issues.length > 0) return { mistakes: issues };
  const { remindEvery = defaultReminderMs, help = null } = file.care ?? {};
  return {
    owner: file.owner,
    tables: tables.flatMap((tableEntry) => tableEntry ?? []),
    demo: file.demo ?? null,
    handPay: file.handPay ?? null,
    nameFrom: file.nameFrom ?? null,
    care: { remindEvery, help },
    linkTime: file.linkTime ?? defaultLinkTimeMs,
    scanner: file.scanner ?? defaultScanFormat,
  };
}

/** Something wrong with a table, in a field of it or as a whole. */
type TableIssue = { readonly field: string | undefined; readonly message: string };
type NumberedIssue = TableIssue & { readonly n: number };

/** What is usual, and can be used by none of the tables that have it so, is told once where it stands; anything else at its table. */
function* placedIssues(
  tableIssues: readonly NumberedIssue[],
  { usual = {}, tables }: PropertyFile,
): Generator<PropertyIssue> {
  for (const { n, field, message } of tableIssues) {
    const isShared = field !== undefined && Object.hasOwn(usual, field);
    const sharingTables = [...tables.keys()].filter(
      (tableEntry) => isShared && !Object.hasOwn(tables[tableEntry]!, field),
    );
    const hasSameIssue = (tableEntry: number): boolean =>
      tableIssues.some((it) => it.n === tableEntry && it.message === message);
    if (!sharingTables.includes(n) || !sharingTables.every(hasSameIssue)) {
      yield { path: ['tables', n, ...(field === undefined ? [] : [field])], message };
    } else if (sharingTables[0] === n) yield { path: ['usual', field!], message };
  }
}

/** Usual limits are for every game, and each of them for one at least. */
function* unknownLimits(
  { usual }: PropertyFile,
  tables: readonly (Property['tables'][number] | undefined)[],
): Generator<PropertyIssue> {
  const knownWagers = new Set([
    '*',
    ...tables.flatMap((tableEntry) => (tableEntry ? wagerIdsOf(gameByName(tableEntry.setting.game)) : [])),
  ]);
  for (const wager of Object.keys(usual?.limits ?? {})) {
    if (knownWagers.has(wager)) continue;
    yield { path: ['usual', 'limits', wager], message: 'is a wager that no game of the tables has; leave it out.' };
  }
}

/** Field by field, so that all is told at once that can be told of each. */
function* fieldIssues(data: unknown): Generator<PropertyIssue> {
  yield* shapeIssues(data, [], propertyShape, ['usual', 'tables']);
  if (!isObject(data)) return;
  if (data['usual'] !== undefined) yield* shapeIssues(data['usual'], ['usual'], tableShape);
  yield* unknownGameIssues(data['profile']);
  const list = data['tables'];
  if (!Array.isArray(list) || list.length === 0) {
    yield { path: ['tables'], message: `is ${quoted(list)}; give ${propertyShape.tables.expected}.` };
    return;
  }
  for (const [n, tableEntry] of list.entries()) yield* shapeIssues(tableEntry, ['tables', n], { table, ...tableShape });
  const names = list.map((tableEntry: unknown) => (isObject(tableEntry) ? tableEntry['table'] : undefined));
  for (const [n, name] of names.entries()) {
    const first = names.indexOf(name);
    if (name !== undefined && first < n) {
      yield {
        path: ['tables', n, 'table'],
        message: `is ${quoted(name)}, like table ${first + 1}; give it another name.`,
      };
    }
  }
  yield* scanCodeIssues(data['scanner']);
  const isDemo = isObject(data['profile']) && data['profile']['name'] === demoProfile;
  if (isDemo !== (data['demo'] !== undefined)) {
    yield {
      path: ['profile', 'name'],
      message: `and "demo" go together; name the profile "${demoProfile}" with it alone.`,
    };
  }
}

/** A profile approves versions of games that there are. */
function* unknownGameIssues(profile: unknown): Generator<PropertyIssue> {
  const approved = isObject(profile) ? profile['approved'] : undefined;
  if (!Array.isArray(approved)) return;
  for (const [n, name] of approved.entries()) {
    if (typeof name !== 'string' || games.some((game) => fullNameOf(game) === name)) continue;
    yield {
      path: ['profile', 'approved', n],
      message: `is ${quoted(name)}, which is no version of a game; give one such as tiger@2021-10-28.`,
    };
  }
}

/** The codes of a reader name cards that there are. */
function* scanCodeIssues(scanner: unknown): Generator<PropertyIssue> {
  const code = scanFormat.check(scanner) ? undefined : invalidScanCode(scanner as ScanFormat);
  if (code === undefined) return;
  yield { path: ['scanner', 'cards', code], message: 'is no card; give one such as KS, or L3 of the other deck.' };
}

/** What is wrong with the fields of a value, but for those that are looked at by themselves. */
function* shapeIssues(
  value: unknown,
  path: PropertyIssue['path'],
  fields: Shape,
  except: readonly string[] = [],
): Generator<PropertyIssue> {
  if (!isObject(value)) {
    yield { path, message: `is ${quoted(value)}; give an object with ${Object.keys(fields).join(', ')}.` };
    return;
  }
  for (const field of Object.keys(value)) {
    if (Object.hasOwn(fields, field)) continue;
    yield { path: [...path, field], message: `is not known here; use ${Object.keys(fields).join(', ')}.` };
  }
  for (const [field, schema] of Object.entries(fields)) {
    const issue = except.includes(field) ? undefined : schema.check(value[field]);
    if (issue) {
      yield { path: [...path, field, ...issue.path], message: `${issue.problem}; ${issue.remedy}.` };
    }
  }
}

/** One table with what it has in common with the others, as a setting that can be opened. */
function tableOf(
  tableEntry: PropertyFile['tables'][number],
  { owner, timeZone, dayTurns, profile, usual, tables }: PropertyFile,
  { at, now, n }: { readonly at: number; readonly now: string; readonly n: number },
  report: (fail: TableIssue) => void,
): Property['tables'][number] | undefined {
  const { pace: own = defaultPace, look: theme, limits: _both, ...fields } = { ...usual, ...tableEntry };
  const fail = (message: string, field?: string): undefined => report({ field, message }) as undefined;
  for (const field of ['game', 'dealing'] as const) {
    if (fields[field] === undefined)
      return fail(`is missing here and in "usual"; give ${tableShape[field].expected}.`, field);
  }
  /** Turns are for tables without staff alone. */
  const turnsBefore = (end?: number): number =>
    tables.slice(0, end).filter((other) => ({ ...usual, ...other }).attended === false).length;
  const game = findGame(fields.game!, now);
  if ('refused' in game) return fail(`is not right: ${game.message}`, 'game');
  const offered = fields.offered ?? wagerIdsOf(game);
  const limits = limitsOf(offered, usual?.limits ?? {}, tableEntry.limits ?? {});
  const setting = parseSettings({ ...fields, ...owner, profile: { ...profile, timeZone, dayTurns }, limits }, at);
  if (!('refused' in setting)) {
    return {
      setting,
      pace: setting.attended ? withoutCycle(own) : paceOf(own, turnsBefore(n), turnsBefore()),
      look: theme ?? defaultTheme(game),
    };
  }
  const field = 'field' in setting ? setting.field : fieldByCode[setting.refused];
  return field === undefined
    ? fail(`cannot be opened: ${setting.message}`)
    : fail(`is not right: ${setting.message}`, field);
}

const withoutCycle = ({ betweenRounds, betweenCards }: FilePace): Pace => ({ betweenRounds, betweenCards });

/** The turns of all tables lie evenly in a cycle, in the order of the file. */
const paceOf = ({ cycle, ...waits }: FilePace, n: number, count: number): Pace =>
  cycle === undefined ? waits : { ...waits, turn: { cycle, after: Math.floor((cycle * n) / count) } };

/** The fields that refusals speak of without naming them. */
const fieldByCode: { readonly [code: string]: string } = { 'inexact-step': 'step', 'too-few-behind-cut': 'behind' };

type Limits = TableSettings['limits'];

/** What a table says counts before what is usual; in each of them a wager by its name before all others. */
function limitsOf(offered: readonly string[], usual: Limits, own: Limits): Limits {
  const { '*': others, ...named } = own;
  const expanded = offered.flatMap((wager) => {
    const common = others ?? usual[wager] ?? usual['*'];
    return common === undefined ? [] : [[wager, common] as const];
  });
  return { ...Object.fromEntries(expanded), ...named };
}
