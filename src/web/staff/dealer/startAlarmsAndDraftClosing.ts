import { effect } from '@preact/signals';
import { playAlarm } from '../kit/components/alarmSound.ts';
import { staffServerTimeMs } from '../app/state.ts';
import { resetSignature } from './signature.ts';
import { consoleDraft, closeDraft, interruptingProposal, dealerView } from './state.ts';

/**
 * True while the state of the table still allows the draft. A draft of a ruling needs a stopped table, a draft about
 * the shoe needs a table between rounds, and any other draft is always allowed.
 */
const isDraftCurrent = (type: string, isStopped: boolean, phase: string): boolean => {
  if (['rulings', 'reconstruct', 'by-eye'].includes(type)) return isStopped;
  if (['count', 'differs', 'seal', 'depth'].includes(type)) return phase === 'idle';
  return true;
};

/**
 * Sounds the alarms of a dealer console. Closes the draft when the table no longer allows it, or when a new proposal
 * interrupts it. Returns a function that stops alarms and closing.
 */
export function startAlarmsAndDraftClosing(): () => void {
  let wasStopped = false;
  let lastProposalId: string | null = null;
  let lastTick = 0;
  const disposers = [
    effect(() => {
      const view = dealerView.value;
      const isStopped = view !== null && (view.stopped !== null || view.referred.length > 0 || view.fault !== null);
      if (isStopped && !wasStopped) playAlarm('stop');
      wasStopped = isStopped;
      const type = consoleDraft.peek()?.type;
      if (view !== null && type !== undefined && !isDraftCurrent(type, view.stopped !== null, view.phase)) closeDraft();
    }),
    effect(() => {
      const openId = interruptingProposal.value?.id ?? null;
      if (openId === lastProposalId) return;
      if (openId !== null) {
        playAlarm('second');
        closeDraft();
        resetSignature();
      }
      lastProposalId = openId;
    }),
    effect(() => {
      const view = dealerView.value;
      if (view?.phase !== 'betting' || view.bets === 'chips' || view.round === null) return;
      const secondsLeft = Math.ceil((view.round.closesAt - staffServerTimeMs.value) / 1000);
      if (secondsLeft === lastTick) return;
      lastTick = secondsLeft;
      if (secondsLeft > 0 && secondsLeft <= 3) playAlarm('tick');
    }),
  ];
  return () => {
    for (const dispose of disposers) dispose();
  };
}
