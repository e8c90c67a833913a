import { signal } from '@preact/signals';
import { Dialog } from '../table/dialog.tsx';
import { overlay } from '../app/overlay.ts';
import { patronTime, purse } from '../app/state.ts';
import { SessionTotals, Reality } from './realityCheck.tsx';
import { remindersBy } from './sessionFigures.ts';
import { limitsStrings } from './strings.ts';

const place = 'punto.reminded';

/** Session and number of the last reminder that was closed: "T7.1 2". */
const read = signal(remembered());

function remembered(): string {
  try {
    return localStorage.getItem(place) ?? '';
  } catch {
    return '';
  }
}

function remember(text: string): void {
  read.value = text;
  try {
    localStorage.setItem(place, text);
  } catch {
    // Without storage it is remembered as long as the page.
  }
}

/** Reality check: at its interval shows time and result of the session; one key closes it. */
export function Reminder() {
  const t = limitsStrings();
  const known = purse.value;
  const due = known === null ? 0 : remindersBy(known, patronTime.value);
  if (known === null || due === 0) return null;
  const session = `${known.terminal}.${known.session!.number}`;
  const [whose, count] = read.value.split(' ');
  if (whose === session && Number(count) >= due) return null;
  const close = (): void => remember(`${session} ${due}`);
  return (
    <Dialog name="reminder" role="alertdialog" close={close}>
      <div class="care-body">
        <Reality purse={known} name="reminder" close={close} />
        <SessionTotals purse={known} />
        <div class="care-keys">
          <button
            type="button"
            class="key key-large"
            onClick={() => {
              close();
              overlay.value = 'limits';
            }}
          >
            {t.myLimits}
          </button>
          <button type="button" class="key key-large key-gold" data-testid="keep-playing" autofocus onClick={close}>
            {t.keepPlaying}
          </button>
        </div>
      </div>
    </Dialog>
  );
}
