import { ReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';

/**
 * Makes a Fastify `onSend` hook that serves static files from memory. Each file is read once, and all replies share its
 * bytes. So a slow client occupies no open file and no memory of its own.
 */
export function createFileMemoryCacheHook(
  read: (path: string) => Promise<Buffer> = readFile,
): (request: unknown, reply: unknown, payload: unknown) => Promise<unknown> {
  const cache = new Map<string, Promise<Buffer>>();
  return async (_, __, payload) => {
    if (!(payload instanceof ReadStream)) return payload;
    // The stream may still be opening. If that fails, for example for want of file descriptors, `read` reports it; an
    // error without a listener would end the process.
    payload.on('error', () => {});
    payload.destroy();
    const path = String(payload.path);
    let bytes = cache.get(path);
    if (bytes === undefined) {
      bytes = read(path);
      cache.set(path, bytes);
      bytes.catch(() => cache.delete(path));
    }
    return bytes;
  };
}
