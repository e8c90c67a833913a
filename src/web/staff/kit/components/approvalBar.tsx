import { useRef } from 'preact/hooks';
import { type DealerView } from '../../../../wire/staff/dealerView.ts';
import { isConnectionUnusable, staffServerTimeMs, staffSession } from '../../app/state.ts';
import { type NumberAndPin } from '../input/signature.ts';
import { type SignatureRefusal } from '../text/signatureText.ts';
import { SignatureForm } from './signatureForm.tsx';
import { roleAndNumberText } from './topBar.tsx';
import { KeyCap } from '../input/keyCap.tsx';
import { useKeydown } from '../input/useKeydown.ts';
import { ApprovalCountdown } from './countdowns.tsx';
import { formatTimeOfDay, shortHashText, durationText } from '../text/timeText.ts';
import { kitStrings } from '../text/strings.ts';

export type ProposalWithoutEffects = Omit<NonNullable<DealerView['proposal']>, 'effects'>;
type Props = {
  readonly proposal: ProposalWithoutEffects;
  /** Display name of the proposed command, for pages that do not show it elsewhere. */
  readonly commandName?: string;
  /** True when the signed-in person may give the second signature. */
  readonly mayApprove: boolean;
  readonly mayDecline: boolean;
  readonly decline: () => void;
  readonly sign: (person: NumberAndPin) => Promise<SignatureRefusal | null | undefined>;
};

/** Bar for the second signature. It shows the approval code, the time left, and who may approve. */
export function ApprovalBar({ proposal, commandName, mayApprove, mayDecline, decline, sign }: Props) {
  const t = kitStrings();
  const signedIn = staffSession.value;
  const bar = useRef<HTMLDivElement>(null);
  useKeydown((event) => {
    // Enter on the page moves the focus to the active field of the signature: first the number, then the PIN.
    const isOnControl = event.target instanceof Element && event.target.closest('input, textarea, select, button, a');
    const field = bar.current?.querySelector<HTMLInputElement>('.in.on, .pin-field input');
    if (event.key !== 'Enter' || isOnControl || !field) return;
    event.preventDefault();
    field.focus();
  });
  const totalMs = proposal.expires - proposal.since;
  // `staffServerTimeMs` lags by up to 100 ms. Without the upper limit, the time left could exceed the total time.
  const leftMs = Math.min(totalMs, Math.max(0, proposal.expires - staffServerTimeMs.value));
  const isDisabled = isConnectionUnusable.value || leftMs === 0;
  const isOwn = signedIn?.person === proposal.from.person;
  return (
    <div class="do-bar" data-testid="sign-bar" ref={bar}>
      <section class="panel sign-bar grow">
        <ApprovalCountdown
          leftMs={leftMs}
          totalMs={totalMs}
          text={durationText(leftMs + 999)}
          label={leftMs === 0 ? t.second.over : t.second.left(durationText(leftMs))}
        />
        <div class="grow bound-to">
          <b class="hash" title={proposal.hash} data-testid="fragment">
            {shortHashText(proposal.hash)}
          </b>
          <span class="q">
            {commandName ?? t.second.same}{' '}
            {t.second.by(roleAndNumberText(proposal.from), formatTimeOfDay(proposal.since))}
          </span>
        </div>
        <span class="tag two">{t.second.cap(t.roles[proposal.second] ?? proposal.second)}</span>
        <SignatureForm
          key={proposal.id}
          role={proposal.second}
          number={mayApprove && !isOwn ? (signedIn?.number ?? '') : ''}
          sign={sign}
          isDisabled={isDisabled}
          takesFocus={isOwn || mayApprove}
          escape={mayDecline ? decline : undefined}
        />
      </section>
      <section class="panel sign-bar">
        <button
          type="button"
          class="btn quiet"
          data-testid="decline"
          disabled={!mayDecline || isConnectionUnusable.value}
          onClick={decline}
        >
          {isOwn ? t.second.withdraw : t.second.decline} <KeyCap>Esc</KeyCap>
        </button>
      </section>
    </div>
  );
}
