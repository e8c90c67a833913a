/** Version of the messages in wire/messages.ts. The server tells a page with another version to reload. */
export const protocolVersion = 6;
