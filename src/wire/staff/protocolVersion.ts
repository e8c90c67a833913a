/** The version of all staff messages. A page of another version is told to load itself again. */
export const staffProtocol = 1;
