import { type SecretKind } from './fieldTypes.ts';

/** Id under which the key-value table has the hash of a PIN or password. The staff stream holds only the mark. */
export const secretValueId = (person: string, kind: SecretKind, mark: string): string => `${person}/${kind}/${mark}`;
