/** Version of the messages in wire/staff/messages.ts. The server tells a page with another version to reload. */
export const staffProtocolVersion = 2;
