/**
 * Version of the messages in wire/staff/messages.ts. The server refuses a client with another version
 * (`wrong-protocol`).
 */
export const staffProtocolVersion = 2;
