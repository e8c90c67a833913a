import { drawClauseOf } from '../../../../games/drawClause.ts';
import { rulebookOf } from '../../../../games/rulebooks.ts';
import { type Hands } from '../../../../rules/play.ts';
import { type DealerView } from '../../../../wire/staff/dealerView.ts';
import { ClauseTag } from '../../kit/components/clauseTag.tsx';
import { MessageList } from '../../kit/components/messages.tsx';
import { formatMoney } from '../../../../base/formatMoney.ts';
import { wagerName } from '../../../shared/text/gameNames.ts';
import { consoleDraft, refusedCards } from '../state.ts';
import { dealerStrings } from '../strings.ts';

type Shoe = NonNullable<DealerView['shoe']>;

export const clausesByTopic = ({ clauses }: DealerView): Clauses => clauses as Clauses;
type Clauses = {
  readonly [name in 'open' | 'close' | 'cut' | 'refer' | 'correction' | 'cards' | 'settle' | 'roles']: string;
};

/**
 * Clause that decides the next step of the deal: which hand draws the next card or, when the deal is complete, why no
 * hand draws.
 */
export function nextCardClause({ game, round, clauses }: DealerView): string {
  if (round === null) return clauses['play']!;
  const hands = { player: round.player.cards, banker: round.banker.cards } as unknown as Hands;
  const [, version] = game.version.split('@');
  return drawClauseOf(hands, rulebookOf({ book: game.rulebook, version: version! }).draws);
}

const cardsPerDeck = { french: 52, elements: 65 } as const;

function ShoePanel({ view, shoe }: { readonly view: DealerView; readonly shoe: Shoe }) {
  const t = dealerStrings();
  // Blind count: the person who counts sees no number of cards before the count is complete.
  if (!shoe.counted || consoleDraft.value?.type === 'count') {
    return (
      <section class="panel shoe" aria-label={t.shoe(shoe.id)}>
        <h2>
          <b>{t.shoe(shoe.id)}</b>
        </h2>
        <p class="q">{t.blind}</p>
      </section>
    );
  }
  const { out, size, behind, toCut, cuttingCardOut } = shoe;
  const isLastRound = cuttingCardOut && shoe.roundsLeft !== null && shoe.roundsLeft <= 1;
  return (
    <section class="panel shoe" aria-label={t.shoe(shoe.id)}>
      <h2>
        <b>{t.shoe(shoe.id)}</b>
        <span class="q">
          {view.decks} × {cardsPerDeck[view.deck]}
        </span>
        <span class="grow" />
        {isLastRound && <span class="tag full">{t.lastRound}</span>}
        {shoe.lockedBy !== null && <ClauseTag by={shoe.lockedBy} />}
      </h2>
      <div class="shoebar" role="img" aria-label={t.shoeOf(out, size)}>
        <i style={{ width: `${(100 * out) / size}%` }} />
        {behind !== null && <u style={{ left: `${(100 * (size - behind)) / size}%` }} />}
      </div>
      <dl class="fig">
        <dt>
          <b>{out}</b> / {size} {t.out}
        </dt>
        <dd>{toCut === null ? '' : t.toCut(toCut)}</dd>
        <dt>
          {t.cutting} <ClauseTag by={clausesByTopic(view).cut} />
        </dt>
        <dd>{cuttingCardOut ? t.isOut : behind === null ? t.notCut : t.inShoe}</dd>
        <dt>{t.roundsDealt}</dt>
        <dd>{shoe.rounds}</dd>
      </dl>
    </section>
  );
}

function ChipPlaces({ view }: { readonly view: DealerView }) {
  const t = dealerStrings();
  if (view.places.length === 0) {
    return (
      <section class="panel two-fig">
        <div class="whole">
          <b>{t.chips}</b>
          <span class="q">{t.chipsMore}</span>
        </div>
      </section>
    );
  }
  const nameOf = (wager: string): string =>
    wagerName(wager, view.offered.find((one) => one.wager === wager)?.name ?? wager);
  return (
    <section class="panel places" aria-label={t.placesTitle}>
      <h2>{t.placesTitle}</h2>
      <ul>
        {view.places.map((one, n) => (
          <li key={n} data-place={one.place}>
            <b>
              {t.place} {one.place}
            </b>
            <span class="grow">
              {nameOf(one.wager)} {formatMoney(one.amount)}
            </span>
            <span class={`do ${one.do}`}>
              {t.placeDo[one.do]}
              {one.pays !== null && one.pays > 0 ? ` ${formatMoney(one.pays)}` : ''}
            </span>
            <ClauseTag by={one.by} />
          </li>
        ))}
      </ul>
    </section>
  );
}

export function SidePanel({ view }: { readonly view: DealerView }) {
  const t = dealerStrings();
  return (
    <aside class="aside">
      {view.shoe ? <ShoePanel view={view} shoe={view.shoe} /> : <section class="panel shoe q">{t.noShoeYet}</section>}
      {view.bets === 'chips' ? (
        <ChipPlaces view={view} />
      ) : (
        <section class="panel two-fig">
          <div>
            <b>{view.slips.toLocaleString('en')}</b>
            <span class="q">{t.slipsIn(view.slips)}</span>
          </div>
          <div class={view.terminalsDisconnected > 0 ? 'attn' : ''}>
            <b>{view.terminalsDisconnected}</b>
            <span class="q">{t.offline}</span>
          </div>
        </section>
      )}
      <MessageList messages={view.messages} pinned={refusedCards.value} />
    </aside>
  );
}
