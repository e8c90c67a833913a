import * as s from '../../base/schemas.ts';
import { type Infer } from '../../base/schema.ts';
import { amount } from '../../base/commonSchemas.ts';
import { slots } from '../../rules/play.ts';
import { cardCountsSchema, cardListSchema, cardSchema, wagerResultsSchema } from '../../table/schema/fieldTypes.ts';
import { winnerSchema } from '../tableView.ts';

// What an open proposal would do, as data. The second person signs this data. The texts for it are in the screens.

export type { ProposableCommandName } from '../../table/decide/proposals.ts';
export type { SettingField } from '../../table/views/settingsDifferences.ts';

const count = s.nonNegativeInteger;
const slot = s.literals(slots);
const noFields = { fields: {} };
const countedShoe = {
  shoe: s.string,
  expected: count,
  seen: count,
  extra: cardCountsSchema,
  missing: cardCountsSchema,
};
const shortfall = { fields: { terminal: s.string, round: s.string, amount, left: amount } };

const changeSchema = s.taggedUnion(
  'type',
  'a change',
  s.variantSchemas(
    'type',
    'the change',
    {
      'settings-change': noFields,
      'table-close': noFields,
      'table-reopen': noFields,
      'order-restore': noFields,
      'shoe-ready': noFields,
      /** A card that left the shoe face down is dealt next. */
      'card-carry': noFields,
      'cut-correct': { fields: { shoe: s.string, was: count, behind: count } },
      'shoe-end': { fields: { ...countedShoe, isUnopened: s.boolean } },
      'shoe-seal': { fields: { shoe: s.string, seal: s.string, to: s.nullable(s.string) } },
      'shoe-count': { fields: { ...countedShoe, seal: s.string } },
      'shoe-lock': { fields: { shoe: s.string, by: s.string } },
      'round-void': noFields,
      'round-replay': noFields,
      'slip-void': { fields: { terminal: s.string } },
      'round-resume': { fields: { won: s.strings, lost: s.strings } },
      'card-enter': { fields: { slot, card: cardSchema } },
      'card-correct': { fields: { place: count, slot, was: cardSchema, card: cardSchema } },
      'card-burn': { fields: { card: cardSchema } },
      'report-dismiss': { fields: { kind: s.string } },
      irregularity: { fields: { kind: s.string, stops: s.boolean, by: s.string } },
      'felt-confirm': { fields: { count } },
      'referral-decide': {
        fields: { decision: s.string, terminal: s.nullable(s.string), round: s.nullable(s.string) },
      },
      refer: { fields: { by: s.string, decision: s.nullable(s.string) } },
      'shortfall-collect': shortfall,
      'shortfall-write-off': shortfall,
    },
    {},
  ),
);
export type ProposalChange = Infer<typeof changeSchema>;

const settingValueSchema = s.nullable(
  s.union(
    'a value of a setting',
    s.string,
    s.number,
    s.boolean,
    s.array(s.union('a part', s.string, s.number), 'parts'),
  ),
);
const settingsDifferenceSchema = s.object('a setting that differs', {
  field: s.string,
  wager: s.nullable(s.string),
  /** Value of the setting; null if there is none, as for the limits of a wager that is not offered. */
  before: settingValueSchema,
  after: settingValueSchema,
});
export type SettingsDifference = Infer<typeof settingsDifferenceSchema>;

const totals = { player: count, banker: count };
const outcomeSchema = s.taggedUnion(
  'type',
  'an outcome',
  s.variantSchemas(
    'type',
    'the outcome',
    { void: noFields, due: { fields: { slot, ...totals } }, result: { fields: { winner: winnerSchema, ...totals } } },
    {},
  ),
);
export type CardsOutcome = Infer<typeof outcomeSchema>;

const placedCards = s.array(s.object('a card in its slot', { card: cardSchema, slot }), 'cards in their slots');

const roundSchema = s.object('a round before and after', {
  id: s.string,
  number: count,
  /**
   * Cards of the round; null if the proposal does not change them. Burned cards do not belong to the round and are in
   * `burned`.
   */
  cards: s.nullable(
    s.object('cards before and after', { before: placedCards, after: placedCards, burned: cardListSchema }),
  ),
  before: outcomeSchema,
  after: outcomeSchema,
  /**
   * When the round would be settled. `now`: with the approval. `later`: after the pause in which a mistake can be
   * reported. Null if there is no result to settle.
   */
  settled: s.nullable(s.literals(['now', 'later'])),
  results: s.object('results by wager', {
    before: s.nullable(wagerResultsSchema),
    after: s.nullable(wagerResultsSchema),
  }),
});
export type RoundEffect = Infer<typeof roundSchema>;

const moneySchema = s.object('amounts of a round', {
  /** Number of credit sessions with stakes in the round. The amounts below are sums over all these sessions. */
  count,
  staked: amount,
  paid: s.nullable(amount),
  due: s.nullable(amount),
  takenBack: amount,
  paidMore: amount,
  /**
   * Amount that was paid for the round and is no longer in the credit of its session. `collected` and `short` may still
   * change before the approval.
   */
  collected: amount,
  short: amount,
  /** Amounts by credit session. A dealer's view has only the sessions whose paid money would change. */
  rows: s.array(
    s.object('amounts of a credit session', {
      terminal: s.string,
      staked: amount,
      paid: s.nullable(amount),
      due: s.nullable(amount),
      credit: s.nullable(amount),
      isOpen: s.boolean,
      collected: s.nullable(amount),
      short: s.nullable(amount),
    }),
    'amounts by credit session',
  ),
});
export type MoneyEffect = Infer<typeof moneySchema>;

export const proposalEffectsSchema = s.object('the effects of a proposal', {
  command: s.string,
  /** Error code with which the approval would be refused now; null if the approval is possible. */
  not: s.nullable(s.string),
  by: s.nullable(s.string),
  changes: s.array(changeSchema, 'changes'),
  settings: s.array(settingsDifferenceSchema, 'settings that differ'),
  /** The prepared shoe that the approval would declare ready. */
  shoe: s.nullable(
    s.object('a prepared shoe', {
      id: s.string,
      size: count,
      seal: s.nullable(s.string),
      decks: s.nullable(count),
      backs: s.nullable(s.string),
      inspected: s.nullable(s.boolean),
      counted: s.boolean,
      /** How the shoe was shuffled; null if no shuffle is on record. */
      shuffle: s.nullable(s.string),
      behind: s.nullable(count),
    }),
  ),
  round: s.nullable(roundSchema),
  money: s.nullable(moneySchema),
});
export type ProposalEffects = Infer<typeof proposalEffectsSchema>;
