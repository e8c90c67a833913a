import { isPin } from '../../../../access/pin.ts';
import { type DealerView } from '../../../../wire/staff/dealerView.ts';
import { ClauseTag } from '../../kit/components/clauseTag.tsx';
import { Kbd, isTouched } from '../../kit/input/keyCap.tsx';
import { Keypad } from '../../kit/input/keypad.tsx';
import { callReasons } from '../../kit/text/promptStrings.ts';
import { staffRefusalText } from '../../kit/text/refusalText.ts';
import { takeOver } from '../../app/session.ts';
import { isDemoConsole, session } from '../../app/state.ts';
import { Field, PinField } from '../field.tsx';
import { deleteLetter, typeInto } from '../formFields.ts';
import { type Keys } from '../scene.ts';
import { personSpecs } from './approvalScene.tsx';
import { send } from '../../kit/sendCommand.ts';
import { dropDraft, fields, refuseWith, valueOf } from '../state.ts';
import { dealerStrings } from '../strings.ts';

// What lies over a part of the console: the reason of a call, and the next dealer.

function call(n: number): void {
  const reason = callReasons[n];
  if (reason === undefined) return;
  dropDraft();
  void send({ type: 'CallSupervisor', reason });
}

/** Why the supervisor is called. */
export function CallPop({ view }: { readonly view: DealerView }) {
  const t = dealerStrings();
  return (
    <section class="pop" role="dialog" aria-label={t.calls.title}>
      <h2>{t.calls.title}</h2>
      {view.called !== null && <p class="q inset">{t.calls.again}</p>}
      {t.calls.reasons.map((reason, n) => (
        <button key={reason} type="button" onClick={() => call(n)}>
          <Kbd>{n + 1}</Kbd>
          {reason}
          <small>{n === t.calls.reasons.length - 1 ? t.calls.none : ''}</small>
        </button>
      ))}
    </section>
  );
}

export const callKeys: Keys = { takes: 'list', escape: dropDraft, digit: (digit) => call(digit - 1) };

let isAsking = false;

/** The next dealer has given number and PIN; a demo asks for no PIN. */
async function relieve(): Promise<void> {
  const [number, pin] = [valueOf('number'), valueOf('pin')];
  if (isAsking) return;
  if (number === '' || (pin === '' && !isDemoConsole.value)) {
    fields.value = { ...fields.value, on: number === '' ? 'number' : 'pin' };
    return;
  }
  isAsking = true;
  const refused = await takeOver({ number, ...(pin !== '' && { pin }) });
  isAsking = false;
  if (refused === undefined) dropDraft();
  else {
    fields.value = { on: 'pin', values: { number } };
    refuseWith(staffRefusalText(refused.code, refused.message));
  }
}

/** Another dealer takes over, above the right column only: stage, pad and next act stay in use. */
export function ReliefPop() {
  const t = dealerStrings();
  const r = t.reliefPop;
  const leaves = session.value?.number ?? '';
  return (
    <section class="pop relief" role="dialog" aria-label={r.title}>
      <h2>{r.title}</h2>
      <div class="body">
        <div class="row end">
          <Field name="number" label={r.number} />
          <PinField name="pin" label={r.pin} />
        </div>
        {isTouched.value ? (
          <Keypad
            press={(char) => {
              typeInto(personSpecs, char);
              filled();
            }}
            back={() => void deleteLetter(personSpecs)}
            ok={() => void relieve()}
            letters
          />
        ) : (
          <>
            <p>
              <b>{r.both(leaves, valueOf('number') === '' ? r.next : valueOf('number'))}</b> {r.goesOn}
            </p>
            <p class="q">
              {r.keys} <ClauseTag by="HOUSE 2" plain />
            </p>
          </>
        )}
        <div class="row">
          <button type="button" class="btn quiet" onClick={dropDraft}>
            {t.notNow} <Kbd>Esc</Kbd>
          </button>
          <span class="grow" />
          <b class="q">{r.takes}</b>
        </div>
      </div>
    </section>
  );
}

/** With the last digit of the PIN the next dealer takes over. */
function filled(): void {
  if (fields.value.on === 'pin' && isPin(valueOf('pin'))) void relieve();
}

export const reliefKeys: Keys = {
  takes: 'field',
  specs: personSpecs,
  filled,
  escape: dropDraft,
  next: () => void relieve(),
  back: () => void deleteLetter(personSpecs),
};
