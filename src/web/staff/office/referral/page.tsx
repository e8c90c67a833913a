import { useRef, useState } from 'preact/hooks';
import { formatMoney } from '../../../../base/formatMoney.ts';
import { type SupervisorView } from '../../../../wire/staff/supervisorView.ts';
import { roleAndNumberText } from '../../kit/components/topBar.tsx';
import { ClauseTag } from '../../kit/components/clauseTag.tsx';
import { PageFrame } from '../components/pageFrame.tsx';
import { KeyCap } from '../../kit/input/keyCap.tsx';
import { timeTextWithDateUnlessToday, durationText } from '../../kit/text/timeText.ts';
import { kitStrings } from '../../kit/text/strings.ts';
import { navigate } from '../../app/router.ts';
import { isConnectionUnusable, staffServerTimeMs, staffServerSecondMs } from '../../app/state.ts';
import {
  type UntypedCommand,
  isCommandPending,
  officeRefusalDisplayMs,
  showRefusal,
  officeSendOptions,
  sendCommand,
} from '../../kit/sendCommand.ts';
import { PageHeaderBand } from '../components/pageHeaderBand.tsx';
import { clickHandlerWithBlur, usePageKeys } from '../components/usePageKeys.ts';
import { type PathParameters } from '../pages.ts';
import { TextPage } from '../components/textPage.tsx';
import { ReasonField } from '../components/reasonField.tsx';
import { ApproveProposalPage } from '../ruling/approveProposal.tsx';
import { CardsOnRecord, ClauseList, RoundEventList } from '../ruling/evidence.tsx';
import { type CommandPreviewState, useCommandPreview } from '../../kit/useCommandPreview.ts';
import { mayActAs, useSupervisorView } from '../components/useSupervisorView.ts';
import { DecisionOption } from './decisionOption.tsx';
import { referralStrings } from './strings.ts';

type Referral = SupervisorView['referred'][number];
const decisions = ['burn', 'continue', 'void', 'stand'] as const;
type Decision = (typeof decisions)[number];

export function Page({ params }: { readonly params: PathParameters }) {
  const t = referralStrings();
  const view = useSupervisorView(params['table']!);
  const [index, setIndex] = useState(0);
  if (view === null) return <TextPage text={kitStrings().loading} table={params['table']!} />;
  const { proposal, referred } = view;
  if (proposal !== null && proposal.expires > staffServerTimeMs.value)
    return <ApproveProposalPage view={view} proposal={proposal} />;
  const referral = referred[Math.min(index, referred.length - 1)];
  if (referral === undefined) return <TextPage text={t.nothing} table={view.table} />;
  return <DecisionEditor key={referral.id} view={view} referral={referral} choose={setIndex} />;
}

function EarlierDecisions({ decided }: Pick<SupervisorView, 'decided'>) {
  const t = referralStrings();
  return (
    <section class="panel" data-testid="before">
      <h2>{t.before}</h2>
      {decided.length === 0 && <p class="q">{t.never}</p>}
      <ol class="tl">
        {decided.map(({ id, at: current, reason, decision, decisionReason, round, by, from }) => (
          <li key={id}>
            <time>{timeTextWithDateUnlessToday(current)}</time>
            <span>
              <b>
                {reason}: {t.names[decision] ?? decision}
              </b>{' '}
              <ClauseTag by={by} />
              <br />
              <span class="q">
                {decisionReason} · {round === null ? t.noRound : t.ofRound(round)} · {roleAndNumberText(from)}
              </span>
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/**
 * Error code of an impossible decision. Null when the decision is possible, or when only the role of the signed-in
 * person prevents it.
 */
const blockedCode = (preview: CommandPreviewState): string | null =>
  preview.state === 'refused' && preview.code !== 'not-your-role' ? preview.code : null;

type Props = {
  readonly view: SupervisorView;
  readonly referral: Referral;
  readonly choose: (index: number) => void;
};

function DecisionEditor({ view, referral, choose }: Props) {
  const t = referralStrings();
  const [chosen, setChosen] = useState<Decision>((referral.proposed?.decision as Decision | undefined) ?? 'continue');
  const [isLocking, setLocking] = useState(false);
  const [reason, setReason] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const decisionCommand = (decision: Decision, statedReason: string): UntypedCommand => ({
    type: 'DecideReferral',
    referral: referral.id,
    decision,
    ...(decision === 'void' && isLocking && { lock: true }),
    reason: statedReason,
  });
  const revision = `${view.phase} ${view.round?.cards.length ?? 0}`;
  const previews = {
    burn: useCommandPreview(view.table, decisionCommand('burn', '-'), revision),
    continue: useCommandPreview(view.table, decisionCommand('continue', '-'), revision),
    void: useCommandPreview(view.table, decisionCommand('void', '-'), revision),
    stand: useCommandPreview(view.table, decisionCommand('stand', '-'), revision),
  };
  const preview = previews[chosen];
  const secondRole = preview.state === 'loaded' ? preview.data.second : null;
  const mayDecide = mayActAs('gaming-shift-manager');
  const isDisabled =
    isConnectionUnusable.value || isCommandPending.value || !mayDecide || blockedCode(preview) !== null;
  const decide = (): void => {
    if (isDisabled) return;
    if (reason.trim() === '') {
      showRefusal(t.reasonNeeded, referral.by, officeRefusalDisplayMs);
      field.current?.focus();
      return;
    }
    void sendCommand(decisionCommand(chosen, reason.trim()), officeSendOptions(view.table));
  };
  const current = view.referred.findIndex(({ id }) => id === referral.id);
  usePageKeys((key) => {
    const decision = decisions[Number(key) - 1];
    if (decision !== undefined) {
      if (blockedCode(previews[decision]) === null) setChosen(decision);
    } else if (key === 'L') setLocking(!isLocking);
    else if (key === 'Y') field.current?.focus();
    else if (key === 'J') choose(Math.min(current + 1, view.referred.length - 1));
    else if (key === 'K') choose(Math.max(0, current - 1));
    else if (key === 'Enter') decide();
    else if (key === 'Escape') navigate(`/floor/${encodeURIComponent(view.table)}`);
    else return false;
    return true;
  }, referral.id);
  const name = t.names[chosen]!;
  const number =
    view.round === null || referral.round !== view.round.id ? (referral.round ?? '') : String(view.round.number);
  return (
    <PageFrame name="refer">
      <PageHeaderBand
        title={t.title(view.table, referral.reason)}
        by={referral.by}
        facts={[
          [t.slips, String(view.slips)],
          [t.stake, formatMoney(view.staked)],
          [t.frozen, durationText(staffServerSecondMs.value - referral.since)],
        ]}
      />
      <div class="evi">
        <section class="panel">
          <h2>{view.referred.length > 1 ? t.line : t.found}</h2>
          <div class="waits-line">
            {view.referred.map((one, n) => (
              <button
                key={one.id}
                type="button"
                class={one.id === referral.id ? 'on' : ''}
                aria-pressed={one.id === referral.id}
                onClick={clickHandlerWithBlur(() => choose(n))}
              >
                <b>{n + 1}</b>
                <span>
                  <b>{one.reason}</b>
                  <br />
                  <span class="q">
                    {one.round === null ? t.noRound : t.ofRound(one.round)}
                    {one.terminals !== null && `, ${t.some(one.terminals)}`} · {t.by(roleAndNumberText(one.from))}
                  </span>
                </span>
                <time class="q">{durationText(staffServerSecondMs.value - one.since)}</time>
              </button>
            ))}
          </div>
        </section>
        <CardsOnRecord view={view} />
        <RoundEventList view={view} maxEvents={4} />
        <ClauseList clauses={[referral.by, referral.proposed?.by ?? null]} kind="anything-else" />
        <EarlierDecisions decided={view.decided} />
      </div>
      <div class="opts">
        {decisions.map((decision, n) => (
          <DecisionOption
            key={decision}
            decision={decision}
            keyName={String(n + 1)}
            isChosen={decision === chosen}
            isProposed={referral.proposed?.decision === decision}
            by={referral.proposed?.decision === decision ? referral.proposed.by : referral.by}
            blockedCode={blockedCode(previews[decision])}
            preview={previews[decision]}
            staked={view.staked}
            isLocked={decision === 'void' && isLocking}
            choose={() => setChosen(decision)}
          />
        ))}
        <section class="panel decision-text">
          {chosen === 'void' && (
            <button
              type="button"
              class="lock-row"
              role="switch"
              aria-checked={isLocking}
              data-testid="lock"
              onClick={clickHandlerWithBlur(() => setLocking(!isLocking))}
            >
              <span class={`toggle${isLocking ? ' on' : ''}`} /> {t.lock} <KeyCap>L</KeyCap>
            </button>
          )}
          <h2>{t.noticeTitle}</h2>
          <p lang="en" data-testid="decision-en">
            {t.patronNotices[chosen]![0].replace('{n}', number)}
          </p>
          <p lang="zh-Hans" data-testid="decision-zh">
            {t.patronNotices[chosen]![1].replace('{n}', number)}
          </p>
        </section>
      </div>
      <div class="do-bar">
        <ReasonField label={t.reason} value={reason} set={setReason} field={field} />
        <button type="button" class="btn act act-big" data-testid="decide" disabled={isDisabled} onClick={decide}>
          <span class="two-lines">
            {secondRole === null ? t.decide(name) : t.propose(name)}
            <small>
              {!mayDecide
                ? t.notYours
                : secondRole === null
                  ? t.alone
                  : t.also(kitStrings().roles[secondRole] ?? secondRole)}
            </small>
          </span>{' '}
          <KeyCap>Enter</KeyCap>
        </button>
      </div>
    </PageFrame>
  );
}
