/** Limits of a server. Times are in milliseconds; a burst and a rate belong to a token bucket. */
export type ServerLimits = {
  /** TCP connections: in total and per address. A page needs some besides its socket. */
  readonly maxConnections: number;
  readonly maxConnectionsPerAddress: number;
  /** Time for an HTTP request to arrive, and for a connection to stay idle. */
  readonly requestMs: number;
  /** Unanswered requests on one connection; a browser sends one after another. */
  readonly maxPipelined: number;
  /** WebSockets: in total and per address. */
  readonly maxSockets: number;
  readonly maxSocketsPerAddress: number;
  /** New terminals per address and minute. */
  readonly seatsPerMinute: number;
  /**
   * Reserved terminals without a bet: in total and per address, and how long one is kept after its last connection
   * closed.
   */
  readonly maxSeats: number;
  readonly maxSeatsPerAddress: number;
  readonly seatMs: number;
  /** Size of a message and number of its fragments. */
  readonly maxMessageBytes: number;
  readonly maxFragments: number;
  /** Time for a message, and for hello, to arrive. */
  readonly messageMs: number;
  /** Messages of one connection. */
  readonly messageBurst: number;
  readonly messagesPerSecond: number;
  /** Slips of one terminal in one round. */
  readonly maxSlipsPerRound: number;
  /** Appends on behalf of one address, mostly slips. */
  readonly writeBurst: number;
  readonly writesPerSecond: number;
  /** Wrong ticket numbers of one terminal and of one address before a block. */
  readonly maxTicketTries: number;
  readonly maxTicketTriesPerAddress: number;
  readonly ticketBlockMs: number;
  /** A blocked address may still try one number in this interval. */
  readonly ticketProbeEveryMs: number;
  /** An empty credit session ends after this time; a break does not count. */
  readonly emptySessionMs: number;
  /** Staff secrets tried per address. */
  readonly signInBurst: number;
  readonly signInsPerSecond: number;
  /** Recall pages per address. */
  readonly recallBurst: number;
  readonly recallsPerSecond: number;
  /** A connection with more unsent bytes is dropped. */
  readonly maxUnreadBytes: number;
  /** Interval of WebSocket pings; a connection without a pong by the next ping is closed. */
  readonly pingEveryMs: number;
};

export const defaultLimits: ServerLimits = {
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
