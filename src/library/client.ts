// The door `punto/client`: typed ends of the wire to a server, for patrons, screens, readers of cards and staff.
export { type Answer } from '../client/answers.ts';
export { type LinkState } from '../client/link.ts';
export { Patron, type Seen } from '../client/patron.ts';
export { Reader } from '../client/reader.ts';
export { Staff, type StaffSeen } from '../client/staff.ts';
export { type Watched, Watcher } from '../client/watcher.ts';
export { type Socket, type World, freshId, machine, randomHex } from '../client/world.ts';
export { type ClientMessage, type ServerMessage, type Slip } from '../wire/messages.ts';
export { type Purse } from '../wire/purse.ts';
export { type OwnView, type Tile, type View } from '../wire/views.ts';
