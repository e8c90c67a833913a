import { type ComponentChildren } from 'preact';
import { currentOverlay } from '../app/overlay.ts';
import { patronServerTimeMs, terminalMoneyState } from '../app/state.ts';
import { sessionMinutes } from './sessionFigures.ts';
import { limitsStrings } from './strings.ts';

/** Button with the length of the session in hours and minutes. It opens the dialog of limits, break and help. */
export function SessionClockButton({ children }: { readonly children?: ComponentChildren }) {
  const t = limitsStrings();
  const balance = terminalMoneyState.value;
  if (balance === null) return <>{children}</>;
  const minutes = sessionMinutes(balance, patronServerTimeMs.value);
  const time = `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
  return (
    <button
      type="button"
      class="key key-bar session-clock"
      title={balance.session === null ? t.noSessionLabel : t.clockLabel(minutes)}
      data-testid="session-clock"
      onClick={() => (currentOverlay.value = 'limits')}
    >
      {children}
      <small>{balance.session === null ? t.noSession : `${t.session} ${time}`}</small>
    </button>
  );
}
