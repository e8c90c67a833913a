import { useState } from 'preact/hooks';
import { cardsOf } from '../../../../rules/card.ts';
import { type SupervisorView } from '../../../../wire/staff/supervisorView.ts';
import { language } from '../../../shared/text/language.ts';
import { type Counting, CountGrid, undoCount, digitIn } from '../../dealer/shoe/countGrid.tsx';
import { ClauseTag } from '../../kit/components/clauseTag.tsx';
import { toldIn, eventText } from '../../kit/text/eventText.ts';
import { Frame } from '../parts/pageFrame.tsx';
import { Kbd } from '../../kit/input/keyCap.tsx';
import { formatTimeOfDay } from '../../kit/text/timeText.ts';
import { kitStrings as kitWords } from '../../kit/text/strings.ts';
import { go } from '../../app/router.ts';
import { isLost, now } from '../../app/state.ts';
import { isAsking, send } from '../parts/commands.ts';
import { Band } from '../parts/pageBand.tsx';
import { touched, usePageKeys } from '../parts/usePageKeys.ts';
import { type Params } from '../pages.ts';
import { ProposalApproval, signingOf } from '../parts/approval.tsx';
import { may, useTable } from '../parts/useTable.ts';
import { sealedStrings } from './strings.ts';

const house = 'HOUSE 7';
const noCount: Counting = { counts: {}, at: 0 };

/** Shoes that have left a table sealed, to be counted by two who did not seal them. [HOUSE 7] */
export function Page({ params }: { readonly params: Params }) {
  const table = params['table']!;
  const view = useTable(table);
  return view === null ? (
    <Frame name="soon">
      <p class="panel q pad-in">{kitWords().loading}</p>
    </Frame>
  ) : (
    <Sealed view={view} />
  );
}

function Sealed({ view }: { readonly view: SupervisorView }) {
  const t = sealedStrings();
  const { table, sealed } = view;
  const [chosen, choose] = useState('');
  const [count, setCount] = useState<Counting>(noCount);
  const one = sealed.find(({ shoe }) => shoe === chosen) ?? sealed[0];
  const deck = one?.deck ?? view.deck;
  const all = cardsOf(deck).length;
  const done = Object.keys(count.counts).length;
  const waits = view.proposal;
  const proposal = waits !== null && waits.act === 'CountSealedShoe' && waits.expires > now.value ? waits : null;
  const signing = proposal === null ? null : signingOf(table, proposal);
  const isOff = isLost.value || isAsking.value || one === undefined || done < all || !may('supervisor');
  const home = (): void => go(`/floor/${encodeURIComponent(table)}`);
  const propose = (): void => {
    if (!isOff) void send(table, { type: 'CountSealedShoe', shoe: one.shoe, seen: count.counts });
  };
  usePageKeys((key) => {
    if (signing !== null) {
      if (key === 'Enter') signing.approve();
      else if (key === 'Escape') signing.decline();
      else return false;
    } else if (/^\d$/.test(key)) setCount(digitIn(count, Number(key), deck));
    else if (key === 'Backspace') setCount(undoCount(count, deck));
    else if (key === 'ArrowLeft' || key === 'ArrowRight') {
      const at = count.at + (key === 'ArrowLeft' ? -1 : 1);
      setCount({ ...count, at: Math.max(0, Math.min(all - 1, at)) });
    } else if (key === 'Enter') propose();
    else if (key === 'Escape') home();
    else return false;
    return true;
  }, `${proposal?.id} ${one?.shoe}`);
  const counted = view.events.find(({ says }) => says.code === 'SealedShoeCounted');
  const told =
    proposal !== null
      ? (view.effects?.events ?? []).map((event) => eventText(String(event['type']), event, language.value)[0])
      : counted === undefined
        ? []
        : [toldIn(counted.says, counted.at, language.value)[0]];
  return (
    <Frame name="sealed">
      <Band
        tone={proposal === null ? 'calm' : 'two'}
        title={one === undefined ? t.none(table) : t.title(one.shoe, table)}
        by={house}
        facts={
          one === undefined
            ? []
            : [
                [t.seal, one.seal],
                [t.lies, one.to ?? '–'],
                [t.since, formatTimeOfDay(one.since)],
              ]
        }
      />
      {one !== undefined && (
        <CountGrid deck={deck} counts={count.counts} at={count.at} press={(at) => setCount({ ...count, at })} />
      )}
      <section class="panel scrolls" tabIndex={0} aria-label={t.waiting}>
        <header>
          <h2>{t.waiting}</h2>
        </header>
        <div class="pad-in">
          <p class="row">
            {sealed.map(({ shoe }) => (
              <button
                key={shoe}
                type="button"
                class={`pick-chip${shoe === one?.shoe ? ' on' : ''}`}
                aria-pressed={shoe === one?.shoe}
                onClick={touched(() => {
                  choose(shoe);
                  setCount(noCount);
                })}
              >
                {shoe}
              </button>
            ))}
          </p>
          {one !== undefined && <p>{t.blind}</p>}
          <p class="q">
            {t.others} <ClauseTag by={house} />
          </p>
          <p role="status" data-testid="counted">
            <b>{told.join(' ')}</b>
          </p>
        </div>
      </section>
      {proposal !== null ? (
        <ProposalApproval table={table} proposal={proposal} />
      ) : (
        <div class="do-bar">
          <section class="panel grow">
            <span class="q" data-testid="keyed">
              {one === undefined ? '' : t.keyed(done, all)}
            </span>
            <span class="grow" />
            <button type="button" class="btn quiet" onClick={home}>
              {t.toTable} <Kbd>Esc</Kbd>
            </button>
          </section>
          <button type="button" class="btn act act-big" data-testid="propose" disabled={isOff} onClick={propose}>
            <span class="two-lines">
              {t.propose}
              <small>{t.two}</small>
            </span>{' '}
            <Kbd>Enter</Kbd>
          </button>
        </div>
      )}
    </Frame>
  );
}
