import { effect } from '@preact/signals';
import { alarm } from '../kit/components/alarmSound.ts';
import { now } from '../app/state.ts';
import { beginFields, draft, dropDraft, openProposalSignal, preview, dealerView } from './state.ts';

/** A draft is dropped when the situation that it answers is over. */
const lasts = (what: string, stopped: boolean, phase: string): boolean => {
  if (['ways', 'rebuild', 'by-eye'].includes(what)) return stopped;
  if (['count', 'differs', 'seal', 'depth'].includes(what)) return phase === 'idle';
  return true;
};

/** Sounds the alarms of a dealer console and drops stale drafts. Returns the function that stops it. */
export function alarms(): () => void {
  let wasStopped = false;
  let proposal: string | null = null;
  let tick = 0;
  const ends = [
    effect(() => {
      const shown = dealerView.value;
      const isStopped =
        shown !== null && (shown.stopped !== null || shown.referred.length > 0 || shown.trouble !== null);
      if (isStopped && !wasStopped) alarm('stop');
      wasStopped = isStopped;
      const what = draft.peek()?.what;
      if (shown !== null && what !== undefined && !lasts(what, shown.stopped !== null, shown.phase)) dropDraft();
    }),
    effect(() => {
      const open = openProposalSignal.value?.id ?? null;
      if (open === proposal) return;
      if (open !== null) {
        alarm('second');
        dropDraft();
        beginFields('number');
      } else preview.value = null;
      proposal = open;
    }),
    effect(() => {
      const shown = dealerView.value;
      if (shown?.phase !== 'betting' || shown.bets === 'chips' || shown.round === null) return;
      const left = Math.ceil((shown.round.closesAt - now.value) / 1000);
      if (left === tick) return;
      tick = left;
      if (left > 0 && left <= 3) alarm('tick');
    }),
  ];
  return () => {
    for (const end of ends) end();
  };
}
