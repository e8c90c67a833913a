import { type PublicTableView } from '../../wire/tableView.ts';
import { language } from '../shared/text/language.ts';
import { wagerName, bilingualWagerName } from '../shared/text/gameNames.ts';
import { displayServerTimeMs } from './state.ts';
import { sideBetsWithCounter, counterPageIndex } from './tableStatusOnDisplay.ts';
import { displayStrings } from './strings.ts';

const maxPerPage = 3;

/** First page of the counters: wins of Player and Banker, ties and naturals in this shoe. */
function Hands({ counts }: { counts: PublicTableView['counts'] }) {
  const t = displayStrings();
  const all = [
    ['player', '闲', t.player, counts.player],
    ['tie', '和', t.tie, counts.tie],
    ['banker', '庄', t.banker, counts.banker],
    ['natural', '8/9', t.natural, counts.naturals],
  ] as const;
  return (
    <ul class="d-counts" aria-label={t.counters}>
      {all.map(([hand, mark, name, count]) => (
        <li key={hand} class={`is-${hand}`} data-count={hand}>
          <span class="d-mark" lang="zh-Hans" aria-hidden={language.value === 'zh' && hand !== 'natural'}>
            {mark}
          </span>
          <b>{count}</b>
          <span class="d-name">{name}</span>
        </li>
      ))}
    </ul>
  );
}

function Wagers({ spots, counts }: { spots: PublicTableView['layout']; counts: PublicTableView['counts'] }) {
  return (
    <ul class="d-counts is-wagers" aria-label={displayStrings().counters}>
      {spots.map(({ wager, name }) => (
        <li key={wager} data-count={wager}>
          <span class="d-name">
            {wagerName(wager, name)}{' '}
            {language.value === 'en' && <small lang="zh-Hans">{bilingualWagerName(wager, name).zh}</small>}
          </span>
          <b>{counts.wagers[wager] ?? 0}</b>
        </li>
      ))}
    </ul>
  );
}

export function ShoeResultCounters({ view }: { view: PublicTableView }) {
  const t = displayStrings();
  const { counts, shoe } = view;
  const sides = sideBetsWithCounter(view);
  const pages = Math.ceil(sides.length / maxPerPage);
  const perPage = Math.ceil(sides.length / pages);
  const page = counterPageIndex(1 + pages, displayServerTimeMs.value);
  return (
    <section class="d-tally">
      {page === 0 ? (
        <Hands counts={counts} />
      ) : (
        <Wagers spots={sides.slice((page - 1) * perPage, page * perPage)} counts={counts} />
      )}
      {shoe !== null && (
        <p class="d-shoe">
          <span
            class="shoe-bar"
            style={{ '--out': shoe.out / shoe.cards, '--cut': (shoe.cut ?? shoe.cards) / shoe.cards }}
          >
            <i />
          </span>
          <span>{shoe.cuttingCardOut ? t.cutOut : t.shoe(shoe.out, shoe.cards)}</span>
        </p>
      )}
    </section>
  );
}
