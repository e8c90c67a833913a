export class NewerRecord extends Error {}

export class OlderRecord extends Error {}

/** Refuses a schema version that this program does not read. */
export function checkSchemaVersion(
  subject: 'event store' | 'backup',
  version: number,
  { oldest = 0, newest }: { readonly oldest?: number; readonly newest: number },
): void {
  if (version > newest) {
    throw new NewerRecord(
      `The ${subject} has schema ${version} and this program knows schemas up to ${newest}; use the newer program.`,
    );
  }
  if (version < oldest) {
    throw new OlderRecord(
      `The ${subject} has schema ${version}, and this program reads schemas from ${oldest} on; name another folder, or use the program that wrote it.`,
    );
  }
}
