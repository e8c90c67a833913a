// Servers, pages, programs and folders of a test are closed when it ends, also when it fails. tests/seed.ts calls this
// after each test and after each file.

type Close = () => unknown;

/** What is open, in the order of opening, with the end that closes it. */
const open = new Map<Close, 'test' | 'file'>();

/** Closes something at the end of the test that opened it, or of the file where a hook did; or of the file in any case. */
export function closeLater(close: Close, after: 'test' | 'file' = 'test'): void {
  open.set(close, after);
}

/** What is open now. */
export const openResources = (): ReadonlySet<Close> => new Set(open.keys());

/** Closes what the test has opened since. */
export const closeSince = (before: ReadonlySet<Close>): Promise<void> =>
  closeAll((close, after) => after === 'test' && !before.has(close));

/** Closes all that is open and fits, the last first. */
export async function closeAll(fits: (close: Close, after: 'test' | 'file') => boolean = () => true): Promise<void> {
  const closing = [...open].filter(([close, after]) => fits(close, after)).toReversed();
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
