import { type ComponentChildren } from 'preact';
import { formatMoney } from '../../../../base/formatMoney.ts';
import {
  type CardsOutcome,
  type MoneyEffect,
  type ProposalEffects,
  type RoundEffect,
  type SettingsDifference,
} from '../../../../wire/staff/proposalEffects.ts';
import { language } from '../../../shared/text/language.ts';
import { voidReasonText, wagerName } from '../../../shared/text/gameNames.ts';
import { gameByVersionedId } from '../../../shared/text/oddsText.ts';
import { promptText } from '../text/promptText.ts';
import { proposalStrings, proposalChangeText } from '../text/proposalStrings.ts';
import { staffRefusalText } from '../text/refusalText.ts';
import { kitStrings } from '../text/strings.ts';
import { CardText, SmallCard } from './card.tsx';
import { ClauseTag } from './clauseTag.tsx';
import { HandOrTieSign } from './handOrTieSign.tsx';

type Props = {
  readonly effects: ProposalEffects;
  /** Game of the table, such as tiger@2021-10-28, for the names of wagers. */
  readonly game: string;
  readonly reason: string | null;
  /** False on a page that already shows the amounts of each credit session in a ruling matrix. */
  readonly hasAmounts?: boolean;
};

/** Effects of an open proposal. The server computes the effects, so that all screens show the same. */
export function ProposalEffectsView({ effects, game, reason, hasAmounts = true }: Props) {
  const t = proposalStrings();
  const { not, by, changes, settings, shoe, round, money } = effects;
  return (
    <div class="effects" data-testid="effects">
      {not !== null && <p class="short">{staffRefusalText(not, kitStrings().second.over)}</p>}
      <ul class="changes">
        {changes.map((change) => (
          <li key={JSON.stringify(change)}>
            {'card' in change && <CardText card={change.card} />} {proposalChangeText(change, language.value)}
          </li>
        ))}
        {reason !== null && reason !== '' && (
          <li class="q">
            {t.reason}: {voidReasonText(reason)} <ClauseTag by={by} />
          </li>
        )}
      </ul>
      {round !== null && <RoundComparison round={round} game={game} />}
      {shoe !== null && <ShoePreparationRecord shoe={shoe} />}
      {settings.length > 0 && <SettingsDifferencesTable settings={settings} game={game} />}
      {money !== null && <Amounts money={money} hasRows={hasAmounts} />}
    </div>
  );
}

/** Cards, result and wagers of a round, before and after the proposal. */
function RoundComparison({ round, game }: { readonly round: RoundEffect; readonly game: string }) {
  const t = proposalStrings();
  const { id, cards, before, after, settled } = round;
  const strip = (
    list: readonly { readonly card: string; readonly slot: string }[],
    others: readonly { readonly card: string; readonly slot: string }[],
    burned: readonly string[],
  ) => (
    <div class="drawn">
      {list.length === 0 && <span class="q">{t.noCards}</span>}
      {list.map(({ card, slot }, n) => (
        <span key={n} class={others[n]?.card === card ? '' : 'sw'}>
          <SmallCard card={card} />
          <b class="sl">{slot}</b>
        </span>
      ))}
      {burned.map((card, n) => (
        <span key={`burned ${n}`} class="burned" data-testid="burned">
          <SmallCard card={card} />
          <b class="sl">{t.burned}</b>
        </span>
      ))}
    </div>
  );
  return (
    <div class="versions">
      <div data-testid="before">
        <h2>
          {t.ofRound(id)} · {t.cardsBefore}
        </h2>
        {cards !== null && strip(cards.before, cards.before, [])}
        <OutcomeText outcome={before} />
      </div>
      <div data-testid="after">
        <h2>{t.cardsAfter}</h2>
        {cards !== null && strip(cards.after, cards.before, cards.burned)}
        <OutcomeText outcome={after}>
          {settled !== null && <span class="q"> · {settled === 'now' ? t.settledNow : t.settledLater}</span>}
        </OutcomeText>
      </div>
      <WagerChanges round={round} game={game} />
    </div>
  );
}

/** Outcome of the cards of a round, as the server computed it. */
export function OutcomeText({
  outcome,
  children,
}: {
  readonly outcome: CardsOutcome;
  readonly children?: ComponentChildren;
}) {
  const t = proposalStrings();
  if (outcome.type === 'void') {
    return (
      <p>
        {t.voided}
        {children}
      </p>
    );
  }
  const { player, banker } = outcome;
  if (outcome.type === 'due') return <p>{t.due(outcome.slot, player, banker)}</p>;
  const fields = { player: String(player), banker: String(banker) };
  return (
    <p>
      <HandOrTieSign side={outcome.winner}>
        {promptText({ code: `result-${outcome.winner}`, with: fields, by: null })}
      </HandOrTieSign>
      {children}
    </p>
  );
}

const nameOfWager = (wager: string, game: string): string =>
  wagerName(wager, gameByVersionedId(game)?.wagers[wager]?.name ?? wager);

type Result = NonNullable<RoundEffect['results']['after']>[string];

function resultText(result: Result | undefined): string {
  const t = proposalStrings();
  if (result === undefined) return '–';
  if (result.result !== 'win') return t.results[result.result] ?? result.result;
  const { pays, commission } = result;
  const odds = `${pays[0]} : ${pays[1]}`;
  return commission[0] === 0 ? t.pays(odds) : t.less(odds, String((100 * commission[0]) / commission[1]));
}

/** Wagers that win or push, or whose settled result changes. */
function WagerChanges({ round: { results, after }, game }: { readonly round: RoundEffect; readonly game: string }) {
  const t = proposalStrings();
  const { before: old, after: next } = results;
  const rows = Object.keys(next ?? old ?? {}).filter((wager) => {
    const isChanged = old !== null && next !== null && resultText(old[wager]) !== resultText(next[wager]);
    return (
      isChanged || (next !== null && next[wager]!.result !== 'lose') || (old !== null && old[wager]!.result !== 'lose')
    );
  });
  if (rows.length === 0) return null;
  return (
    <table class="g wagers">
      <thead>
        <tr>
          <th>{t.wager}</th>
          {old !== null && <th>{t.before}</th>}
          <th>{t.after}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((wager) => (
          <tr key={wager} data-wager={wager}>
            <td>
              <b>{nameOfWager(wager, game)}</b>
            </td>
            {old !== null && <td class="q">{resultText(old[wager])}</td>}
            <td>{next === null ? (after.type === 'void' ? t.voided : '–') : resultText(next[wager])}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** How a shoe was prepared, as the dealer recorded each step. */
export function ShoePreparationRecord({ shoe }: { readonly shoe: NonNullable<ProposalEffects['shoe']> }) {
  const t = proposalStrings();
  const { id, size, seal, decks, backs, inspected, counted, shuffle, behind } = shoe;
  const rows: readonly (readonly [string, string])[] = [
    [t.shoe.id, id],
    [t.shoe.seal, seal ?? t.notRecorded],
    [t.shoe.size, String(size)],
    [t.shoe.decks, [decks, backs].filter((one) => one !== null).join(', ') || t.notRecorded],
    [t.shoe.inspected, inspected === null ? t.notRecorded : inspected ? t.inOrder : t.faulty],
    [t.shoe.counted, counted ? t.isCounted(size) : t.notRecorded],
    [t.shoe.shuffle, shuffle === null ? t.notRecorded : (t.shuffles[shuffle] ?? shuffle)],
    [t.shoe.behind, behind === null ? t.notRecorded : String(behind)],
  ];
  return (
    <dl class="kv" data-testid="shoe-facts">
      {rows.map(([name, fact]) => [<dt key={name}>{name}</dt>, <dd key={`${name} is`}>{fact}</dd>])}
    </dl>
  );
}

const moneyFields: ReadonlySet<string> = new Set(['limits', 'totalMinimum', 'step', 'tray']);
const timeFields: ReadonlySet<string> = new Set(['bettingTime', 'grace', 'pause', 'interruption']);

/**
 * Value of a setting as text. Times are in seconds with up to three decimals. Amounts are in the currency of the table.
 */
function settingText({ field }: SettingsDifference, value: SettingsDifference['before'], game: string): string {
  const t = proposalStrings();
  if (value === null) return field === 'limits' ? t.notOffered : '–';
  if (field === 'limits') {
    const [min, max] = value as readonly [number, number];
    return t.limits(formatMoney(min), formatMoney(max));
  }
  if (timeFields.has(field)) return t.seconds(String(Number(value) / 1000));
  if (field === 'profile.dayStartHour') return t.hour(String(value));
  const part = (one: string | number | boolean): string =>
    moneyFields.has(field)
      ? formatMoney(Number(one))
      : field === 'offered'
        ? nameOfWager(String(one), game)
        : (t.values[String(one)] ?? String(one));
  return Array.isArray(value) ? value.map(part).join(', ') : part(value as string | number | boolean);
}

/** Game that the proposal would set, such as tiger@2021-10-28; empty if the proposal keeps the game. */
export const gameInSettingsDifferences = (settings: readonly SettingsDifference[]): string =>
  String(settings.find(({ field }) => field === 'game')?.after ?? '');

/**
 * Settings before and after the proposal. With `isOpening` there is only the column after the proposal, since a table
 * that is opened for the first time has no settings before.
 */
export function SettingsDifferencesTable({
  settings,
  game,
  isOpening = false,
}: {
  readonly settings: readonly SettingsDifference[];
  readonly game: string;
  readonly isOpening?: boolean;
}) {
  const t = proposalStrings();
  return (
    <table class="g differences">
      <thead>
        <tr>
          <th>{t.setting}</th>
          {!isOpening && <th>{t.before}</th>}
          <th>{t.after}</th>
        </tr>
      </thead>
      <tbody>
        {settings.map((one) => (
          <tr
            key={`${one.field} ${one.wager}`}
            data-setting={one.wager === null ? one.field : `${one.field}.${one.wager}`}
          >
            <td>
              <b>
                {t.settings[one.field] ?? one.field}
                {one.wager !== null && `: ${nameOfWager(one.wager, game)}`}
              </b>
            </td>
            {!isOpening && <td class="q">{settingText(one, one.before, game)}</td>}
            <td>{settingText(one, one.after, game)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Sums of the money that the proposal moves. With `hasRows` the amounts of each credit session follow. */
function Amounts({ money, hasRows }: { readonly money: MoneyEffect; readonly hasRows: boolean }) {
  const t = proposalStrings();
  const { rows, short, collected } = money;
  const isPaid = money.paid !== null;
  const amountText = (amount: number | null): string => (amount === null ? '–' : formatMoney(amount));
  const names = isPaid
    ? (['staked', 'paid', 'due', 'takenBack', 'paidMore', 'collected', 'short'] as const)
    : (['staked', 'due'] as const);
  return (
    <div class="amounts" data-testid="amounts">
      <dl class="sums">
        {names.map((name) => (
          <div key={name} class={name === 'short' && short > 0 ? 'short' : ''} data-sum={name}>
            <dt>{t.sums[name]}</dt>
            <dd>{amountText(money[name])}</dd>
          </div>
        ))}
      </dl>
      {short > 0 && <p class="short">{t.isShort}</p>}
      {hasRows && rows.length > 0 && (
        <table class="g">
          <thead>
            <tr>
              <th>{t.session}</th>
              <th class="num">{t.sums.staked}</th>
              {isPaid && <th class="num">{t.sums.paid}</th>}
              <th class="num">{t.sums.due}</th>
              {isPaid && <th class="num">{t.credit}</th>}
              {isPaid && <th class="num">{t.sums.collected}</th>}
              {isPaid && <th class="num">{t.sums.short}</th>}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.terminal} class={(row.short ?? 0) > 0 ? 'on' : ''} data-session={row.terminal}>
                <td>
                  <b>{row.terminal}</b>{' '}
                  {isPaid && row.credit !== null && !row.isOpen && <small class="tag">{t.ended}</small>}
                </td>
                <td class="num">{amountText(row.staked)}</td>
                {isPaid && <td class="num">{amountText(row.paid)}</td>}
                <td class="num">{amountText(row.due)}</td>
                {isPaid && <td class="num">{amountText(row.credit)}</td>}
                {isPaid && <td class="num">{amountText(row.collected)}</td>}
                {isPaid && <td class={`num${(row.short ?? 0) > 0 ? ' short' : ''}`}>{amountText(row.short)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {isPaid && collected + short > 0 && <p class="q">{t.collectedIs}</p>}
    </div>
  );
}
