import { type DealerView } from '../../../../wire/staff/dealerView.ts';
import { ClauseTag } from '../../kit/components/clauseTag.tsx';
import { KeyCap, isTouchInput } from '../../kit/input/keyCap.tsx';
import { Keypad } from '../../kit/input/keypad.tsx';
import { supervisorCallReasonCodes } from '../../kit/text/promptStrings.ts';
import { relieveDealer } from '../../app/session.ts';
import { isDemoConsole, staffSession } from '../../app/state.ts';
import { SignatureFields } from '../../kit/components/signatureFields.tsx';
import { type NumberAndPin, isWholeStaffNumber, signatureDraftAfterEnter } from '../../kit/input/signature.ts';
import { type SignatureRefusal } from '../../kit/text/signatureText.ts';
import {
  changeSignature,
  sendSignature,
  signatureKeys,
  refusedSignature,
  submitSignature,
  typedSignature,
} from '../signature.ts';
import { type SceneKeys } from '../scene.ts';
import { sendCommand } from '../../kit/sendCommand.ts';
import { closeDraft } from '../state.ts';
import { dealerStrings } from '../strings.ts';

function callSupervisor(n: number): void {
  const reason = supervisorCallReasonCodes[n];
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

export const callSupervisorPopupKeys: SceneKeys = {
  expects: 'list',
  escape: closeDraft,
  digit: (digit) => callSupervisor(digit - 1),
};

/**
 * Sends the staff number and PIN of the next dealer, who is signed in if the server accepts both. In a demo the PIN may
 * be empty.
 */
function relieve(): void {
  const signature = typedSignature.peek();
  const send = async ({ number, pin }: NumberAndPin): Promise<SignatureRefusal | undefined> => {
    const refusal = await relieveDealer({ number, ...(pin !== '' && { pin }) });
    if (refusal === undefined) closeDraft();
    return refusal;
  };
  const needsNoPin = isDemoConsole.value && signature.pin === '' && isWholeStaffNumber(signature.number);
  void (needsNoPin ? sendSignature('dealer', signature, send) : submitSignature('dealer', send));
}

/** Popup for the relief of the dealer. It leaves stage and card pad free, so that the game can continue. */
export function ReliefPopup() {
  const t = dealerStrings();
  const r = t.reliefPopup;
  const leaving = staffSession.value?.number ?? '';
  return (
    <section class="pop relief" role="dialog" aria-label={r.title}>
      <h2>{r.title}</h2>
      <div class="body">
        <SignatureFields
          signature={typedSignature.value}
          change={changeSignature}
          isReadOnly
          refused={refusedSignature.value}
        />
        {isTouchInput.value ? (
          <Keypad
            press={(char) => reliefPopupKeys.onChar?.(char)}
            back={() => reliefPopupKeys.back?.()}
            ok={relieve}
            letters
          />
        ) : (
          <>
            <p>
              <b>{r.both(leaving, typedSignature.value.number === '' ? r.next : typedSignature.value.number)}</b>{' '}
              {r.goesOn}
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

/** Sends the relief as soon as the PIN is complete. */
function submitWhenComplete(): void {
  if (signatureDraftAfterEnter(typedSignature.peek()) === null) relieve();
}

export const reliefPopupKeys: SceneKeys = { ...signatureKeys(relieve, submitWhenComplete), escape: closeDraft };
