// Closes servers, pages, processes and folders when a test ends, also when it fails. tests/seed.ts calls this after
// each test and after each file.

type Close = () => unknown;

/** Open resources in the order of opening, with the scope that closes each. */
const open = new Map<Close, 'test' | 'file'>();

/**
 * Closes a resource at the end of the test that opened it, or of the file when a hook opened it; with 'file' always at
 * the end of the file.
 */
export function closeLater(close: Close, after: 'test' | 'file' = 'test'): void {
  open.set(close, after);
}

/** Resources that are open now. */
export const openResources = (): ReadonlySet<Close> => new Set(open.keys());

/** Closes the resources that the test has opened since. */
export const closeSince = (before: ReadonlySet<Close>): Promise<void> =>
  closeAll((close, after) => after === 'test' && !before.has(close));

/** Closes all matching resources, the last first. */
export async function closeAll(matches: (close: Close, after: 'test' | 'file') => boolean = () => true): Promise<void> {
  const closing = [...open].filter(([close, after]) => matches(close, after)).toReversed();
  const failed: unknown[] = [];
  for (const [close] of closing) {
    open.delete(close);
    try {
      await close();
    } catch (error) {
      failed.push(error);
    }
  }
  if (failed.length > 0) throw new AggregateError(failed, 'Something that a test has opened does not close.');
}
