import { useEffect, useRef, useState } from 'preact/hooks';
import { type DealerView } from '../../../../wire/staff/dealerView.ts';
import { isPin, pinDigits } from '../../../../access/pin.ts';
import { lookAtMe, me } from '../../app/session.ts';
import { isLost, now, session } from '../../app/state.ts';
import { personText } from './topBar.tsx';
import { Kbd } from '../input/keyCap.tsx';
import { useKeydown } from '../input/useKeydown.ts';
import { Ring } from './countdownRing.tsx';
import { formatTimeOfDay, fragmentOf, spanText } from '../text/timeText.ts';
import { kitStrings } from '../text/strings.ts';

export type Proposal = NonNullable<DealerView['proposal']>;
export type NumberAndPin = { readonly number: string; readonly pin: string };

/** Number and PIN of another person, in two fields; Enter in the last of them signs. */
export function PersonFields({
  sign,
  isOff = false,
  name,
}: {
  readonly sign: (person: NumberAndPin) => Promise<boolean>;
  readonly isOff?: boolean;
  /** Whose PIN it is where that is known already. */
  readonly name?: string;
}) {
  const t = kitStrings().second;
  const [number, setNumber] = useState(name ?? '');
  const [pin, setPin] = useState('');
  const give = async (): Promise<void> => {
    if (number.trim() === '' || !isPin(pin) || isOff) return;
    // A PIN is typed once for each try.
    setPin('');
    if (await sign({ number: number.trim().toUpperCase(), pin })) setNumber(name ?? '');
  };
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        void give();
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
      <button type="submit" class="btn two" data-testid="sign" disabled={isOff || number === '' || !isPin(pin)}>
        {t.approve} <Kbd>Enter</Kbd>
      </button>
    </form>
  );
}

type Form = {
  readonly proposal: Proposal;
  /** What it is, where the page does not say so. */
  readonly what?: string;
  /** Whether whoever is signed in here may be the second person. */
  readonly mayApprove: boolean;
  readonly mayDecline: boolean;
  readonly approve: () => void;
  readonly decline: () => void;
  readonly consent: (person: NumberAndPin) => Promise<boolean>;
};

/** Whether the one who is signed in here signs with a session of their own, and not with a PIN at an enrolled console. */
export const signsAlone = (): boolean => (me.value?.console ?? null) === null;

/** The bar in which a second person signs: what it is bound to, how long it holds, and who. */
export function SignBar({ proposal, what, mayApprove, mayDecline, approve, decline, consent }: Form) {
  const t = kitStrings();
  const one = session.value;
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (me.value === null) void lookAtMe();
  }, []);
  useKeydown((event) => {
    // Where number and PIN are to be given, Enter leads to them.
    const isElsewhere = event.target instanceof Element && event.target.closest('input, textarea, select, button, a');
    const field = bar.current?.querySelector<HTMLInputElement>('[data-field]');
    if (event.key !== 'Enter' || isElsewhere || !field) return;
    event.preventDefault();
    field.focus();
  });
  const left = Math.max(0, proposal.expires - now.value);
  const isOff = isLost.value || left === 0;
  const isOwn = one?.person === proposal.from.person;
  return (
    <div class="do-bar" data-testid="sign-bar" ref={bar}>
      <section class="panel sign-bar grow">
        <Ring
          left={left}
          total={proposal.expires - proposal.since}
          text={spanText(left + 999)}
          label={left === 0 ? t.second.over : t.second.left(spanText(left))}
          violet
        />
        <div class="grow bound-to">
          <b class="hash" title={proposal.hash} data-testid="fragment">
            {fragmentOf(proposal.hash)}
          </b>
          <span class="q">
            {what ?? t.second.same} {t.second.by(personText(proposal.from), formatTimeOfDay(proposal.since))}
          </span>
        </div>
        {mayApprove && !isOwn ? (
          <>
            <span class="field">
              <span>{t.second.title}</span>
              <b class="in two">{personText(one)}</b>
            </span>
            {!signsAlone() && one !== null && <PersonFields name={one.number} sign={consent} isOff={isOff} />}
          </>
        ) : (
          <>
            <span class="tag two">{t.second.cap(t.posts[proposal.second] ?? proposal.second)}</span>
            <PersonFields sign={consent} isOff={isOff} />
          </>
        )}
      </section>
      <section class="panel sign-bar">
        <button
          type="button"
          class="btn quiet"
          data-testid="decline"
          disabled={!mayDecline || isLost.value}
          onClick={decline}
        >
          {isOwn ? t.second.withdraw : t.second.decline} <Kbd>Esc</Kbd>
        </button>
      </section>
      {mayApprove && !isOwn && signsAlone() && (
        <button type="button" class="btn two act-big" data-testid="approve" disabled={isOff} onClick={approve}>
          {t.second.approve} <Kbd>Enter</Kbd>
        </button>
      )}
    </div>
  );
}
