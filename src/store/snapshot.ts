import { createHmac } from 'node:crypto';

/** The form of the states that are saved. A snapshot of another form is passed over. */
export const snapshotForm = 4;

/** Binds a state to the entry that it was worked out up to. Without the key of the record nobody can make one up. */
export const snapshotHash = (state: string, head: string, key: Buffer): string =>
  `hmac-sha256:${createHmac('sha256', key).update(`${head}\n${state}`).digest('hex')}`;
