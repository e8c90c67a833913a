export class NewerSchemaVersion extends Error {}

export class OlderSchemaVersion extends Error {}

/** Refuses a schema version that this program does not read. */
export function checkSchemaVersion(
  subject: 'event store' | 'backup',
  version: number,
  { oldest = 0, newest }: { readonly oldest?: number; readonly newest: number },
): void {
  if (version > newest) {
    throw new NewerSchemaVersion(
      `The ${subject} has schema ${version} and this program knows schemas up to ${newest}; use the newer program.`,
    );
  }
  if (version < oldest) {
    throw new OlderSchemaVersion(
      `The ${subject} has schema ${version}, and this program reads schemas from ${oldest} on; name another folder, or use the program that wrote it.`,
    );
  }
}
