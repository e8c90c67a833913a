import { type SecretKind } from './fieldTypes.ts';

/** Id under which the hash of a PIN or password is in the key-value table. The staff stream holds only the mark. */
export const secretValueId = (person: string, kind: SecretKind, mark: string): string => `${person}/${kind}/${mark}`;
