import { type WebSocket } from 'ws';
import { type StaffHears, type StaffSays, staffSays } from '../../wire/staff/messages.ts';
import { staffProtocol } from '../../wire/staff/protocolVersion.ts';
import { Caller, type Desk, type Words } from './socketConnection.ts';

const words: Words<StaffSays> = {
  protocol: staffProtocol,
  messages: staffSays,
  helloWith: 'version',
  // What is to be done was meant when it was sent; what is to be looked up was not.
  counts: (said) => 'id' in said && said.type !== 'ask',
};

/** The table that somebody looks at, and how. */
export type Watched = { readonly table: string; readonly as: 'dealer' | 'supervisor' };

/** A person of the staff at the end of one socket. */
export class StaffConnection extends Caller<StaffSays, StaffHears> {
  /** The session that the socket was opened with, for good. */
  readonly session: string;
  watched: Watched | undefined;
  /** It is told of the whole floor. */
  looksAround = false;
  /** It was told that its session is locked. */
  isLocked = false;
  /** When something was last asked here. */
  activeAt: number;

  constructor(socket: WebSocket, address: string, session: string, desk: Desk<StaffConnection, StaffSays>) {
    super(socket, address, words, desk);
    this.session = session;
    this.activeAt = desk.clock();
  }
}
