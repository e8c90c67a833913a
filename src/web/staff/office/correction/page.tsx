import { useRef, useState } from 'preact/hooks';
import { language } from '../../../shared/text/language.ts';
import { gameByVersionedId } from '../../../shared/text/oddsText.ts';
import { wagerName } from '../../../shared/text/gameNames.ts';
import { formatMoney } from '../../../../base/formatMoney.ts';
import { type RoundTimeline } from '../../../../wire/staff/roundTypes.ts';
import { useQuery } from '../../kit/useQuery.ts';
import { ClauseTag } from '../../kit/components/clauseTag.tsx';
import { ProposalEffectsView } from '../../kit/components/proposalEffects.tsx';
import { proposalStrings } from '../../kit/text/proposalStrings.ts';
import { eventText } from '../../kit/text/eventText.ts';
import { PageFrame } from '../components/pageFrame.tsx';
import { KeyCap } from '../../kit/input/keyCap.tsx';
import { staffRefusalText } from '../../kit/text/refusalText.ts';

import { formatTimeOfDay, timeWithTenthsText } from '../../kit/text/timeText.ts';
import { kitStrings } from '../../kit/text/strings.ts';
import { navigate } from '../../app/router.ts';
import { isConnectionUnusable, staffServerTimeMs } from '../../app/state.ts';
import {
  isCommandPending,
  officeRefusalDisplayMs,
  showRefusal,
  officeSendOptions,
  sendCommand,
} from '../../kit/sendCommand.ts';
import { PageHeaderBand } from '../components/pageHeaderBand.tsx';
import { usePageKeys } from '../components/usePageKeys.ts';
import { type PathParameters } from '../pages.ts';
import { TextPage } from '../components/textPage.tsx';
import { ReasonField } from '../components/reasonField.tsx';
import { CardReplacementPicker } from '../ruling/cardReplacementPicker.tsx';
import { ClauseList } from '../ruling/evidence.tsx';
import {
  type CardReplacementState,
  applyCardReplacementKey,
  emptyCardReplacementState,
} from '../ruling/cardReplacementState.ts';
import { ProposalApprovalBar, approvalActions } from '../components/approval.tsx';
import { useCommandPreview } from '../../kit/useCommandPreview.ts';
import { mayActAs, useSupervisorView } from '../components/useSupervisorView.ts';
import { CreditSessionDifferencesTable } from './creditSessionDifferencesTable.tsx';
import {
  type ResultByWager,
  cardsInTimeline,
  creditSessionDifferences,
  lastSettledResults,
} from './creditSessionDifferences.ts';
import { correctionStrings } from './strings.ts';

/** Page to correct a card of a settled round. It shows the effect on each credit session. */
export function Page({ params }: { readonly params: PathParameters }) {
  const result = useQuery<RoundTimeline>('round', { round: params['round'] });
  if (result.state === 'loaded') return <CorrectionEditor timeline={result.data} />;
  return <TextPage text={result.state === 'loading' ? kitStrings().loading : correctionStrings().unknown} />;
}

const noMoney = { takenBack: 0, paidMore: 0, short: 0 };

function CorrectionEditor({ timeline }: { readonly timeline: RoundTimeline }) {
  const t = correctionStrings();
  const view = useSupervisorView(timeline.table);
  const [fix, setFix] = useState<CardReplacementState>(emptyCardReplacementState);
  const [reason, setReason] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const game = gameByVersionedId(timeline.game);
  const deck = game?.deck ?? view?.deck ?? 'french';
  const cards = cardsInTimeline(timeline.steps);
  const command =
    fix.place === null || fix.card === null
      ? null
      : {
          type: 'CorrectCard',
          round: timeline.round,
          place: fix.place + 1,
          card: fix.card,
          reason: reason.trim() || '-',
        };
  const previewState = useCommandPreview(timeline.table, command && { ...command, reason: '-' });
  const preview = previewState.state === 'loaded' ? previewState.data : null;
  const entries = preview === null ? [] : creditSessionDifferences(preview, 'correct');
  const openProposal = view?.proposal ?? null;
  const proposal =
    openProposal !== null &&
    openProposal.command === 'CorrectCard' &&
    openProposal.effects.round?.id === timeline.round &&
    openProposal.expires > staffServerTimeMs.value
      ? openProposal
      : null;
  const sums = (proposal?.effects ?? preview?.proposal)?.money ?? noMoney;
  const isDisabled =
    isConnectionUnusable.value ||
    isCommandPending.value ||
    command === null ||
    previewState.state === 'refused' ||
    !mayActAs('supervisor') ||
    proposal !== null;
  const propose = (): void => {
    if (isDisabled) return;
    if (reason.trim() === '') {
      showRefusal(t.missing, null, officeRefusalDisplayMs);
      field.current?.focus();
    } else void sendCommand(command, officeSendOptions(timeline.table));
  };
  const approval = proposal === null ? null : approvalActions(timeline.table, proposal);
  usePageKeys((key, shift) => {
    if (approval !== null) {
      if (key === 'Escape') approval.decline();
      else return false;
      return true;
    }
    if (key === 'Y') field.current?.focus();
    else if (key === 'Enter') propose();
    else {
      const corrected = applyCardReplacementKey(fix, { key, shift }, cards.length, deck);
      if (corrected === fix && key === 'Escape') navigate(`/rounds/${encodeURIComponent(timeline.round)}`);
      else if (corrected === fix) return false;
      else setFix(corrected);
    }
    return true;
  }, proposal?.id ?? '');
  const settlement = timeline.steps.findLast(({ event }) => event['results'] !== undefined);
  const resettlement = preview?.effects.find(({ type }) => type === 'RoundResettled');
  const by = view?.clauses['correction'] ?? null;
  return (
    <PageFrame name="correct">
      <PageHeaderBand
        tone={proposal === null ? 'calm' : 'two'}
        title={t.title(timeline.number, timeline.table)}
        by={by}
        facts={[
          [t.back, formatMoney(sums.takenBack)],
          [t.given, formatMoney(sums.paidMore)],
          [t.short, formatMoney(sums.short), sums.short > 0 ? 'short' : ''],
          ...(proposal === null ? [[t.concerned, t.of(entries.length, timeline.rows.length)] as const] : []),
        ]}
      >
        {settlement !== undefined && <span class="q">{t.settled(formatTimeOfDay(settlement.at))}</span>}
      </PageHeaderBand>
      <div class="evi">
        <CardReplacementPicker cards={cards} fix={fix} set={setFix} deck={deck} />
        <section class="panel">
          <h2>{t.evidence}</h2>
          <ol class="tl">
            {(fix.place === null ? timeline.steps.slice(-3) : drawSteps(timeline, fix.place)).map((step) => (
              <li key={step.sequence}>
                <time>{timeWithTenthsText(step.at)}</time>
                <span>{eventText(step.event.type, { ...step.event, at: step.at }, language.value)[0]}</span>
              </li>
            ))}
          </ol>
        </section>
        <ClauseList clauses={[by, 'HOUSE 10']} kind="mis-scan" />
      </div>
      {proposal !== null && view !== null ? (
        <section class="panel scrolls pad-in approved" tabIndex={0} aria-label={proposalStrings().effects}>
          <ProposalEffectsView effects={proposal.effects} game={view.game.version} reason={proposal.reason} />
        </section>
      ) : (
        <>
          <Wagers
            settledResults={lastSettledResults(timeline.steps)}
            correctedResults={(resettlement?.['results'] as ResultByWager | undefined) ?? null}
            name={(wager) => wagerName(wager, game?.wagers[wager]?.name ?? wager)}
          />
          <CreditSessionDifferencesTable
            entries={entries}
            hasPreview={preview !== null}
            postings={preview?.postings ?? []}
            allPostings={preview?.allPostings ?? 0}
            status={
              previewState.state === 'refused'
                ? staffRefusalText(previewState.code, previewState.message)
                : resettlement === undefined
                  ? ''
                  : t.reverses(settlementNumber(resettlement['settlement']), settlementNumber(resettlement['reverses']))
            }
          />
        </>
      )}
      {proposal === null ? (
        <div class="do-bar">
          <ReasonField label={t.reason} value={reason} set={setReason} field={field} />
          <section class="panel">
            <span class="q">{t.second}</span>
            <span class="tag two">
              {kitStrings().roles[preview?.second ?? 'gaming-shift-manager'] ?? preview?.second}
            </span>
          </section>
          <button type="button" class="btn act act-big" data-testid="propose" disabled={isDisabled} onClick={propose}>
            {t.propose} <KeyCap>Enter</KeyCap>
          </button>
        </div>
      ) : (
        <ProposalApprovalBar table={timeline.table} proposal={proposal} />
      )}
    </PageFrame>
  );
}

/** Part of a settlement id after the last slash. */
const settlementNumber = (name: unknown): string => String(name).split('/').at(-1) ?? '';

/**
 * Timeline steps about a card: the step in which it was dealt, then all card corrections of the round, whichever card
 * they correct.
 */
const drawSteps = ({ steps }: RoundTimeline, place: number): RoundTimeline['steps'] => {
  const dealt = steps.filter(({ event }) => event.type === 'CardDealt');
  return [...dealt.slice(place, place + 1), ...steps.filter(({ event }) => event.type === 'CardCorrected')];
};

type WagersProps = {
  readonly settledResults: ResultByWager;
  readonly correctedResults: ResultByWager | null;
  readonly name: (wager: string) => string;
};

/** Table of the wagers: their results as settled, and their results after the correction. */
function Wagers({ settledResults, correctedResults, name }: WagersProps) {
  const t = correctionStrings();
  const text = (one: ResultByWager[string] | undefined): string => {
    if (one === undefined) return '–';
    return one.result === 'win' ? t.pays(String(one.pays[0] / one.pays[1])) : (t.results[one.result] ?? one.result);
  };
  return (
    <section class="panel" tabIndex={0} aria-label={t.wagers}>
      <header>
        <h2>{t.wagers}</h2>
      </header>
      <table class="g">
        <thead>
          <tr>
            <th>{t.wager}</th>
            <th>{t.was}</th>
            <th>{t.now}</th>
            <th>{t.by}</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(settledResults).map(([wager, result]) => {
            const corrected = correctedResults?.[wager];
            const isDifferent = corrected !== undefined && text(corrected) !== text(result);
            return (
              <tr key={wager} class={isDifferent ? 'on' : ''} data-wager={wager}>
                <td>
                  <b>{name(wager)}</b>
                </td>
                <td class="q">{text(result)}</td>
                <td>
                  {corrected === undefined ? (
                    '–'
                  ) : isDifferent ? (
                    <b>{text(corrected)}</b>
                  ) : (
                    <span class="qq">{t.same}</span>
                  )}
                </td>
                <td>
                  <ClauseTag by={(corrected ?? result).by} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
