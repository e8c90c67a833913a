import { id, reason } from '../base/commonSchemas.ts';
import { findGame, games } from '../games/registry.ts';
import { type TableTheme, themeSchema, defaultThemeOf } from '../games/tableTheme.ts';
import * as s from '../base/schemas.ts';
import { type Shape, type Infer, isObject } from '../base/schema.ts';
import { versionedGameId, wagerIdsOf } from '../rules/game.ts';
import { quoteForMessage } from '../base/refusal.ts';
import { type ScanFormat, scanFormatSchema } from '../rules/scanFormat.ts';
import { defaultScanFormat, findInvalidScanCode } from '../rules/cardScan.ts';
import {
  type TableSettings,
  demoProfileName,
  gameByName,
  wagerLimitsSchema,
  settingsShape,
  parseSettings,
} from '../table/schema/settings.ts';
import { propertyTimeOf } from '../table/schema/gamingDay.ts';

// Schema of the property file: owner, time zone, profile and tables. Other folders load and save the file.

const waitMs = s.integer('a number of milliseconds, at most ten minutes', 0, 600_000);
/** Pace of an unattended table: how long it waits between its steps, in milliseconds. */
const pace = s.object('a pace in milliseconds: betweenRounds, betweenCards and optionally cycle', {
  betweenRounds: waitMs,
  betweenCards: waitMs,
  /**
   * Length of a cycle in milliseconds. Each unattended table opens bets at its own time within the cycle, in the order
   * of the file.
   */
  cycle: s.optional(s.integer('a number of milliseconds, from a second to an hour', 1_000, 3_600_000)),
});
type FilePace = Infer<typeof pace>;
const defaultPace: FilePace = { betweenRounds: 3_000, betweenCards: 1_200 };

/** Default interval between two reality checks: one hour. */
const defaultRealityCheckMs = 3_600_000;

/** Default time for which disconnects are collected before they are reported: three seconds. */
const defaultDisconnectDelayMs = 3_000;

/** Schema of a help text for patrons in one language. */
const helpText = reason;

const { property, currency, profile: _profile, table, limits: _limits, ...tableSettingsShape } = settingsShape;

/** Fields of a table other than its name. A field in `defaults` holds for all tables that do not set that field. */
const tableShape = s.partial({
  ...tableSettingsShape,
  limits: s.record(
    s.string,
    wagerLimitsSchema,
    '[minimum, maximum] in whole cents for each wager; "*" stands for all others',
  ),
  pace,
  theme: themeSchema,
});

const propertyShape = {
  owner: s.object('an owner: property and currency', { property, currency }),
  timeZone: s.string,
  dayStartHour: s.integer('an hour from 0 to 23', 0, 23),
  profile: s.object('a profile: name, version and approved', { name: id, version: id, approved: s.strings }),
  demo: s.optional(s.object('demo settings: credit', { credit: s.integer('a whole number of cents, at least 1', 1) })),
  handPay: s.optional(s.integer('a whole number of cents, at least 1', 1)),
  nameFrom: s.optional(s.integer('a whole number of cents, at least 1', 1)),
  responsibleGaming: s.optional(
    s.object('responsible gaming: realityCheckMs and help', {
      realityCheckMs: s.optional(s.integer('a number of milliseconds, from a minute to a day', 60_000, 86_400_000)),
      help: s.optional(s.object('help texts: en and zh', { en: helpText, zh: helpText })),
    }),
  ),
  disconnectDelay: s.optional(s.integer('a number of milliseconds, from half a second to a minute', 500, 60_000)),
  scanner: s.optional(scanFormatSchema),
  defaults: s.optional(s.object('the values that tables share', tableShape)),
  tables: s.array(s.object('a table', { table, ...tableShape }), 'a list of at least one table', { min: 1 }),
};

const propertyFile = s.object('a property', propertyShape);
type PropertyFile = Infer<typeof propertyFile>;

/** Pace of one table in milliseconds. `turn`: the table opens bets `after` milliseconds into each cycle. */
type Pace = Omit<FilePace, 'cycle'> & { readonly turn?: { readonly cycle: number; readonly after: number } };

export type Property = {
  readonly owner: PropertyFile['owner'];
  readonly tables: readonly { readonly settings: TableSettings; readonly pace: Pace; readonly theme: TableTheme }[];
  /** `credit` is the starting credit of each terminal in cents. Null unless the property is a demo. */
  readonly demo: { readonly credit: number } | null;
  /** Amount in cents above which a collect becomes a hand-pay; null without a limit. */
  readonly handPay: number | null;
  /** Amount in cents from which the cage must ask for the patron's name; null if the cage need not ask. */
  readonly nameFrom: number | null;
  /**
   * Responsible gaming: the interval of the reality check in milliseconds. `help` is the property's own help text,
   * null without one.
   */
  readonly responsibleGaming: {
    readonly realityCheckMs: number;
    readonly help: { readonly en: string; readonly zh: string } | null;
  };
  /** How long disconnects of terminals are collected before they are reported together, in milliseconds. */
  readonly disconnectDelay: number;
  readonly scanner: ScanFormat;
};

/** One mistake in the property file, with the path of its field. */
export type PropertyIssue = { readonly path: readonly (string | number)[]; readonly message: string };

/**
 * Parses a property file as of the time `at`. It checks the fields, then the time zone, then the tables. If a step
 * finds mistakes, these are returned and the later steps are skipped.
 */
export function parseProperty(data: unknown, at: number): Property | { readonly mistakes: readonly PropertyIssue[] } {
  const issues = [...fieldIssues(data)];
  if (issues.length > 0) return { mistakes: issues };
  const file = data as PropertyFile;
  const now = propertyTimeOf(at, file.timeZone);
  if (now === undefined) {
    const message = `is ${quoteForMessage(file.timeZone)}, which is not a time zone; give one such as Asia/Singapore.`;
    return { mistakes: [{ path: ['timeZone'], message }] };
  }
  const tableIssues: NumberedIssue[] = [];
  const tables = file.tables.map((tableEntry, n) =>
    tableOf(tableEntry, file, { at, now, n }, (fail) => tableIssues.push({ ...fail, n })),
  );
  issues.push(...placedIssues(tableIssues, file));
  if (issues.length === 0) issues.push(...unknownLimits(file, tables));
  if (issues.length > 0) return { mistakes: issues };
  const { realityCheckMs = defaultRealityCheckMs, help = null } = file.responsibleGaming ?? {};
  return {
    owner: file.owner,
    tables: tables.flatMap((tableEntry) => tableEntry ?? []),
    demo: file.demo ?? null,
    handPay: file.handPay ?? null,
    nameFrom: file.nameFrom ?? null,
    responsibleGaming: { realityCheckMs, help },
    disconnectDelay: file.disconnectDelay ?? defaultDisconnectDelayMs,
    scanner: file.scanner ?? defaultScanFormat,
  };
}

/** A mistake in a table. `field` is undefined if the mistake is in no single field. */
type TableIssue = { readonly field: string | undefined; readonly message: string };
type NumberedIssue = TableIssue & { readonly n: number };

/**
 * Gives each mistake its path. If all tables that take over a field of `defaults` have the same mistake in this field,
 * the mistake is reported once, under `defaults`. Any other mistake is reported at its table.
 */
function* placedIssues(
  tableIssues: readonly NumberedIssue[],
  { defaults = {}, tables }: PropertyFile,
): Generator<PropertyIssue> {
  for (const { n, field, message } of tableIssues) {
    const isShared = field !== undefined && Object.hasOwn(defaults, field);
    const sharingTables = [...tables.keys()].filter(
      (tableEntry) => isShared && !Object.hasOwn(tables[tableEntry]!, field),
    );
    const hasSameIssue = (tableEntry: number): boolean =>
      tableIssues.some((it) => it.n === tableEntry && it.message === message);
    if (!sharingTables.includes(n) || !sharingTables.every(hasSameIssue)) {
      yield { path: ['tables', n, ...(field === undefined ? [] : [field])], message };
    } else if (sharingTables[0] === n) yield { path: ['defaults', field!], message };
  }
}

/** Reports limits in `defaults` for wagers that no game of the tables has. */
function* unknownLimits(
  { defaults }: PropertyFile,
  tables: readonly (Property['tables'][number] | undefined)[],
): Generator<PropertyIssue> {
  const knownWagers = new Set([
    '*',
    ...tables.flatMap((tableEntry) => (tableEntry ? wagerIdsOf(gameByName(tableEntry.settings.game)) : [])),
  ]);
  for (const wager of Object.keys(defaults?.limits ?? {})) {
    if (knownWagers.has(wager)) continue;
    yield { path: ['defaults', 'limits', wager], message: 'is not a wager of any table; remove it.' };
  }
}

/** Checks the file field by field, so that mistakes of several fields are reported at once. */
function* fieldIssues(data: unknown): Generator<PropertyIssue> {
  yield* shapeIssues(data, [], propertyShape, ['defaults', 'tables']);
  if (!isObject(data)) return;
  if (data['defaults'] !== undefined) yield* shapeIssues(data['defaults'], ['defaults'], tableShape);
  yield* unknownGameIssues(data['profile']);
  const list = data['tables'];
  if (!Array.isArray(list) || list.length === 0) {
    yield { path: ['tables'], message: `is ${quoteForMessage(list)}; give ${propertyShape.tables.expected}.` };
    return;
  }
  for (const [n, tableEntry] of list.entries()) yield* shapeIssues(tableEntry, ['tables', n], { table, ...tableShape });
  const names = list.map((tableEntry: unknown) => (isObject(tableEntry) ? tableEntry['table'] : undefined));
  for (const [n, name] of names.entries()) {
    const first = names.indexOf(name);
    if (name !== undefined && first < n) {
      yield {
        path: ['tables', n, 'table'],
        message: `is ${quoteForMessage(name)}, which is also the name of table ${first + 1}; give one of them another name.`,
      };
    }
  }
  yield* scanCodeIssues(data['scanner']);
  const isDemo = isObject(data['profile']) && data['profile']['name'] === demoProfileName;
  if (isDemo !== (data['demo'] !== undefined)) {
    yield {
      path: ['profile', 'name'],
      message: isDemo
        ? `is "${demoProfileName}", but the field "demo" is missing; give "demo", or another name.`
        : `must be "${demoProfileName}", since the field "demo" is given; change the name, or remove "demo".`,
    };
  }
}

/** Reports approved games that do not exist. */
function* unknownGameIssues(profile: unknown): Generator<PropertyIssue> {
  const approved = isObject(profile) ? profile['approved'] : undefined;
  if (!Array.isArray(approved)) return;
  for (const [n, name] of approved.entries()) {
    if (typeof name !== 'string' || games.some((game) => versionedGameId(game) === name)) continue;
    yield {
      path: ['profile', 'approved', n],
      message: `is ${quoteForMessage(name)}, which is not a game version; give one such as tiger@2021-10-28.`,
    };
  }
}

/** Reports a scan code that maps to no card. */
function* scanCodeIssues(scanner: unknown): Generator<PropertyIssue> {
  const code = scanFormatSchema.check(scanner) ? undefined : findInvalidScanCode(scanner as ScanFormat);
  if (code === undefined) return;
  yield {
    path: ['scanner', 'cards', code],
    message: 'is not a card; give one such as KS, or L3 of the Elements deck.',
  };
}

/** Checks each field of an object against its schema, except the fields in `except`. */
function* shapeIssues(
  value: unknown,
  path: PropertyIssue['path'],
  fields: Shape,
  except: readonly string[] = [],
): Generator<PropertyIssue> {
  if (!isObject(value)) {
    yield { path, message: `is ${quoteForMessage(value)}; give an object with ${Object.keys(fields).join(', ')}.` };
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

/**
 * Settings, pace and theme of one table, from its own fields, `defaults` and the values of the property. If there is a
 * mistake, it is passed to `report` and the result is undefined.
 */
function tableOf(
  tableEntry: PropertyFile['tables'][number],
  { owner, timeZone, dayStartHour, profile, defaults, tables }: PropertyFile,
  { at, now, n }: { readonly at: number; readonly now: string; readonly n: number },
  report: (fail: TableIssue) => void,
): Property['tables'][number] | undefined {
  const { pace: own = defaultPace, theme, limits: _both, ...fields } = { ...defaults, ...tableEntry };
  const fail = (message: string, field?: string): undefined => report({ field, message }) as undefined;
  for (const field of ['game', 'dealing'] as const) {
    if (fields[field] === undefined)
      return fail(`is missing here and in "defaults"; give ${tableShape[field].expected}.`, field);
  }
  /**
   * Number of unattended tables before index `end`, or in the whole file without `end`. Only unattended tables take
   * turns in a cycle.
   */
  const turnsBefore = (end?: number): number =>
    tables.slice(0, end).filter((other) => ({ ...defaults, ...other }).attended === false).length;
  const game = findGame(fields.game!, now);
  if ('refused' in game) return fail(`is not valid: ${game.message}`, 'game');
  const offered = fields.offered ?? wagerIdsOf(game);
  const limits = limitsOf(offered, defaults?.limits ?? {}, tableEntry.limits ?? {});
  const settings = parseSettings({ ...fields, ...owner, profile: { ...profile, timeZone, dayStartHour }, limits }, at);
  if (!('refused' in settings)) {
    return {
      settings,
      pace: settings.attended ? withoutCycle(own) : paceOf(own, turnsBefore(n), turnsBefore()),
      theme: theme ?? defaultThemeOf(game),
    };
  }
  const field = 'field' in settings ? settings.field : fieldByCode[settings.refused];
  return field === undefined
    ? fail(`cannot be opened: ${settings.message}`)
    : fail(`is not valid: ${settings.message}`, field);
}

const withoutCycle = ({ betweenRounds, betweenCards }: FilePace): Pace => ({ betweenRounds, betweenCards });

/**
 * The pace of unattended table `n` of `count`. Tables open their bets one after another, evenly spread over the cycle,
 * in the order of the property file.
 */
const paceOf = ({ cycle, ...waits }: FilePace, n: number, count: number): Pace =>
  cycle === undefined ? waits : { ...waits, turn: { cycle, after: Math.floor((cycle * n) / count) } };

/** Field of the property file by error code, for refusals of the settings that do not name a field. */
const fieldByCode: { readonly [code: string]: string } = { 'inexact-step': 'step', 'too-few-behind-cut': 'behind' };

type Limits = TableSettings['limits'];

/**
 * The limits of each offered wager. The first of these counts: the table's limit for the wager, the table's "*", the
 * limit for the wager in `defaults`, "*" in `defaults`.
 */
function limitsOf(offered: readonly string[], defaults: Limits, own: Limits): Limits {
  const { '*': others, ...named } = own;
  const expanded = offered.flatMap((wager) => {
    const common = others ?? defaults[wager] ?? defaults['*'];
    return common === undefined ? [] : [[wager, common] as const];
  });
  return { ...Object.fromEntries(expanded), ...named };
}
