import { propertyTimeOf } from './gamingDay.ts';
import { amount, currencyCode, id } from '../../base/commonSchemas.ts';
import { findGame, isInForce } from '../../games/registry.ts';
import { type Rulebook, rulebookOf } from '../../games/rulebooks.ts';
import * as s from '../../base/schemas.ts';
import { type Infer, parse } from '../../base/schema.ts';
import { type Game, versionedGameId, parseLayout, chipStepOf, wagerIdsOf } from '../../rules/game.ts';
import { hashOf } from '../../base/canonicalJson.ts';
import { isRefused, quoteForMessage } from '../../base/refusal.ts';
import { parseShoeDecks, shoeSizeOf } from '../../rules/shoe.ts';
import { idListSchema, durationMsSchema } from './fieldTypes.ts';
import { type TableRefusal, refuseAtTable, tableRefusalWithClause } from './refusals.ts';

/** Jurisdiction profile. `approved` lists the game versions that the table may play, such as tiger@2021-10-28. */
const profileSchema = s.object('a profile with name, version, approved, timeZone and dayStartHour', {
  name: id,
  version: id,
  approved: s.strings,
  timeZone: s.string,
  /** Hour of local time at which a new gaming day begins. */
  dayStartHour: s.integer('an hour, 0 to 23', 0, 23),
});
export type JurisdictionProfile = Infer<typeof profileSchema>;

const positiveAmount = s.integer('a whole number of minor units, one at least', 1);
export const wagerLimitsSchema = s.tuple('[minimum, maximum] in whole minor units', amount, amount);

export const settingsShape = {
  property: id,
  table: id,
  currency: currencyCode,
  profile: profileSchema,
  game: s.string,
  decks: s.optional(s.number),
  offered: s.optional(idListSchema),
  step: s.optional(positiveAmount),
  tray: s.optional(
    s.refine(
      s.array(positiveAmount, 'a list of one to ten chip values in minor units, in rising order', { min: 1, max: 10 }),
      'a list of one to ten chip values in minor units, in rising order',
      (chips) => chips.every((chip, n) => n === 0 || chip > chips[n - 1]!),
    ),
  ),
  limits: s.record(s.string, wagerLimitsSchema, '[minimum, maximum] in whole minor units for each wager'),
  totalMinimum: s.optional(positiveAmount),
  bettingTime: s.optional(durationMsSchema),
  grace: s.optional(durationMsSchema),
  pause: s.optional(durationMsSchema),
  interruption: s.optional(durationMsSchema),
  roundsAfterCut: s.optional(s.literals([0, 1])),
  behind: s.optional(s.nonNegativeInteger),
  burn: s.optional(s.literals(['none', 'first-card'])),
  dealing: s.literals(['virtual', 'scanned', 'keyed']),
  bets: s.optional(s.literals(['terminals', 'chips'])),
  attended: s.optional(s.boolean),
  chunk: s.optional(s.integer('a number of slips that are posted together, 1 to 100,000', 1, 100_000)),
};

export const settingsInputSchema = s.named('settings-input', s.object('table settings', settingsShape));
/** Table settings as the sender gives them; absent fields get their default. */
export type TableSettingsInput = Infer<typeof settingsInputSchema>;

export const settingsSchema = s.named('settings', s.object('complete table settings', s.required(settingsShape)));
export type TableSettings = Infer<typeof settingsSchema>;

/** The game that the settings name, with its rulebook and its hash. */
export type ResolvedGame = {
  readonly game: Game;
  readonly book: Rulebook;
  readonly gameHash: string;
  /** Number of cards in the shoe. */
  readonly size: number;
};

/** Profile name of a demo property. A demo is played without money. */
export const demoProfileName = 'demo';
export const isDemo = ({ profile: { name } }: Pick<TableSettings, 'profile'>): boolean => name === demoProfileName;

const resolvedBySettings = new WeakMap<TableSettings, ResolvedGame>();

const hashByGame = new WeakMap<Game, string>();

/** Content hash of a game. Memoized, because a game is a constant of some kilobytes. */
function gameHashOf(game: Game): string {
  let hash = hashByGame.get(game);
  if (hash === undefined) hashByGame.set(game, (hash = hashOf(game)));
  return hash;
}

/** Looks up the game and rulebook of complete settings; memoized per settings object. */
export function gameAndRulebookOf(setting: TableSettings): ResolvedGame {
  let resolved = resolvedBySettings.get(setting);
  if (resolved === undefined) {
    const game = gameByName(setting.game);
    const size = shoeSizeOf({ deck: game.deck, decks: setting.decks });
    resolvedBySettings.set(setting, (resolved = { game, book: rulebookOf(game), gameHash: gameHashOf(game), size }));
  }
  return resolved;
}

const badSetting = (field: string, message: string): TableRefusal =>
  refuseAtTable('bad-settings', 'HOUSE 10', `The table setting "${field}" ${message}`, { field });

/** Checks table settings and fills in the defaults. The time `at` decides which game versions are in force. */
export function parseSettings(raw: { readonly [field: string]: unknown }, at: number): TableSettings | TableRefusal {
  const fields = parse(raw, settingsInputSchema, 'settings');
  if (isRefused(fields)) return tableRefusalWithClause(fields);
  const { profile } = fields;
  const now = propertyTimeOf(at, profile.timeZone);
  if (now === undefined)
    return badSetting(
      'profile',
      `names the unknown time zone ${quoteForMessage(profile.timeZone)}; use one such as Asia/Singapore.`,
    );

  const game = findGame(fields.game, now);
  if (isRefused(game)) return tableRefusalWithClause(game);
  const book = rulebookOf(game);
  if (!profile.approved.includes(versionedGameId(game))) {
    const listed = profile.approved.join(', ') || 'none';
    return refuseAtTable(
      'game-not-approved',
      null,
      `The profile ${profile.name} does not approve ${versionedGameId(game)}; use a game that it approves: ${listed}.`,
    );
  }
  if (!isInForce(game, now)) {
    return tableRefusalWithClause({
      refused: 'game-not-in-force',
      message: `${versionedGameId(game)} is in force from ${game.effective}, and it is ${now} at the property; use a version in force.`,
    });
  }
  const shoe = parseShoeDecks(game.deck, fields.decks);
  if (isRefused(shoe)) return tableRefusalWithClause(shoe);
  const offered = parseLayout(game, fields.offered ?? wagerIdsOf(game));
  if (isRefused(offered)) return tableRefusalWithClause(offered);

  const exactStep = chipStepOf(game);
  const step = fields.step ?? defaultStep;
  if (step % exactStep !== 0) {
    return refuseAtTable(
      'inexact-step',
      'HOUSE 10',
      `With a chip step of ${step} a payout could be a fraction of a minor unit; use a multiple of ${exactStep}.`,
      { step: exactStep },
    );
  }
  const setting: TableSettings = {
    ...fields,
    game: versionedGameId(game),
    decks: shoe.decks,
    offered,
    step,
    tray: fields.tray ?? [1, 5, 25, 100, 500].map((chips) => chips * step),
    totalMinimum: fields.totalMinimum ?? step,
    bettingTime: fields.bettingTime ?? 20_000,
    grace: fields.grace ?? 500,
    pause: fields.pause ?? 2_000,
    interruption: fields.interruption ?? 10_000,
    roundsAfterCut: fields.roundsAfterCut ?? 0,
    behind: fields.behind ?? 14,
    burn: fields.burn ?? 'none',
    bets: fields.bets ?? 'terminals',
    attended: fields.attended ?? true,
    chunk: fields.chunk ?? 1_000,
  };
  return settingsRefusal(setting, game, book, shoeSizeOf(shoe)) ?? setting;
}

const defaultStep = 100;

const maxCardsInRound = 6;
/** Largest burn at the start of a shoe: the card turned, and ten more if it is a ten or picture card. */
const maxCardsBurned = 11;

/**
 * Minimum number of cards behind the cutting card: enough for the round in which the cutting card comes out and for the
 * rounds that follow. [READING 23]
 */
export const minCardsBehindCut = ({ roundsAfterCut }: Pick<TableSettings, 'roundsAfterCut'>): number =>
  maxCardsInRound * (1 + roundsAfterCut);

/** Refusal for fields that contradict each other or the game; undefined if no field does. */
function settingsRefusal(setting: TableSettings, game: Game, book: Rulebook, size: number): TableRefusal | undefined {
  const { offered, step, tray, limits, totalMinimum, behind, burn, dealing, bets, attended } = setting;
  const offStep = tray.find((chip) => chip % step !== 0);
  if (offStep !== undefined)
    return badSetting('tray', `has a chip of ${offStep}, which is not a multiple of the step ${step}; remove it.`);
  const unknownWager = Object.keys(limits).find((wager) => !offered.includes(wager));
  if (unknownWager !== undefined)
    return badSetting('limits', `names ${quoteForMessage(unknownWager)}, which this table does not offer; remove it.`);
  for (const wager of offered) {
    if (!Object.hasOwn(limits, wager))
      return badSetting('limits', `has no entry for ${wager}; give its minimum and maximum.`);
    const [min, max] = limits[wager]!;
    if (min < 1 || min > max || min % step !== 0 || max % step !== 0) {
      return badSetting(
        'limits',
        `gives ${wager} ${min} to ${max}; give two multiples of the step ${step}, the smaller first.`,
      );
    }
    if (max * maxReturnRatio(game, wager) > maxPayable) {
      return badSetting(
        'limits',
        `gives ${wager} a maximum of ${max}, which could not be paid exactly; give a smaller one.`,
      );
    }
  }
  if (totalMinimum % step !== 0)
    return badSetting('totalMinimum', `is ${totalMinimum}; give a multiple of the step ${step}.`);
  const sumOfMaxima = offered.reduce((sum, wager) => sum + limits[wager]![1], 0);
  if (totalMinimum > sumOfMaxima)
    return badSetting(
      'totalMinimum',
      `is ${totalMinimum}, but all maximums together are ${sumOfMaxima}; give at most ${sumOfMaxima}.`,
    );
  const min = minCardsBehindCut(setting);
  if (behind < min) {
    return refuseAtTable(
      'too-few-behind-cut',
      book.clauses.cut,
      `Too few cards are behind the cutting card (${behind}); leave at least ${min}.`,
      { minimum: min },
    );
  }
  const max = size - maxCardsInRound - (burn === 'none' ? 0 : maxCardsBurned);
  if (behind > max)
    return badSetting('behind', `is ${behind}, which leaves no round before the cutting card; give at most ${max}.`);
  if (bets === 'chips' && !book.felt) {
    return badSetting('bets', `is "chips", but the rulebook ${book.id} has no bets on the felt; use "terminals".`);
  }
  if (!attended && (dealing !== 'virtual' || bets !== 'terminals')) {
    return badSetting('attended', 'is false; an unattended table needs a virtual shoe and terminals.');
  }
  return undefined;
}

/**
 * Largest amount that one stake may return, in minor units. The limit is such that the sum of 100,000 of these amounts
 * is still exact.
 */
const maxPayable = Math.floor(Number.MAX_SAFE_INTEGER / 100_000);

/** Upper bound of what a stake returns, as a multiple of the stake. The factor 20 is a margin for commission. */
const maxReturnRatio = (game: Game, wager: string): number =>
  Math.max(2, ...game.wagers[wager]!.lines.map(({ pays }) => (pays === 'push' ? 1 : (pays[0] * 20) / pays[1] + 1)));

const gamesByName = new Map<string, Game>();

/** Memoized look-up of a game by name and version, such as tiger@2021-10-28. The game must exist. */
export function gameByName(name: string): Game {
  let game = gamesByName.get(name);
  if (game === undefined) gamesByName.set(name, (game = findGame(name, '') as Game));
  return game;
}
