import { randomUUID } from 'node:crypto';
import { type ListedTerminal, type ProposedHandPay } from '../../src/wire/staff/cageTypes.ts';
import { type StaffServerMessage } from '../../src/wire/staff/messages.ts';
import { StaffSocket } from '../server/staff/pit.ts';
import { type NodeProcess } from './nodeProcess.ts';
import { SenderAtBothNodes, repeat } from './senderAtBothNodes.ts';

/** One staff member who is signed in at both nodes. */
export class StaffAtBothNodes extends SenderAtBothNodes<StaffServerMessage> {
  constructor(nodes: readonly NodeProcess[], number: string) {
    super(nodes, (node) => StaffSocket.signIn({ address: node.address }, number));
  }

  /** The hand-pay that is proposed at a terminal, as both nodes show it. */
  handPayProposal(terminal: string): Promise<ProposedHandPay> {
    return repeat(async () => {
      const query = { type: 'query', id: randomUUID(), name: 'terminals', params: { text: terminal } };
      const proposals = (await this.ask(query)).map((reply) => {
        const listed = reply.type === 'answer' ? (reply.data['terminals'] as readonly ListedTerminal[]) : [];
        return listed.find((one) => one.terminal === terminal)?.proposal ?? null;
      });
      const [one, other] = proposals;
      return one && one.id === other?.id ? one : undefined;
    });
  }
}
