import { type WebSocket } from 'ws';
import {
  type StaffServerMessage,
  type StaffClientMessage,
  staffClientMessageSchemas,
} from '../../wire/staff/messages.ts';
import { staffProtocolVersion } from '../../wire/staff/protocolVersion.ts';
import { type ServerRefusal } from '../refusals/serverRefusals.ts';
import { SocketConnection, type ConnectionHandler, type SocketProtocol } from './socketConnection.ts';

const staffSpec: SocketProtocol<StaffClientMessage> = {
  protocol: staffProtocolVersion,
  messages: staffClientMessageSchemas,
  helloFields: 'version',
  // A command is a decision of its sender. So a command is handled even if the socket closes first; a query is not.
  survivesClose: (message) => 'id' in message && message.type !== 'query',
};

/** The table that a staff connection has subscribed to, and the role of its view. */
export type TableViewSubscription = { readonly table: string; readonly as: 'dealer' | 'supervisor' };

export class StaffConnection extends SocketConnection<StaffClientMessage, StaffServerMessage> {
  /** Id of the sign-in session; it never changes. */
  readonly session: string;
  subscription: TableViewSubscription | undefined;
  subscribesToFloor = false;
  /** True if the client was notified that its sign-in session is locked. */
  isLocked = false;

  constructor(
    socket: WebSocket,
    address: string,
    session: string,
    handler: ConnectionHandler<StaffConnection, StaffClientMessage>,
  ) {
    super(socket, address, staffSpec, handler);
    this.session = session;
  }

  /**
   * Adds `until` to the refusal: the time at which the block of a staff number ends. Messages to patrons lack this
   * field, because patrons see the end of a break in their balance.
   */
  protected override refusalMessage(refusal: ServerRefusal, id: string | null): object {
    return { ...super.refusalMessage(refusal, id), until: refusal.until };
  }
}
