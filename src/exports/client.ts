// Entry point `punto/client`: typed clients for patrons, displays, card readers and staff.
export { type ClientReply } from '../client/pendingRequests.ts';
export { type ConnectionState } from '../client/reconnectingSocket.ts';
export { PatronClient, type PatronClientState } from '../client/patronClient.ts';
export { CardReaderClient } from '../client/cardReaderClient.ts';
export { StaffClient, type StaffClientState } from '../client/staffClient.ts';
export { type DisplayClientState, DisplayClient } from '../client/displayClient.ts';
export {
  type Socket,
  type ClientEnvironment,
  newUniqueId,
  createClientEnvironment,
  randomHex,
} from '../client/environment.ts';
export { type ClientMessage, type ServerMessage, type SlipStakes } from '../wire/messages.ts';
export { type TerminalMoneyState } from '../wire/terminalMoneyState.ts';
export { type TerminalTableView, type LobbyTile, type PublicTableView } from '../wire/tableView.ts';
