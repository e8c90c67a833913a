/** Version of all messages. A page of another version is asked to reload. */
export const protocolVersion = 6;
