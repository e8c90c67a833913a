import { useRef, useState } from 'preact/hooks';
import { formatMoney } from '../../../../base/formatMoney.ts';
import { type SupervisorView } from '../../../../wire/staff/supervisorView.ts';
import { personText } from '../../kit/components/topBar.tsx';
import { ClauseTag } from '../../kit/components/clauseTag.tsx';
import { Frame } from '../parts/pageFrame.tsx';
import { Kbd } from '../../kit/input/keyCap.tsx';
import { dayText, spanText } from '../../kit/text/timeText.ts';
import { kitStrings as kitWords } from '../../kit/text/strings.ts';
import { go } from '../../app/router.ts';
import { isLost, now, second } from '../../app/state.ts';
import { type Act, isAsking, refuseWith, send } from '../parts/commands.ts';
import { Band } from '../parts/pageBand.tsx';
import { touched, usePageKeys } from '../parts/usePageKeys.ts';
import { type Params } from '../pages.ts';
import { Plain } from '../parts/emptyPage.tsx';
import { Reason } from '../parts/reasonField.tsx';
import { Approve } from '../ruling/approveProposal.tsx';
import { CardsOnRecord, ClauseList, ClockOf } from '../ruling/evidence.tsx';
import { type PreviewState, may, usePreview, useTable } from '../parts/useTable.ts';
import { Option } from './decisionOption.tsx';
import { referralStrings } from './strings.ts';

type Referral = SupervisorView['referred'][number];
const decisions = ['burn', 'continue', 'void', 'stand'] as const;
type Decision = (typeof decisions)[number];

/** What was referred, and what the Gaming Shift Manager may decide. */
export function Page({ params }: { readonly params: Params }) {
  const t = referralStrings();
  const view = useTable(params['table']!);
  const [place, setPlace] = useState(0);
  if (view === null) return <Plain text={kitWords().loading} table={params['table']!} />;
  const { proposal, referred } = view;
  if (proposal !== null && proposal.expires > now.value) return <Approve view={view} proposal={proposal} />;
  const one = referred[Math.min(place, referred.length - 1)];
  if (one === undefined) return <Plain text={t.nothing} table={view.table} />;
  return <Decide key={one.id} view={view} referral={one} choose={setPlace} />;
}

/** What was decided at this table before, and why. */
function Before({ decided }: Pick<SupervisorView, 'decided'>) {
  const t = referralStrings();
  return (
    <section class="panel" data-testid="before">
      <h2>{t.before}</h2>
      {decided.length === 0 && <p class="q">{t.never}</p>}
      <ol class="tl">
        {decided.map(({ id, at, reason, decision, why, round, by, from }) => (
          <li key={id}>
            <time>{dayText(at)}</time>
            <span>
              <b>
                {reason}: {t.names[decision] ?? decision}
              </b>{' '}
              <ClauseTag by={by} />
              <br />
              <span class="q">
                {why} · {round === null ? t.noRound : t.ofRound(round)} · {personText(from)}
              </span>
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Why a decision is closed; null where it is open, or only somebody else may take it. */
const closedBy = (previewed: PreviewState): string | null =>
  previewed.state === 'refused' && previewed.code !== 'not-your-post' ? previewed.code : null;

type Form = {
  readonly view: SupervisorView;
  readonly referral: Referral;
  readonly choose: (place: number) => void;
};

function Decide({ view, referral, choose }: Form) {
  const t = referralStrings();
  const [chosen, pick] = useState<Decision>((referral.proposed?.decision as Decision | undefined) ?? 'continue');
  const [isLocking, setLocking] = useState(false);
  const [reason, setReason] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const askedFor = (decision: Decision, why: string): Act => ({
    type: 'DecideReferral',
    referral: referral.id,
    decision,
    ...(decision === 'void' && isLocking && { lock: true }),
    reason: why,
  });
  const moved = `${view.phase} ${view.round?.cards.length ?? 0}`;
  const previews = {
    burn: usePreview(view.table, askedFor('burn', '-'), moved),
    continue: usePreview(view.table, askedFor('continue', '-'), moved),
    void: usePreview(view.table, askedFor('void', '-'), moved),
    stand: usePreview(view.table, askedFor('stand', '-'), moved),
  };
  const preview = previews[chosen];
  const takes = preview.state === 'there' ? preview.data.second : null;
  const mayDecide = may('gaming-shift-manager');
  const isOff = isLost.value || isAsking.value || !mayDecide || closedBy(preview) !== null;
  const decide = (): void => {
    if (isOff) return;
    if (reason.trim() === '') {
      refuseWith(t.reasonNeeded, referral.by);
      field.current?.focus();
      return;
    }
    void send(view.table, askedFor(chosen, reason.trim()));
  };
  const at = view.referred.findIndex(({ id }) => id === referral.id);
  usePageKeys((key) => {
    const decision = decisions[Number(key) - 1];
    if (decision !== undefined) {
      if (closedBy(previews[decision]) === null) pick(decision);
    } else if (key === 'L') setLocking(!isLocking);
    else if (key === 'Y') field.current?.focus();
    else if (key === 'J') choose(Math.min(at + 1, view.referred.length - 1));
    else if (key === 'K') choose(Math.max(0, at - 1));
    else if (key === 'Enter') decide();
    else if (key === 'Escape') go(`/floor/${encodeURIComponent(view.table)}`);
    else return false;
    return true;
  }, referral.id);
  const name = t.names[chosen]!;
  const number =
    view.round === null || referral.round !== view.round.id ? (referral.round ?? '') : String(view.round.number);
  return (
    <Frame name="refer">
      <Band
        title={t.title(view.table, referral.reason)}
        by={referral.by}
        facts={[
          [t.slips, String(view.slips)],
          [t.stake, formatMoney(view.staked)],
          [t.frozen, spanText(second.value - referral.since)],
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
                onClick={touched(() => choose(n))}
              >
                <b>{n + 1}</b>
                <span>
                  <b>{one.reason}</b>
                  <br />
                  <span class="q">
                    {one.round === null ? t.noRound : t.ofRound(one.round)}
                    {one.terminals !== null && `, ${t.some(one.terminals)}`} · {t.by(personText(one.from))}
                  </span>
                </span>
                <time class="q">{spanText(second.value - one.since)}</time>
              </button>
            ))}
          </div>
        </section>
        <CardsOnRecord view={view} />
        <ClockOf view={view} most={4} />
        <ClauseList all={[referral.by, referral.proposed?.by ?? null]} kind="anything-else" />
        <Before decided={view.decided} />
      </div>
      <div class="opts">
        {decisions.map((decision, n) => (
          <Option
            key={decision}
            decision={decision}
            keyName={String(n + 1)}
            isOn={decision === chosen}
            isStanding={referral.proposed?.decision === decision}
            by={referral.proposed?.decision === decision ? referral.proposed.by : referral.by}
            closed={closedBy(previews[decision])}
            previewed={previews[decision]}
            staked={view.staked}
            isLocked={decision === 'void' && isLocking}
            pick={() => pick(decision)}
          />
        ))}
        <section class="panel tell">
          {chosen === 'void' && (
            <button
              type="button"
              class="lock-row"
              role="switch"
              aria-checked={isLocking}
              data-testid="lock"
              onClick={touched(() => setLocking(!isLocking))}
            >
              <span class={`toggle${isLocking ? ' on' : ''}`} /> {t.lock} <Kbd>L</Kbd>
            </button>
          )}
          <h2>{t.tell}</h2>
          <p lang="en" data-testid="told-en">
            {t.told[chosen]![0].replace('{n}', number)}
          </p>
          <p lang="zh-Hans" data-testid="told-zh">
            {t.told[chosen]![1].replace('{n}', number)}
          </p>
        </section>
      </div>
      <div class="do-bar">
        <Reason label={t.reason} value={reason} set={setReason} field={field} />
        <button type="button" class="btn act act-big" data-testid="decide" disabled={isOff} onClick={decide}>
          <span class="two-lines">
            {takes === null ? t.decide(name) : t.propose(name)}
            <small>
              {!mayDecide ? t.notYours : takes === null ? t.alone : t.also(kitWords().posts[takes] ?? takes)}
            </small>
          </span>{' '}
          <Kbd>Enter</Kbd>
        </button>
      </div>
    </Frame>
  );
}
