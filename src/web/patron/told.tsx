import { computed, effect, signal, untracked } from '@preact/signals';
import { money } from '../../rules/money.ts';
import { reasonText } from '../shared/names.ts';
import { backWords } from './backWords.ts';
import { keptIn } from './kept.ts';
import { recent } from './recent.ts';
import { own, view } from './state.ts';
import { type Tellings, type Told, acknowledged, nothingTold, tellingsAfter, tellingsRecalled } from './told.ts';

const storage = keptIn<Tellings>(() => localStorage, 'punto.told', nothingTold);
const tellings = signal(storage.read());

function keep(next: Tellings): void {
  if (next === tellings.value) return;
  tellings.value = next;
  storage.write(next);
}

effect(() => {
  const [table, mine] = [view.value, own.value];
  if (table === null || mine === null) return;
  untracked(() => keep(tellingsAfter(tellings.value, table, mine)));
});

effect(() => {
  const rounds = recent.value;
  if (rounds !== null) untracked(() => keep(tellingsRecalled(tellings.value, rounds)));
});

/** By how much a credit changes: +4.75 or −5.00. */
const signed = (cents: number): string => `${cents < 0 ? '−' : '+'}${money(Math.abs(cents))}`;

function textOf({ kind, number, stake, returned, was, reason }: Told): string {
  const t = backWords();
  const what = {
    void: t.toldVoid(number, money(stake), money(returned)),
    part: t.toldPart(number, money(returned)),
    corrected: t.toldCorrected(number, money(stake), money(returned)),
  }[kind];
  return [what, ...(was === null ? [] : [t.toldWas(money(was), signed(returned - was))]), reasonText(reason)]
    .join(' ')
    .trimEnd();
}

/** What is to be told first. */
export const told = computed(() => tellings.value.waiting[0] ?? null);

function isTold(number: number, kind: Told['kind']): boolean {
  const { waiting, done } = tellings.value;
  const start = `${view.value?.table}/${number}/${kind}/`;
  return [...done, ...waiting.map(({ key }) => key)].some((key) => key.startsWith(start));
}

/** Whether a void of that round was told here, be it read or not. */
export const isVoidTold = (number: number): boolean => isTold(number, 'void');

/** Whether it was told that the bets of this terminal are void, with the round or without it. */
export const areBetsToldVoid = (number: number): boolean => isVoidTold(number) || isTold(number, 'part');

/** A void or a correction with its amounts, until it is acknowledged. */
export function ToldNotice() {
  const what = told.value;
  if (what === null) return null;
  return (
    <div class="refusal" role="status" data-testid="told">
      <p>
        {textOf(what)} {what.by !== '' && <code>{what.by}</code>}
      </p>
      <button type="button" onClick={() => keep(acknowledged(tellings.value, what.key))}>
        {backWords().acknowledge}
      </button>
    </div>
  );
}
