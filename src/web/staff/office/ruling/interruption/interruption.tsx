import { language } from '../../../../shared/text/language.ts';
import { wagerName } from '../../../../shared/text/gameNames.ts';
import { formatMoney } from '../../../../../base/formatMoney.ts';
import { type OpenIrregularityView } from '../../../../../wire/staff/dealerView.ts';
import { type SupervisorView } from '../../../../../wire/staff/supervisorView.ts';
import { roleAndNumberText } from '../../../kit/components/topBar.tsx';
import { ClauseTag } from '../../../kit/components/clauseTag.tsx';
import { PageFrame } from '../../components/pageFrame.tsx';
import { KeyCap } from '../../../kit/input/keyCap.tsx';
import { durationText, timeWithTenthsText } from '../../../kit/text/timeText.ts';
import { navigate } from '../../../app/router.ts';
import { isConnectionUnusable, staffServerSecondMs, staffSession } from '../../../app/state.ts';
import { isCommandPending, officeSendOptions, sendCommand } from '../../../kit/sendCommand.ts';
import { PageHeaderBand } from '../../components/pageHeaderBand.tsx';
import { usePageKeys } from '../../components/usePageKeys.ts';
import { mayActAs } from '../../components/useSupervisorView.ts';
import { CardsOnRecord, ClauseList } from '../evidence.tsx';
import { wagerOutcomeReasonText } from '../wagerOutcomeReasonText.ts';
import { rulingStrings } from '../strings.ts';

/** Start (`since`) and end (`at`) of the interruption; null if the view no longer lists the event `Interrupted`. */
function interruptionTimes(view: SupervisorView): { readonly since: number; readonly at: number } | null {
  const event = view.events.find(({ prompt }) => prompt.code === 'Interrupted');
  const since = Number(event?.prompt.with['since']);
  return event === undefined || !Number.isFinite(since) ? null : { since, at: event.at };
}

export function InterruptionBand({ view, step }: { readonly view: SupervisorView; readonly step?: string }) {
  const t = rulingStrings();
  const outage = interruptionTimes(view);
  const seconds = outage === null ? '' : String(Math.round((outage.at - outage.since) / 1000));
  return (
    <PageHeaderBand
      title={t.inter.title(view.table, seconds)}
      by={view.stopped?.by ?? null}
      facts={[
        [t.slips, String(view.slips)],
        [t.stake, formatMoney(view.staked)],
        [t.inter.back, durationText(staffServerSecondMs.value - (view.stopped?.since ?? staffServerSecondMs.value))],
      ]}
    >
      {step !== undefined && <span class="tag on-band">{step}</span>}
    </PageHeaderBand>
  );
}

/** Refers the irregularity to the Gaming Shift Manager. Once the referral is accepted, the referral page opens. */
export async function referIrregularity(view: SupervisorView, reason: string): Promise<void> {
  const isDone = await sendCommand({ type: 'Refer', reason }, officeSendOptions(view.table));
  if (isDone) navigate(`/floor/${encodeURIComponent(view.table)}/referral`);
}

/** Sum of the stakes on a wager, and the number of terminals that placed them. */
function WagerStakes({ total }: { readonly total: SupervisorView['totals'][string] | undefined }) {
  const { inter } = rulingStrings();
  if (total === undefined || total.bettors === 0) return <span class="q">{inter.noStakes}</span>;
  return (
    <>
      {formatMoney(total.stake)} <small class="q">{inter.from(total.bettors)}</small>
    </>
  );
}

type Props = {
  readonly view: SupervisorView;
  readonly irregularity: OpenIrregularityView;
  readonly computed: NonNullable<OpenIrregularityView['computed']>;
};

/**
 * Ruling after an interruption. The server computes the ruling from the wagers that are already decided; staff only
 * confirm it.
 */
export function InterruptionRuling({ view, irregularity, computed }: Props) {
  const t = rulingStrings();
  const i = t.inter;
  const option = irregularity.options.find(({ command }) => command === 'ConfirmRuling');
  const mayConfirm = mayActAs(option?.first ?? 'supervisor');
  const isDisabled = isConnectionUnusable.value || isCommandPending.value || !mayConfirm;
  const confirm = (): void => {
    if (!isDisabled) void sendCommand({ type: 'ConfirmRuling' }, officeSendOptions(view.table));
  };
  const refer = (): void => void referIrregularity(view, 'Interruption');
  usePageKeys((key) => {
    if (key === 'Enter') confirm();
    else if (key === 'F') refer();
    else if (key === 'Escape') navigate(`/floor/${encodeURIComponent(view.table)}`);
    else return false;
    return true;
  }, 'computed');
  const outage = interruptionTimes(view);
  const { decided, ruling, by } = computed;
  const isResume = ruling === 'resume';
  const decidedCount = decided.filter(({ result }) => result !== 'open').length;
  const name = (wager: string): string =>
    wagerName(wager, view.offered.find((one) => one.wager === wager)?.name ?? wager);
  const clauseOf = (one: string): string | null =>
    irregularity.options.find((other) => other.ruling === one)?.by ?? null;
  const branch = (one: 'resume' | 'void') => (
    <section class={`branch ${one === ruling ? 'on' : 'no'}`} data-branch={one}>
      <h2>
        {i[one]} <span class="tag">{one === ruling ? i.computed : i.notOpen}</span>
      </h2>
      <p>{one === ruling ? (isResume ? i.resumeText : i.voidText) : one === 'void' ? i.notVoid : i.notResume}</p>
      <p>
        <ClauseTag by={one === ruling ? by : clauseOf(one)} />
      </p>
    </section>
  );
  return (
    <PageFrame name="inter">
      <InterruptionBand view={view} />
      <div class="evi">
        <CardsOnRecord view={view} title={i.left} />
        <section class="panel">
          <h2>{i.outage}</h2>
          <ol class="tl">
            {outage !== null && (
              <>
                <li>
                  <time>{timeWithTenthsText(outage.since)}</time>
                  <span>{i.lost}</span>
                </li>
                <li>
                  <time>{timeWithTenthsText(outage.at)}</time>
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
        <ClauseList clauses={[by, irregularity.by, ...irregularity.options.map((one) => one.by)]} kind="interruption" />
      </div>
      <section class="panel scrolls" tabIndex={0} aria-label={i.wagers}>
        <header>
          <h2>{i.wagers}</h2>
          <span class="grow" />
          <span class="q">{i.notConsidered}</span>
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
                <td class={result === 'open' ? 'q' : ''}>{wagerOutcomeReasonText(why, result, language.value)}</td>
                <td class="num">
                  <WagerStakes total={view.totals[wager]} />
                </td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <td colSpan={4}>{i.decided(decidedCount, decided.length)}</td>
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
          <b>{staffSession.value === null ? '' : roleAndNumberText(staffSession.value)}</b>
          <span class="tag">{i.one}</span>
          <span class="grow" />
          <button
            type="button"
            class="btn quiet"
            disabled={isConnectionUnusable.value || !mayActAs('supervisor')}
            onClick={refer}
          >
            {i.refer} <KeyCap>F</KeyCap>
          </button>
        </section>
        <button type="button" class="btn act act-big" data-testid="confirm" disabled={isDisabled} onClick={confirm}>
          {i.confirm(i[ruling])} <KeyCap>Enter</KeyCap>
        </button>
      </div>
    </PageFrame>
  );
}
