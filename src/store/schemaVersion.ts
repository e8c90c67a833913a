export class NewerRecord extends Error {}

export class OlderRecord extends Error {}

/** Refuses a schema version that this program does not read. */
export function checkSchemaVersion(
  subject: 'record' | 'backup',
  version: number,
  { oldest = 0, newest }: { readonly oldest?: number; readonly newest: number },
): void {
  if (version > newest) {
    throw new NewerRecord(
      `The ${subject} is of form ${version} and this program knows forms up to ${newest}; use the newer program.`,
    );
  }
  if (version < oldest) {
    throw new OlderRecord(
      `The ${subject} is of form ${version}, and this program reads forms from ${oldest} on; name another folder, or use the program that wrote it.`,
    );
  }
}
