import { type StaffActor, type Actor } from '../../src/access/actor.ts';
import { isDeepStrictEqual } from 'node:util';
import { terminalDecider } from '../../src/deciders/deciders.ts';
import { decideTerminal } from '../../src/terminal/decide.ts';
import { type TerminalCommand } from '../../src/terminal/commands.ts';
import { type TerminalEvent } from '../../src/terminal/events.ts';
import { type TerminalRefusal } from '../../src/terminal/decision.ts';
import { evolveTerminal } from '../../src/terminal/evolve.ts';
import { type TerminalState } from '../../src/terminal/state.ts';

export const floor: Actor = { system: 'floor' };
export const cage: StaffActor = { person: 'c1', role: 'cage' };
export const supervisor: StaffActor = { person: 's1', role: 'supervisor' };
export const pitManager: StaffActor = { person: 'p1', role: 'pit-manager' };
export const dealer: StaffActor = { person: 'd1', role: 'dealer' };

export const seat = { type: 'SeatTerminal', terminal: 'T7', property: 'sg1', currency: 'SGD' } as const;
export const load = { type: 'LoadCredit', method: 'cash', amount: 500 } as const;
export const collect = { type: 'CollectCredit', method: 'ticket', credit: 500, staked: 0, disputed: 0 } as const;
export const ticket = 'a'.repeat(32);
export const end = { type: 'EndSession', credit: 0, staked: 0, disputed: 0 } as const;
export const issue = { type: 'IssueTicket', ticket, credit: 500, staked: 0, disputed: 0 } as const;
export const redeem = { type: 'RedeemTicket', ticket, value: 700, leaving: 0 } as const;
export const reportAttempts = { type: 'ReportTicketAttempts', attempts: 5, since: 90, of: 'terminal' } as const;
export const pay = { type: 'PaySession', session: 1, credit: 300, disputed: 0 } as const;
export const byHand = { type: 'PayByHand', what: 'jackpot', amount: 30, second: pitManager, amountDue: 30 } as const;
export const sign = {
  type: 'SignHandPay',
  what: 'cancelled-credit',
  amount: 30,
  second: pitManager,
  amountDue: 30,
} as const;
export const propose = { type: 'ProposeHandPay', what: 'cancelled-credit', amount: 30, amountDue: 30 } as const;
export const drop = { type: 'WithdrawHandPayProposal', proposal: 'P1' } as const;
export const withdraw = { type: 'WithdrawHandPay', signature: 1, reason: 'The wrong terminal.' } as const;
export const paySigned = { type: 'PaySigned', signature: 1 } as const;
export const lock = { type: 'LockTerminal', reason: 'A door is open.' } as const;
export const limit = { type: 'LimitSession', stake: 300, loss: 400 } as const;
export const pause = { type: 'PauseSession', minutes: 30 } as const;
export const unlock = { type: 'UnlockTerminal', reason: 'It is shut.' } as const;

export type CommandInput = { readonly type: TerminalCommand['type']; readonly at?: number; readonly actor?: Actor };

/** One terminal that executes commands in order. */
export class TerminalScenario {
  terminal: TerminalState | undefined;
  at = 100;

  submit(input: CommandInput): readonly TerminalEvent[] | TerminalRefusal {
    const command = terminalDecider.parseCommand({ actor: floor, at: this.at, ...input });
    if ('refused' in command) throw new Error(command.message);
    const before = structuredClone(this.terminal);
    const decision = decideTerminal(command, this.terminal);
    if (!isDeepStrictEqual(this.terminal, before)) throw new Error('decide changed the state.');
    if (!('refused' in decision)) {
      if (decision.length === 0) throw new Error(`${command.type} is accepted without an event`);
      for (const event of decision) this.terminal = evolveTerminal(this.terminal, event);
    }
    this.at += 1;
    return decision;
  }

  /** Applies commands; a refusal is an error of the test. */
  apply(...all: readonly CommandInput[]): this {
    for (const input of all) {
      const decision = this.submit(input);
      if ('refused' in decision) throw new Error(decision.message);
    }
    return this;
  }
}

/** Approval of the proposal by the second person. */
export const approvalOf = (one: TerminalScenario, more: object = {}): CommandInput => {
  const { id: proposal, hash } = one.terminal!.proposal!;
  return { type: 'ApproveHandPay', proposal, hash, amountDue: 30, actor: pitManager, ...more } as CommandInput;
};

export const seatedTerminal = (): TerminalScenario => new TerminalScenario().apply(seat);
export const loadedTerminal = (): TerminalScenario => seatedTerminal().apply(load);
export const stamp = (at: number, actor: Actor = floor) => ({ v: 1, at, actor });
