import { isPin } from '../../../../access/pin.ts';
import { type DealerView } from '../../../../wire/staff/dealerView.ts';
import { ClauseTag } from '../../kit/components/clauseTag.tsx';
import { KeyCap, isTouchInput } from '../../kit/input/keyCap.tsx';
import { Keypad } from '../../kit/input/keypad.tsx';
import { supervisorCallReasons } from '../../kit/text/promptStrings.ts';
import { staffRefusalText } from '../../kit/text/refusalText.ts';
import { requestRelief } from '../../app/session.ts';
import { isDemoConsole, staffSession } from '../../app/state.ts';
import { ConsoleField, PinField } from '../field.tsx';
import { deleteCharacter, typeCharacter } from '../formFields.ts';
import { type SceneKeys } from '../scene.ts';
import { numberAndPinSpecs } from './approvalScene.tsx';
import { sendCommand, showRefusal } from '../../kit/sendCommand.ts';
import { closeDraft, formFields, formFieldValue } from '../state.ts';
import { dealerStrings } from '../strings.ts';

// Popups over the right column: to call a supervisor, and for the relief of the dealer.

function callSupervisor(n: number): void {
  const reason = supervisorCallReasons[n];
  if (reason === undefined) return;
  closeDraft();
  void sendCommand({ type: 'CallSupervisor', reason });
}

export function CallSupervisorPopup({ view }: { readonly view: DealerView }) {
  const t = dealerStrings();
  return (
    <section class="pop" role="dialog" aria-label={t.calls.title}>
      <h2>{t.calls.title}</h2>
      {view.called !== null && <p class="q inset">{t.calls.again}</p>}
      {t.calls.reasons.map((reason, n) => (
        <button key={reason} type="button" onClick={() => callSupervisor(n)}>
          <KeyCap>{n + 1}</KeyCap>
          {reason}
          <small>{n === t.calls.reasons.length - 1 ? t.calls.none : ''}</small>
        </button>
      ))}
    </section>
  );
}

export const callPopupKeys: SceneKeys = {
  expects: 'list',
  escape: closeDraft,
  digit: (digit) => callSupervisor(digit - 1),
};

let isSending = false;

/** Sends number and PIN of the next dealer, who takes over. A demo needs no PIN. */
async function relieve(): Promise<void> {
  const [number, pin] = [formFieldValue('number'), formFieldValue('pin')];
  if (isSending) return;
  if (number === '' || (pin === '' && !isDemoConsole.value)) {
    formFields.value = { ...formFields.value, active: number === '' ? 'number' : 'pin' };
    return;
  }
  isSending = true;
  const refusal = await requestRelief({ number, ...(pin !== '' && { pin }) });
  isSending = false;
  if (refusal === undefined) closeDraft();
  else {
    formFields.value = { active: 'pin', values: { number } };
    showRefusal(staffRefusalText(refusal.code, refusal.message));
  }
}

/** Popup for the relief. It covers the right column only: stage, card pad and next action stay usable. */
export function ReliefPopup() {
  const t = dealerStrings();
  const r = t.reliefPopup;
  const leaving = staffSession.value?.number ?? '';
  return (
    <section class="pop relief" role="dialog" aria-label={r.title}>
      <h2>{r.title}</h2>
      <div class="body">
        <div class="row end">
          <ConsoleField name="number" label={r.number} />
          <PinField name="pin" label={r.pin} />
        </div>
        {isTouchInput.value ? (
          <Keypad
            press={(char) => {
              typeCharacter(numberAndPinSpecs, char);
              submitWhenComplete();
            }}
            back={() => void deleteCharacter(numberAndPinSpecs)}
            ok={() => void relieve()}
            letters
          />
        ) : (
          <>
            <p>
              <b>{r.both(leaving, formFieldValue('number') === '' ? r.next : formFieldValue('number'))}</b> {r.goesOn}
            </p>
            <p class="q">
              {r.keys} <ClauseTag by="HOUSE 2" plain />
            </p>
          </>
        )}
        <div class="row">
          <button type="button" class="btn quiet" onClick={closeDraft}>
            {t.notNow} <KeyCap>Esc</KeyCap>
          </button>
          <span class="grow" />
          <b class="q">{r.takes}</b>
        </div>
      </div>
    </section>
  );
}

/** Submits the relief once the last digit of the PIN is typed. */
function submitWhenComplete(): void {
  if (formFields.value.active === 'pin' && isPin(formFieldValue('pin'))) void relieve();
}

export const reliefPopupKeys: SceneKeys = {
  expects: 'field',
  specs: numberAndPinSpecs,
  onTyped: submitWhenComplete,
  escape: closeDraft,
  next: () => void relieve(),
  back: () => void deleteCharacter(numberAndPinSpecs),
};
