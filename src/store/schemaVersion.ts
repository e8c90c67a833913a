/** Error: the event store or backup was written by a newer program. */
export class SchemaTooNewError extends Error {}

/** Error: the event store or backup was written by a program whose schema this program no longer reads. */
export class SchemaTooOldError extends Error {}

/** Throws when this program cannot read the schema version of an event store or backup. */
export function checkSchemaVersion(
  subject: 'event store' | 'backup',
  version: number,
  { oldest = 0, newest }: { readonly oldest?: number; readonly newest: number },
): void {
  if (version > newest) {
    throw new SchemaTooNewError(
      `The ${subject} has schema ${version}, and this program reads schemas up to ${newest}; use a newer program.`,
    );
  }
  if (version < oldest) {
    throw new SchemaTooOldError(
      `The ${subject} has schema ${version}, and this program reads schema ${oldest} and later; use the program that wrote it, or name another ${subject}.`,
    );
  }
}
