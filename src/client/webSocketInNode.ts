import { WebSocket } from 'ws';

/** Opens a WebSocket in Node. The server checks the Origin header, so the client sends the server's own origin. */
export const openWebSocketInNode = (address: string): WebSocket =>
  new WebSocket(address, { perMessageDeflate: false, origin: address.replace(/^ws(.+)\/socket$/, 'http$1') });

/** WebSocket URL of a server, made from the URL of its start page. */
export const socketUrlOf = (address: string): string => new URL('socket', address.replace(/^http/, 'ws')).href;
