import { language } from '../../../../shared/text/language.ts';
import { wagerName } from '../../../../shared/text/gameNames.ts';
import { formatMoney } from '../../../../../base/formatMoney.ts';
import { type OpenIrregularityView } from '../../../../../wire/staff/dealerView.ts';
import { type SupervisorView } from '../../../../../wire/staff/supervisorView.ts';
import { personText } from '../../../kit/components/topBar.tsx';
import { ClauseTag } from '../../../kit/components/clauseTag.tsx';
import { Frame } from '../../parts/pageFrame.tsx';
import { Kbd } from '../../../kit/input/keyCap.tsx';
import { spanText, tenthsText } from '../../../kit/text/timeText.ts';
import { go } from '../../../app/router.ts';
import { isLost, second, session } from '../../../app/state.ts';
import { isAsking, send } from '../../parts/commands.ts';
import { Band } from '../../parts/pageBand.tsx';
import { usePageKeys } from '../../parts/usePageKeys.ts';
import { may } from '../../parts/useTable.ts';
import { CardsOnRecord, ClauseList } from '../evidence.tsx';
import { whyText } from '../wagerStatusText.ts';
import { rulingStrings } from '../strings.ts';

/** From when to when service was lost, as the record has it. */
function outageOf(view: SupervisorView): { readonly since: number; readonly at: number } | null {
  const told = view.events.find(({ says }) => says.code === 'Interrupted');
  const since = Number(told?.says.with['since']);
  return told === undefined || !Number.isFinite(since) ? null : { since, at: told.at };
}

export function InterBand({ view, step }: { readonly view: SupervisorView; readonly step?: string }) {
  const t = rulingStrings();
  const outage = outageOf(view);
  const seconds = outage === null ? '' : String(Math.round((outage.at - outage.since) / 1000));
  return (
    <Band
      title={t.inter.title(view.table, seconds)}
      by={view.stopped?.by ?? null}
      facts={[
        [t.slips, String(view.slips)],
        [t.stake, formatMoney(view.staked)],
        [t.inter.back, spanText(second.value - (view.stopped?.since ?? second.value))],
      ]}
    >
      {step !== undefined && <span class="tag on-band">{step}</span>}
    </Band>
  );
}

/** Refers what stopped the table, and shows the referral. */
export async function referFrom(view: SupervisorView, reason: string): Promise<void> {
  const isDone = await send(view.table, { type: 'Refer', reason });
  if (isDone) go(`/floor/${encodeURIComponent(view.table)}/referral`);
}

/** What stands on a wager, and from how many terminals. */
function Staked({ total }: { readonly total: SupervisorView['totals'][string] | undefined }) {
  const { inter } = rulingStrings();
  if (total === undefined || total.bettors === 0) return <span class="q">{inter.nobody}</span>;
  return (
    <>
      {formatMoney(total.stake)} <small class="q">{inter.from(total.bettors)}</small>
    </>
  );
}

type Form = {
  readonly view: SupervisorView;
  readonly matter: OpenIrregularityView;
  readonly computed: NonNullable<OpenIrregularityView['computed']>;
};

/** After an interruption: what is decided by the cards so far, and so whether the round goes on. */
export function Interruption({ view, matter, computed }: Form) {
  const t = rulingStrings();
  const i = t.inter;
  const way = matter.ways.find(({ command }) => command === 'ConfirmRuling');
  const mayConfirm = may(way?.first ?? 'supervisor');
  const isOff = isLost.value || isAsking.value || !mayConfirm;
  const confirm = (): void => {
    if (!isOff) void send(view.table, { type: 'ConfirmRuling' });
  };
  const refer = (): void => void referFrom(view, 'Interruption');
  usePageKeys((key) => {
    if (key === 'Enter') confirm();
    else if (key === 'F') refer();
    else if (key === 'Escape') go(`/floor/${encodeURIComponent(view.table)}`);
    else return false;
    return true;
  }, 'computed');
  const outage = outageOf(view);
  const { decided, ruling, by } = computed;
  const isResume = ruling === 'resume';
  const some = decided.filter(({ result }) => result !== 'open').length;
  const name = (wager: string): string =>
    wagerName(wager, view.offered.find((one) => one.wager === wager)?.name ?? wager);
  const wayBy = (one: string): string | null => matter.ways.find((other) => other.ruling === one)?.by ?? null;
  const branch = (one: 'resume' | 'void') => (
    <section class={`branch ${one === ruling ? 'on' : 'no'}`} data-branch={one}>
      <h2>
        {i[one]} <span class="tag">{one === ruling ? i.computed : i.notOpen}</span>
      </h2>
      <p>{one === ruling ? (isResume ? i.resumeText : i.voidText) : one === 'void' ? i.notVoid : i.notResume}</p>
      <p>
        <ClauseTag by={one === ruling ? by : wayBy(one)} />
      </p>
    </section>
  );
  return (
    <Frame name="inter">
      <InterBand view={view} />
      <div class="evi">
        <CardsOnRecord view={view} title={i.left} />
        <section class="panel">
          <h2>{i.outage}</h2>
          <ol class="tl">
            {outage !== null && (
              <>
                <li>
                  <time>{tenthsText(outage.since)}</time>
                  <span>{i.lost}</span>
                </li>
                <li>
                  <time>{tenthsText(outage.at)}</time>
                  <span>{i.found}</span>
                </li>
              </>
            )}
            <li>
              <time>{i.limit}</time>
              <span>{i.limitIs(String(view.interruption / 1000))}</span>
            </li>
            <li>
              <time>{i.shoe}</time>
              <span>{view.shoe?.virtual === true ? i.virtual : i.live}</span>
            </li>
          </ol>
        </section>
        <ClauseList all={[by, matter.by, ...matter.ways.map((one) => one.by)]} kind="interruption" />
      </div>
      <section class="panel scrolls" tabIndex={0} aria-label={i.wagers}>
        <header>
          <h2>{i.wagers}</h2>
          <span class="grow" />
          <span class="q">{i.notLooked}</span>
        </header>
        <table class="g wtab" data-testid="decided">
          <thead>
            <tr>
              <th>{i.wager}</th>
              <th>{i.state}</th>
              <th>{i.why}</th>
              <th class="num">{i.stakedOn}</th>
            </tr>
          </thead>
          <tbody>
            {decided.map(({ wager, result, why }) => (
              <tr key={wager} class={result === 'open' ? '' : 'on'} data-wager={wager}>
                <td>
                  <b>{name(wager)}</b>
                </td>
                <td>
                  <span class={`state ${result}`}>{i.states[result]}</span>
                </td>
                <td class={result === 'open' ? 'q' : ''}>{whyText(why, result, language.value)}</td>
                <td class="num">
                  <Staked total={view.totals[wager]} />
                </td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <td colSpan={4}>{i.decided(some, decided.length)}</td>
            </tr>
          </tfoot>
        </table>
      </section>
      <div class="branches">
        {branch('resume')}
        {branch('void')}
        <section class="branch plain">
          <p class="q">{i.noChoice}</p>
        </section>
      </div>
      <div class="do-bar">
        <section class="panel grow">
          <span class="q">{i.by}</span>
          <b>{session.value === null ? '' : personText(session.value)}</b>
          <span class="tag">{i.one}</span>
          <span class="grow" />
          <button type="button" class="btn quiet" disabled={isLost.value || !may('supervisor')} onClick={refer}>
            {i.refer} <Kbd>F</Kbd>
          </button>
        </section>
        <button type="button" class="btn act act-big" data-testid="confirm" disabled={isOff} onClick={confirm}>
          {i.confirm(i[ruling])} <Kbd>Enter</Kbd>
        </button>
      </div>
    </Frame>
  );
}
