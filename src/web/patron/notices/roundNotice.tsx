import { computed, effect, signal, untracked } from '@preact/signals';
import { formatMoney } from '../../../base/formatMoney.ts';
import { reasonText } from '../../shared/text/gameNames.ts';
import { backWords } from './strings.ts';
import { keptIn } from '../app/browserStorage.ts';
import { recent } from './recentRounds.ts';
import { terminalViewSignal, purse, tableView } from '../app/state.ts';
import {
  type Tellings,
  type RoundNotice,
  acknowledged,
  nothingTold,
  tellingsAfter,
  tellingsIn,
  tellingsRecalled,
} from './roundNoticeState.ts';

const storage = keptIn<Tellings>(() => localStorage, 'punto.told', nothingTold);
const tellings = signal(storage.read());

function keep(next: Tellings): void {
  if (next === tellings.value) return;
  tellings.value = next;
  storage.write(next);
}

effect(() => {
  const { terminal, session = null } = purse.value ?? {};
  if (session === null) return;
  untracked(() => keep(tellingsIn(tellings.value, `${terminal}.${session.number}`)));
});

effect(() => {
  const [table, mine] = [tableView.value, terminalViewSignal.value];
  if (table === null || mine === null) return;
  untracked(() => keep(tellingsAfter(tellings.value, table, mine)));
});

effect(() => {
  const rounds = recent.value;
  if (rounds !== null) untracked(() => keep(tellingsRecalled(tellings.value, rounds)));
});

/** A change of credit: +4.75 or −5.00. */
const signed = (cents: number): string => `${cents < 0 ? '−' : '+'}${formatMoney(Math.abs(cents))}`;

/** The oldest notice that is not acknowledged. */
export const told = computed<RoundNotice | null>(() => tellings.value.waiting[0] ?? null);

function isTold(round: string, kind: RoundNotice['kind']): boolean {
  const { waiting, done } = tellings.value;
  const start = `${round}/${kind}/`;
  return [...done, ...waiting.map(({ key }) => key)].some((key) => key.startsWith(start));
}

/**
 * True if a notice with amounts about this round was shown here, acknowledged or not. A void of single bets counts as
 * a void.
 */
export const isToldHere = (round: string, kind: 'void' | 'corrected'): boolean =>
  isTold(round, kind) || (kind === 'void' && isTold(round, 'part'));

/** A void or a correction: what happened, why, by which clause, and the money, until the patron acknowledges it. */
export function ToldNotice() {
  const what = told.value;
  if (what === null) return null;
  const t = backWords();
  const { key, kind, table, number, stake, returned, was, reason, by } = what;
  return (
    <div class="refusal" role="status" data-testid="told">
      <div class="notice-body">
        <h2>
          {table !== tableView.value?.table && t.toldAt(table)} {t.toldTitle[kind](number)}
        </h2>
        <p>
          {reasonText(reason)} {was !== null && t.toldWas(formatMoney(was), signed(returned - was))}{' '}
          {by !== '' && <code class="clause">{by}</code>}
        </p>
        <p class="notice-money">
          <span>{t.toldMoney[kind](formatMoney(stake))}</span> <b>{formatMoney(returned)}</b>
        </p>
      </div>
      <button type="button" onClick={() => keep(acknowledged(tellings.value, key))}>
        {t.acknowledge}
      </button>
    </div>
  );
}
