import { WebSocket } from 'ws';

/** A socket of a program outside a browser. A server opens one only for pages of its own, and so it names itself as one. */
export const socketTo = (address: string): WebSocket =>
  new WebSocket(address, { perMessageDeflate: false, origin: address.replace(/^ws(.+)\/socket$/, 'http$1') });

/** Where the socket of a server is, whose page is at an address. */
export const socketOf = (address: string): string => new URL('socket', address.replace(/^http/, 'ws')).href;
