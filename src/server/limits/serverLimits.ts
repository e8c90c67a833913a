/** Limits of a server. Times are in milliseconds. Each `…Burst` and the rate after it belong to one token bucket. */
export type ServerLimits = {
  /** Maximum number of TCP connections in total. A page needs several besides its WebSocket. */
  readonly maxConnections: number;
  /** Maximum number of TCP connections per client address. */
  readonly maxConnectionsPerAddress: number;
  /** Maximum time in which an HTTP request must arrive, and in which an idle connection is kept. */
  readonly requestMs: number;
  /** Maximum number of unanswered HTTP requests on one connection; a browser sends one after another. */
  readonly maxPipelined: number;
  /** Maximum number of WebSockets in total. */
  readonly maxSockets: number;
  /** Maximum number of WebSockets per client address. */
  readonly maxSocketsPerAddress: number;
  /** Maximum number of new terminals per client address and minute. */
  readonly seatsPerMinute: number;
  /** Maximum number of reserved terminals, which have no entries yet, in total. */
  readonly maxSeats: number;
  /** Maximum number of reserved terminals per client address. */
  readonly maxSeatsPerAddress: number;
  /** Time for which a reserved terminal is kept after its last connection has closed. */
  readonly seatMs: number;
  /** Maximum size of a WebSocket message. */
  readonly maxMessageBytes: number;
  /** Maximum number of fragments of a WebSocket message. */
  readonly maxFragments: number;
  /** Maximum time in which a WebSocket message, or the hello of a new connection, must arrive. */
  readonly messageMs: number;
  /** Burst of messages on one connection. */
  readonly messageBurst: number;
  /** Rate of messages on one connection. */
  readonly messagesPerSecond: number;
  /** Maximum number of slips of one terminal in one round. */
  readonly maxSlipsPerRound: number;
  /** Burst of commands that write to the event store, mostly slips, per client address. */
  readonly writeBurst: number;
  /** Rate of commands that write to the event store, per client address. */
  readonly writesPerSecond: number;
  /** Number of wrong ticket numbers after which a terminal is blocked. */
  readonly maxTicketTries: number;
  /** Number of wrong ticket numbers after which a client address is blocked. */
  readonly maxTicketTriesPerAddress: number;
  /** Time of the first block after wrong ticket numbers; each further block is twice as long. */
  readonly ticketBlockMs: number;
  /** A blocked client address may still try one ticket number in this interval. */
  readonly ticketProbeEveryMs: number;
  /** A credit session without credit ends after this time; a break does not count. */
  readonly emptySessionMs: number;
  /** Burst of checks of staff PINs and passwords per client address. */
  readonly signInBurst: number;
  /** Rate of checks of staff PINs and passwords per client address. */
  readonly signInsPerSecond: number;
  /** Burst of requested recall pages per client address. */
  readonly recallBurst: number;
  /** Rate of requested recall pages per client address. */
  readonly recallsPerSecond: number;
  /** A connection with more bytes than this that the client has not read is closed. */
  readonly maxUnreadBytes: number;
  /** Interval of WebSocket pings. A connection that has not answered by the next ping is closed. */
  readonly pingEveryMs: number;
};

export const defaultServerLimits: ServerLimits = {
  maxConnections: 5_000,
  maxConnectionsPerAddress: 600,
  requestMs: 5_000,
  maxPipelined: 8,
  maxSockets: 4_000,
  maxSocketsPerAddress: 500,
  seatsPerMinute: 300,
  maxSeats: 20_000,
  maxSeatsPerAddress: 2_000,
  seatMs: 600_000,
  maxMessageBytes: 8_192,
  maxFragments: 16,
  messageMs: 10_000,
  messageBurst: 40,
  messagesPerSecond: 15,
  maxSlipsPerRound: 100,
  writeBurst: 3_000,
  writesPerSecond: 100,
  maxTicketTries: 5,
  maxTicketTriesPerAddress: 25,
  ticketBlockMs: 60_000,
  ticketProbeEveryMs: 5_000,
  emptySessionMs: 600_000,
  signInBurst: 60,
  signInsPerSecond: 1,
  recallBurst: 50,
  recallsPerSecond: 5,
  maxUnreadBytes: 1 << 20,
  pingEveryMs: 5_000,
};
