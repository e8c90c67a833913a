import { expect, test } from 'vitest';
import { type StoredEntry } from '../store/store.ts';
import { Turnover } from './turnover.ts';

const stake = (stream: string, sequence: number, hold: number, terminal = 'T1.1'): StoredEntry =>
  ({
    stream,
    sequence,
    event: { type: 'SlipSet', v: 1, at: 1, terminal, hold },
  }) as Partial<StoredEntry> as StoredEntry;

test('what a session has staked is read page by page, with what is written meanwhile, each once', async () => {
  const stakes = [stake('b', 9, 500), stake('a', 7, -200), stake('a', 4, 300), stake('b', 2, 100)];
  let asked = 0;
  const turnover = new Turnover({
    about: async (session, { before } = {}) => {
      expect(session).toBe('T1.1');
      asked += 1;
      // While it is read the last of those comes to be shown, and a further one is written.
      if (asked === 2) turnover.take([stake('b', 9, 500), stake('b', 11, 40), stake('b', 12, 7, 'T2.1')]);
      const from = before ? stakes.indexOf(before as StoredEntry) + 1 : 0;
      return stakes.slice(from, from + 3);
    },
  });
  expect(turnover.of('T1.1')).toBeUndefined();
  await Promise.all([turnover.read('T1.1'), turnover.read('T1.1')]);
  expect([turnover.of('T1.1'), turnover.of('T2.1'), asked]).toEqual([740, undefined, 3]);
  turnover.take([stake('b', 11, 40), stake('a', 8, -100)]);
  await turnover.read('T1.1');
  expect([turnover.of('T1.1'), asked]).toEqual([640, 3]);
  turnover.forget('T1.1');
  expect(turnover.of('T1.1')).toBeUndefined();
});

test('a reading that fails is tried again by the next who asks', async () => {
  let isBad = true;
  const turnover = new Turnover({
    about: async () => {
      if (isBad) throw new Error('No disk.');
      return [];
    },
  });
  await expect(turnover.read('T1.1')).rejects.toThrow('No disk.');
  isBad = false;
  await turnover.read('T1.1');
  expect(turnover.of('T1.1')).toBe(0);
});
