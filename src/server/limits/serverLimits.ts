/**
 * Limits of a server. Times are in milliseconds. A field `…Burst` and the rate in the field after it are the settings
 * of one token bucket. A field `…PerAddress` limits each client address separately.
 */
export type ServerLimits = {
  /** Maximum number of TCP connections. A page needs several connections besides its WebSocket. */
  readonly maxConnections: number;
  readonly maxConnectionsPerAddress: number;
  /** Maximum time in which an HTTP request must have arrived, and for which an idle connection is kept open. */
  readonly requestMs: number;
  /** Maximum number of unanswered HTTP requests on one connection; a browser sends one request after another. */
  readonly maxPipelined: number;
  readonly maxSockets: number;
  readonly maxSocketsPerAddress: number;
  /** Maximum number of new terminals per client address and minute. */
  readonly seatsPerMinute: number;
  /** Maximum number of reserved terminals: terminals that have no entries in the event log yet. */
  readonly maxSeats: number;
  readonly maxSeatsPerAddress: number;
  /** Time for which a reserved terminal is kept after its last connection has closed. */
  readonly seatMs: number;
  readonly maxMessageBytes: number;
  /** Maximum number of fragments of a WebSocket message. */
  readonly maxFragments: number;
  /**
   * Maximum time from the first to the last byte of a WebSocket message, and from the opening of a connection to its
   * hello.
   */
  readonly messageMs: number;
  /** Burst of messages, per connection. */
  readonly messageBurst: number;
  readonly messagesPerSecond: number;
  /** Maximum number of slips of one terminal in one round. */
  readonly maxSlipsPerRound: number;
  /** Burst of commands that write to the event store, mostly slips, per client address. */
  readonly writeBurst: number;
  readonly writesPerSecond: number;
  /** After this many wrong ticket numbers a credit session is blocked: for a time it may not try further numbers. */
  readonly maxTicketAttempts: number;
  readonly maxTicketAttemptsPerAddress: number;
  /**
   * Length of the first block after wrong ticket numbers. Each further block is twice as long, up to 128 times the
   * first block.
   */
  readonly ticketBlockMs: number;
  /** A blocked client address may still try one ticket number per interval of this length. */
  readonly ticketProbeEveryMs: number;
  /**
   * Time after which a credit session ends that has no credit. The time begins with the last change of the session, or
   * with the end of a break of its patron.
   */
  readonly emptySessionMs: number;
  /** Burst of checks of staff PINs, passwords and console codes, per client address. */
  readonly signInBurst: number;
  readonly signInsPerSecond: number;
  /** Burst of requested recall pages, per client address. */
  readonly recallBurst: number;
  readonly recallsPerSecond: number;
  /** Maximum number of sent bytes that a client has not read; a connection with more unread bytes is closed. */
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
  maxTicketAttempts: 5,
  maxTicketAttemptsPerAddress: 25,
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
