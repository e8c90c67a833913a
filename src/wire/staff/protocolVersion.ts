/** Version of all staff messages. A page of another version is asked to reload. */
export const staffProtocolVersion = 2;
