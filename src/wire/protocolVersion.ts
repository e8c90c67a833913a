/** The version of all messages. A page of another version is told to load itself again. */
export const protocol = 5;
