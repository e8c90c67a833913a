import { type Setting } from '../table/declare/setting.ts';
import { propertyAccount, terminalAccount } from './accounts.ts';
import { type Posting } from './postings.ts';

/** The ways in which credit comes to a terminal or leaves it, and whether the cage or the world outside is behind them. */
const creditWays = {
  cash: 'cage',
  bill: 'cage',
  ticket: 'external',
  transfer: 'external',
  promotion: 'external',
} as const;
type CreditWay = keyof typeof creditWays;

/** Credit that comes to a terminal or leaves it, away from any table. */
export type CreditEvent =
  | {
      readonly type: 'CreditLoaded';
      readonly terminal: string;
      readonly by: CreditWay;
      readonly amount: number;
      /** What the bill is worth, where it is one. */
      readonly bill?: number;
    }
  | {
      readonly type: 'CreditCollected';
      readonly terminal: string;
      readonly by: Exclude<CreditWay, 'bill'> | 'hand';
      readonly amount: number;
    }
  /** A large win or a credit that could not be paid otherwise, handed over by two persons. */
  | {
      readonly type: 'HandPaid';
      readonly terminal: string;
      readonly what: 'jackpot' | 'cancelled-credit';
      readonly amount: number;
    };

/** The money that such an event moves. */
export function creditPostings(event: CreditEvent, owner: Pick<Setting, 'property' | 'currency'>): readonly Posting[] {
  const terminal = terminalAccount(owner, event.terminal);
  const { amount } = event;
  switch (event.type) {
    case 'CreditLoaded':
      return [{ from: propertyAccount(owner, creditWays[event.by]), to: terminal, amount }];
    case 'CreditCollected': {
      const to = event.by === 'hand' ? 'hand-pay' : creditWays[event.by];
      return [{ from: terminal, to: propertyAccount(owner, to), amount }];
    }
    case 'HandPaid':
      return [{ from: propertyAccount(owner, 'hand-pay'), to: propertyAccount(owner, 'cage'), amount }];
  }
}

/** What a terminal took in and gave out, way by way, bills by what they are worth. They only grow. */
export type Transfers = {
  readonly in: { [W in CreditWay]: number };
  readonly out: { [W in CreditWay]: number };
  readonly bills: { [worth: string]: number };
  readonly handPaid: { jackpot: number; 'cancelled-credit': number };
};

const noWays = () => ({ cash: 0, bill: 0, ticket: 0, transfer: 0, promotion: 0 });

export const noTransfers = (): Transfers => ({
  in: noWays(),
  out: noWays(),
  bills: {},
  handPaid: { jackpot: 0, 'cancelled-credit': 0 },
});

/** The transfers after such an event; changed in place. What waits for hand-pay counts once it is paid. */
export function meterTransfer(transfers: Transfers, event: CreditEvent): void {
  switch (event.type) {
    case 'CreditLoaded':
      transfers.in[event.by] += event.amount;
      if (event.bill !== undefined) transfers.bills[event.bill] = (transfers.bills[event.bill] ?? 0) + 1;
      return;
    case 'CreditCollected':
      if (event.by !== 'hand') transfers.out[event.by] += event.amount;
      return;
    case 'HandPaid':
      transfers.handPaid[event.what] += event.amount;
      return;
  }
}
