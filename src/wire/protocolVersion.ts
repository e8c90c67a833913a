/** Version of the messages in wire/messages.ts. The server refuses a client with another version (`wrong-protocol`). */
export const protocolVersion = 6;
