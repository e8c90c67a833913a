import { computed, effect, signal, untracked } from '@preact/signals';
import { formatMoney } from '../../../base/formatMoney.ts';
import { Icon } from '../../shared/controls/icons.tsx';
import {
  type ReconnectMessage,
  type SavedReconnectState,
  keptAfter,
  keptRecalled,
  stateAtLeave,
  nothingKept,
  putAway,
} from './reconnectState.ts';
import { backWords } from './strings.ts';
import { keptIn } from '../app/browserStorage.ts';
import { recent } from './recentRounds.ts';
import { missed, slipState, slipTotal } from '../app/slipSignals.ts';
import { terminalViewSignal, tableView } from '../app/state.ts';
import { isToldHere } from './roundNotice.tsx';

const storage = keptIn(() => sessionStorage, 'punto.back', nothingKept);
/** A new page counts as disconnected until it has received the view of its table. */
const kept = signal({ ...storage.read(), isAway: true });

function keep(next: SavedReconnectState): void {
  if (next === kept.value) return;
  kept.value = next;
  storage.write(next);
}

effect(() => {
  const state = slipState.value;
  untracked(() => {
    const sight = tableView.value &&
      terminalViewSignal.value && { view: tableView.value, own: terminalViewSignal.value };
    keep(keptAfter(kept.value, state, sight));
  });
});

effect(() => {
  const [rounds, now] = [recent.value, kept.value];
  if (rounds !== null) untracked(() => keep(keptRecalled(now, rounds)));
});

function textOf(said: ReconnectMessage): string {
  const t = backWords();
  switch (said.kind) {
    case 'out':
      return t.out(said.number);
    case 'playing':
      return t.playing(said.number, formatMoney(said.stake));
    case 'settled': {
      const result = said.winner === null ? '' : t.results[said.winner];
      return t.settled(said.number, result, formatMoney(said.stake), formatMoney(said.returned));
    }
    case 'void':
      return t.voided(said.number, formatMoney(said.returned));
    case 'over':
      return t.over(said.number);
    case 'unsure':
      return t.unsure(said.number);
  }
}

/** True if the notice of a missed slip already reports this. */
const isMissed = ({ said }: SavedReconnectState): boolean =>
  said?.kind === 'out' && missed.value?.number === said.number;

/** The message to show now; null if the notice of a missed slip or of a void already reports it. */
export const backSaid = computed(() => {
  const { said } = kept.value;
  if (said === null || isMissed(kept.value)) return null;
  return said.kind === 'void' && isToldHere(said.round, 'void') ? null : said;
});

/** Closes the notice of a missed slip, and the reconnect message that reports the same. */
export function closeMissed(): void {
  if (isMissed(kept.value)) keep(putAway(kept.value));
  missed.value = null;
}

/** After a lost connection: whether the terminal was in the round, until the patron closes it. */
export function BackNotice() {
  const said = backSaid.value;
  if (said === null) return null;
  return (
    <div class="refusal" role="status" data-testid="back">
      <p>
        {textOf(said)} <code>{said.by}</code>
      </p>
      <button type="button" onClick={() => keep(putAway(kept.value))}>
        {backWords().close}
      </button>
    </div>
  );
}

/** For a table that was left while disconnected: which stakes are accepted, and which may be. */
export function LeftTableNotice() {
  const t = backWords();
  const left = stateAtLeave(kept.value, slipState.value);
  if (left === null) return null;
  const stake = slipTotal(left.accepted);
  const { table, number, waits, doubt } = left;
  return (
    <ul class="notice-list" data-testid="left">
      {stake > 0 && (
        <li class="is-in">
          <Icon name="check" />
          <span>{t.leftIn(table, number)}</span> <b>{formatMoney(stake)}</b>
        </li>
      )}
      {waits && (
        <li class="is-out">
          <Icon name="warn" />
          <span>{doubt === null ? t.leftUnsent(table, number) : t.leftDoubt(table, number)}</span>{' '}
          {doubt !== null && <b>{`${doubt < 0 ? '−' : ''}${formatMoney(Math.abs(doubt))}`}</b>}
        </li>
      )}
    </ul>
  );
}
