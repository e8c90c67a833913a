/** The value of an object's own property; undefined for inherited names such as `constructor`. */
export const ownValue = <T>(record: { readonly [name: string]: T }, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;
