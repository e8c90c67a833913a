import { type SecretKind } from './fieldTypes.ts';

/** Id of the hash of a PIN or password in the key-value table. The staff stream names the mark. */
export const secretValueId = (person: string, kind: SecretKind, mark: string): string => `${person}/${kind}/${mark}`;
