import { expect, test } from 'vitest';
import { closeAll, closeLater, closeSince, openResources } from './closing.ts';

test('closeSince closes what was opened since, the last first, and nothing twice', async () => {
  const closed: string[] = [];
  const one = (name: string): void => closeLater(async () => void closed.push(name));
  one('before');
  const before = openResources();
  one('server');
  one('page');
  await closeSince(before);
  expect(closed).toEqual(['page', 'server']);
  await closeSince(before);
  expect(closed).toEqual(['page', 'server']);
});

test('closeSince leaves what is to stay open until the end of the file, and closeAll closes it', async () => {
  const closed: string[] = [];
  const before = openResources();
  const server = (): unknown => closed.push('server');
  closeLater(server, 'file');
  await closeSince(before);
  expect(closed).toEqual([]);
  await closeAll((close) => close === server);
  expect(closed).toEqual(['server']);
});

test('closeSince closes everything and then throws when something does not close', async () => {
  const closed: string[] = [];
  const before = openResources();
  closeLater(() => closed.push('server'));
  closeLater(() => {
    throw new Error('stuck');
  });
  await expect(closeSince(before)).rejects.toMatchObject({ errors: [new Error('stuck')] });
  expect(closed).toEqual(['server']);
});
