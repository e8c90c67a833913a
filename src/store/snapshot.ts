import { hash } from 'node:crypto';

/** The form of the states that are saved. A snapshot of another form is passed over. */
export const snapshotForm = 2;

/** Binds a state to the entry that it was worked out up to. */
export const snapshotHash = (state: string, head: string): string => `sha256:${hash('sha256', `${head}\n${state}`)}`;
