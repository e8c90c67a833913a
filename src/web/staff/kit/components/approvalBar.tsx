import { useEffect, useRef, useState } from 'preact/hooks';
import { type DealerView } from '../../../../wire/staff/dealerView.ts';
import { isPin, pinDigits } from '../../../../access/pin.ts';
import { loadSignInStatus, signInStatus } from '../../app/session.ts';
import { isDisconnected, serverTime, staffSession } from '../../app/state.ts';
import { roleAndNumberText } from './topBar.tsx';
import { KeyCap } from '../input/keyCap.tsx';
import { useKeydown } from '../input/useKeydown.ts';
import { ApprovalCountdown } from './countdowns.tsx';
import { formatTimeOfDay, hashFragment, durationText } from '../text/timeText.ts';
import { kitStrings } from '../text/strings.ts';

export type Proposal = NonNullable<DealerView['proposal']>;
export type NumberAndPin = { readonly number: string; readonly pin: string };

/** Form for the staff number and PIN of a second approver. Enter in the last field submits it. */
export function NumberAndPinForm({
  sign,
  isDisabled = false,
  name,
}: {
  readonly sign: (person: NumberAndPin) => Promise<boolean>;
  readonly isDisabled?: boolean;
  /** Fixed staff number. With it the form asks only for the PIN. */
  readonly name?: string;
}) {
  const t = kitStrings().second;
  const [number, setNumber] = useState(name ?? '');
  const [pin, setPin] = useState('');
  const submit = async (): Promise<void> => {
    if (number.trim() === '' || !isPin(pin) || isDisabled) return;
    // A PIN is cleared after each attempt.
    setPin('');
    if (await sign({ number: number.trim().toUpperCase(), pin })) setNumber(name ?? '');
  };
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {name === undefined && (
        <label class="field">
          <span>{t.number}</span>
          <input
            class="in two"
            data-field="number"
            autocomplete="off"
            spellcheck={false}
            maxLength={11}
            value={number}
            onInput={(event) => setNumber(event.currentTarget.value)}
          />
        </label>
      )}
      <label class="field">
        <span>{t.pin}</span>
        <input
          class="in two"
          data-field="pin"
          type="password"
          inputMode="numeric"
          autocomplete="off"
          maxLength={pinDigits}
          value={pin}
          onInput={(event) => setPin(event.currentTarget.value.replaceAll(/\D/g, ''))}
        />
      </label>
      <button type="submit" class="btn two" data-testid="sign" disabled={isDisabled || number === '' || !isPin(pin)}>
        {t.approve} <KeyCap>Enter</KeyCap>
      </button>
    </form>
  );
}

type Props = {
  readonly proposal: Proposal;
  /** Display name of the proposed command, for pages that do not show it otherwise. */
  readonly commandName?: string;
  /** True when the signed-in person may give the second signature. */
  readonly mayApprove: boolean;
  readonly mayDecline: boolean;
  readonly approve: () => void;
  readonly decline: () => void;
  readonly approveWithPin: (person: NumberAndPin) => Promise<boolean>;
};

/** True where the signed-in person approves with the session alone. At an enrolled console a PIN is required. */
export const mayApproveWithoutPin = (): boolean => (signInStatus.value?.console ?? null) === null;

/** Bar for the second signature. It shows the hash of the proposal, the time left and the approver. */
export function ApprovalBar({
  proposal,
  commandName,
  mayApprove,
  mayDecline,
  approve,
  decline,
  approveWithPin,
}: Props) {
  const t = kitStrings();
  const signedIn = staffSession.value;
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (signInStatus.value === null) void loadSignInStatus();
  }, []);
  useKeydown((event) => {
    // Enter moves the focus to the first field of the form for number and PIN, where there is one.
    const isOnControl = event.target instanceof Element && event.target.closest('input, textarea, select, button, a');
    const field = bar.current?.querySelector<HTMLInputElement>('[data-field]');
    if (event.key !== 'Enter' || isOnControl || !field) return;
    event.preventDefault();
    field.focus();
  });
  const totalMs = proposal.expires - proposal.since;
  // `serverTime` is updated every 100 ms, so a new proposal can begin after it.
  const leftMs = Math.min(totalMs, Math.max(0, proposal.expires - serverTime.value));
  const isDisabled = isDisconnected.value || leftMs === 0;
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
            {hashFragment(proposal.hash)}
          </b>
          <span class="q">
            {commandName ?? t.second.same}{' '}
            {t.second.by(roleAndNumberText(proposal.from), formatTimeOfDay(proposal.since))}
          </span>
        </div>
        {mayApprove && !isOwn ? (
          <>
            <span class="field">
              <span>{t.second.title}</span>
              <b class="in two">{roleAndNumberText(signedIn)}</b>
            </span>
            {!mayApproveWithoutPin() && signedIn !== null && (
              <NumberAndPinForm name={signedIn.number} sign={approveWithPin} isDisabled={isDisabled} />
            )}
          </>
        ) : (
          <>
            <span class="tag two">{t.second.cap(t.roles[proposal.second] ?? proposal.second)}</span>
            <NumberAndPinForm sign={approveWithPin} isDisabled={isDisabled} />
          </>
        )}
      </section>
      <section class="panel sign-bar">
        <button
          type="button"
          class="btn quiet"
          data-testid="decline"
          disabled={!mayDecline || isDisconnected.value}
          onClick={decline}
        >
          {isOwn ? t.second.withdraw : t.second.decline} <KeyCap>Esc</KeyCap>
        </button>
      </section>
      {mayApprove && !isOwn && mayApproveWithoutPin() && (
        <button type="button" class="btn two act-big" data-testid="approve" disabled={isDisabled} onClick={approve}>
          {t.second.approve} <KeyCap>Enter</KeyCap>
        </button>
      )}
    </div>
  );
}
