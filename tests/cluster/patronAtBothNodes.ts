import { type ServerMessage } from '../../src/wire/messages.ts';
import { PatronSocket } from '../server/support/testServer.ts';
import { type NodeProcess } from './nodeProcess.ts';
import { SenderAtBothNodes } from './senderAtBothNodes.ts';

/** One terminal at both nodes. It has a seat at both before its first request. */
export class PatronAtBothNodes extends SenderAtBothNodes<ServerMessage> {
  constructor(nodes: readonly NodeProcess[], secret: string, table: string) {
    super(nodes, (node) => PatronSocket.join({ address: node.address }, secret, table));
  }

  /** The round that takes bets, as the first node shows it. */
  bettingRound(): Promise<string> {
    return this.waitFor((received) => {
      const last = received.findLast(({ type }) => type === 'table');
      return last?.type === 'table' && last.view.phase === 'betting' ? last.view.round?.id : undefined;
    });
  }

  /** Name of the terminal. Precondition: a command of the terminal is stored. */
  terminal(): Promise<string> {
    return this.waitFor((received) => {
      const last = received.findLast(({ type }) => type === 'balance');
      return last?.type === 'balance' ? last.terminal : undefined;
    });
  }
}
