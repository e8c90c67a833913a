// The door `punto/client`: typed ends of the wire to a server, for patrons, screens, readers of cards and staff.
export { type Answer } from '../client/pendingRequests.ts';
export { type LinkState } from '../client/reconnectingSocket.ts';
export { Patron, type Seen } from '../client/patronClient.ts';
export { Reader } from '../client/cardReaderClient.ts';
export { Staff, type StaffSeen } from '../client/staffClient.ts';
export { type Watched, Watcher } from '../client/displayClient.ts';
export { type Socket, type World, freshId, machine, randomHex } from '../client/environment.ts';
export { type ClientMessage, type ServerMessage, type Slip } from '../wire/messages.ts';
export { type Purse } from '../wire/terminalBalance.ts';
export { type OwnView, type Tile, type View } from '../wire/tableView.ts';
