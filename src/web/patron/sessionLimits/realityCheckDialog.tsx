import { signal } from '@preact/signals';
import { Dialog } from '../table/dialog.tsx';
import { currentOverlay } from '../app/overlay.ts';
import { patronServerTimeMs, terminalMoneyState } from '../app/state.ts';
import { SessionTotals, SessionLengthHeading } from './sessionSummary.tsx';
import { dueRealityCheckCount } from './sessionFigures.ts';
import { limitsStrings } from './strings.ts';

const storageKey = 'punto.reminded';

/** Id of the last reality check that the patron closed: session and number of the check, such as "T7.1 2". */
const lastClosed = signal(loadLastClosed());

function loadLastClosed(): string {
  try {
    return localStorage.getItem(storageKey) ?? '';
  } catch {
    return '';
  }
}

function saveLastClosed(text: string): void {
  lastClosed.value = text;
  try {
    localStorage.setItem(storageKey, text);
  } catch {
    // Without browser storage the value is lost when the page is closed.
  }
}

/**
 * Reality check: after each interval it shows the length and the net result of the session, until the patron closes it.
 */
export function RealityCheckDialog() {
  const t = limitsStrings();
  const balance = terminalMoneyState.value;
  const due = balance === null ? 0 : dueRealityCheckCount(balance, patronServerTimeMs.value);
  if (balance === null || due === 0) return null;
  const session = `${balance.terminal}.${balance.session!.number}`;
  const [closedSession, count] = lastClosed.value.split(' ');
  if (closedSession === session && Number(count) >= due) return null;
  const close = (): void => saveLastClosed(`${session} ${due}`);
  return (
    <Dialog name="reminder" role="alertdialog" close={close}>
      <div class="limits-body">
        <SessionLengthHeading balance={balance} name="reminder" close={close} />
        <SessionTotals balance={balance} />
        <div class="limits-keys">
          <button
            type="button"
            class="key key-large"
            onClick={() => {
              close();
              currentOverlay.value = 'limits';
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
