import { type WebSocket } from 'ws';
import {
  type StaffServerMessage,
  type StaffClientMessage,
  staffClientMessageSchemas,
} from '../../wire/staff/messages.ts';
import { staffProtocolVersion } from '../../wire/staff/protocolVersion.ts';
import { SocketConnection, type ConnectionHandler, type ProtocolSpec } from './socketConnection.ts';

const staffSpec: ProtocolSpec<StaffClientMessage> = {
  protocol: staffProtocolVersion,
  messages: staffClientMessageSchemas,
  helloFields: 'version',
  // A command is a decision of its sender; a query is not.
  survivesClose: (message) => 'id' in message && message.type !== 'query',
};

export type Subscription = { readonly table: string; readonly as: 'dealer' | 'supervisor' };

export class StaffConnection extends SocketConnection<StaffClientMessage, StaffServerMessage> {
  /** Sign-in session of the socket; it never changes. */
  readonly session: string;
  subscription: Subscription | undefined;
  subscribesToFloor = false;
  /** The lock was sent to the client. */
  isLocked = false;
  /** Time of the last request. */
  activeAt: number;

  constructor(
    socket: WebSocket,
    address: string,
    session: string,
    handler: ConnectionHandler<StaffConnection, StaffClientMessage>,
  ) {
    super(socket, address, staffSpec, handler);
    this.session = session;
    this.activeAt = handler.clock();
  }
}
