import { type Setting } from '../table/setting.ts';
import { propertyAccount, terminalAccount } from './accounts.ts';
import { type Posting } from './postings.ts';

/** Credit that comes to a terminal or leaves it, away from any table. */
export type CreditEvent =
  | {
      readonly type: 'CreditLoaded';
      readonly terminal: string;
      readonly from: 'cage' | 'external';
      readonly amount: number;
    }
  | {
      readonly type: 'CreditCollected';
      readonly terminal: string;
      readonly to: 'cage' | 'external' | 'hand-pay';
      readonly amount: number;
    }
  | { readonly type: 'HandPaid'; readonly terminal: string; readonly amount: number }
  | { readonly type: 'ShortfallPaid'; readonly terminal: string; readonly amount: number };

/** The money that such an event moves. */
export function creditPostings(event: CreditEvent, owner: Pick<Setting, 'property' | 'currency'>): readonly Posting[] {
  const terminal = terminalAccount(owner, event.terminal);
  const { amount } = event;
  switch (event.type) {
    case 'CreditLoaded':
      return [{ from: propertyAccount(owner, event.from), to: terminal, amount }];
    case 'CreditCollected':
      return [{ from: terminal, to: propertyAccount(owner, event.to), amount }];
    case 'HandPaid':
      return [{ from: propertyAccount(owner, 'hand-pay'), to: propertyAccount(owner, 'cage'), amount }];
    case 'ShortfallPaid':
      return [{ from: terminal, to: propertyAccount(owner, 'shortfall'), amount }];
  }
}

/** What a terminal took in and gave out, by where it came from and went. They only grow. */
export type Transfers = { cageIn: number; externalIn: number; cageOut: number; externalOut: number; handPaid: number };

export const noTransfers = (): Transfers => ({ cageIn: 0, externalIn: 0, cageOut: 0, externalOut: 0, handPaid: 0 });

/** The transfers after such an event; changed in place. What waits for hand-pay counts once it is paid. */
export function meterTransfer(transfers: Transfers, event: CreditEvent): void {
  switch (event.type) {
    case 'CreditLoaded':
      transfers[event.from === 'cage' ? 'cageIn' : 'externalIn'] += event.amount;
      return;
    case 'CreditCollected':
      if (event.to !== 'hand-pay') transfers[event.to === 'cage' ? 'cageOut' : 'externalOut'] += event.amount;
      return;
    case 'HandPaid':
      transfers.handPaid += event.amount;
      return;
    case 'ShortfallPaid':
      return;
  }
}
