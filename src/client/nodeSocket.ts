import { WebSocket } from 'ws';

/** WebSocket for Node. The server checks the origin, so the socket sends the server's own. */
export const openSocket = (address: string): WebSocket =>
  new WebSocket(address, { perMessageDeflate: false, origin: address.replace(/^ws(.+)\/socket$/, 'http$1') });

/** Socket URL of a server, from the URL of its page. */
export const socketUrl = (address: string): string => new URL('socket', address.replace(/^http/, 'ws')).href;
