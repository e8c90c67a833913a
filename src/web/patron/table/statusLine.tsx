import { language } from '../../shared/text/language.ts';
import { connectionState, openTableId, tableView } from '../app/state.ts';
import { currentBanner } from './notices/banner.ts';
import { secondsToClose, secondsToOpen } from './viewSignals.ts';

/**
 * First line of every dialog. At a table, this line shows the phase and the time left. In the lobby, it shows only a
 * lost connection.
 */
export function DialogStatusLine() {
  const isAtTable = openTableId.value !== null && tableView.value !== null;
  if (!isAtTable && connectionState.value === 'open') return null;
  const { en, zh, lamp } = currentBanner.value;
  const left = connectionState.value === 'open' ? (secondsToClose.value ?? secondsToOpen.value) : null;
  return (
    <div class={`status-line announcer is-${lamp}`} data-testid="status-line">
      <i class="lamp" aria-hidden="true" />
      <span role="status">{language.value === 'en' ? en : zh}</span>
      {left !== null && left > 0 && (
        <b role="timer" aria-hidden="true">
          {left}
        </b>
      )}
    </div>
  );
}
