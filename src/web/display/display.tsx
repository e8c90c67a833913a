import { formatShortMoney } from '../../base/formatMoney.ts';
import { type PublicTableView } from '../../wire/tableView.ts';
import { BilingualText } from '../shared/text/bilingualText.tsx';
import { language } from '../shared/text/language.ts';
import { bilingualShortGameName } from '../shared/text/gameNames.ts';
import { roadsFromResults } from '../shared/roads/roadsFromResults.ts';
import { NextMarksPanel, BeadPlate, BigRoad, DerivedRoadChart } from '../shared/roads/roads.tsx';
import { ShoeResultCounters } from './shoeResultCounters.tsx';
import { CurrentRound } from './currentRound.tsx';
import { displayState } from './state.ts';
import { mainOrSideLimitsRange } from './tableStatusOnDisplay.ts';
import { displayStringsByLanguage, displayStrings } from './strings.ts';

function Head({ view }: { view: PublicTableView }) {
  const t = displayStrings();
  const name = bilingualShortGameName(view.game.version, view.game.name);
  const range = (isMain: boolean): string =>
    mainOrSideLimitsRange(view, isMain)?.map(formatShortMoney).join('–') ?? '–';
  const facts: readonly (readonly [string, string])[] = [
    [t.bet, range(true)],
    [t.sides, range(false)],
    [t.table, view.table],
    [t.game, String(view.round?.number ?? '–')],
  ];
  return (
    <header class="d-head">
      <h1>
        <span>{name[language.value]}</span> {language.value === 'en' && <small lang="zh-Hans">{name.zh}</small>}
      </h1>
      <dl class="d-limits">
        {facts.map(([what, value]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </header>
  );
}

/**
 * All five roads, and the marks that the next win of Player or of Banker would add to the roads. The note that past
 * results do not predict the next round is always shown.
 */
function Roads({ view }: { view: PublicTableView }) {
  const t = displayStrings();
  const roads = roadsFromResults(view.results);
  return (
    <section class="d-roads">
      <BigRoad roads={roads} columns={20} still />
      <div class="d-lower">
        <BeadPlate roads={roads} columns={9} still />
        <div class="d-derived">
          <DerivedRoadChart road="bigEye" roads={roads} columns={30} still />
          <DerivedRoadChart road="small" roads={roads} columns={30} still />
          <DerivedRoadChart road="cockroach" roads={roads} columns={30} still />
        </div>
      </div>
      <div class="d-foot">
        <p class="d-note">
          {t.past} {t.inform}
        </p>
        <NextMarksPanel roads={roads} />
      </div>
    </section>
  );
}

/**
 * Screen without the view of a table. It says why: the address names no table, the table is not open, or the connection
 * is lost.
 */
function Empty() {
  const { connection, isKnown } = displayState.value;
  const { en, zh } = displayStringsByLanguage;
  const label = (key: 'unknown' | 'closed' | 'noConnection') => <BilingualText en={en[key]} zh={zh[key]} />;
  return (
    <main class="d-empty">
      <h1>{!isKnown ? label('unknown') : connection === 'open' ? label('closed') : label('noConnection')}</h1>
      {!isKnown && (
        <a class="key" href="../">
          <BilingualText en={en.tables} zh={zh.tables} />
        </a>
      )}
    </main>
  );
}

export function Display() {
  const { view } = displayState.value;
  if (view === null) return <Empty />;
  return (
    <main class="display" data-felt={view.theme.felt}>
      <Head view={view} />
      <Roads view={view} />
      <CurrentRound view={view} />
      <ShoeResultCounters view={view} />
    </main>
  );
}
