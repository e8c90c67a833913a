import { expect, test } from 'vitest';
import { type Peers } from './nodeConnections.ts';
import { ClusterMessenger } from './clusterMessenger.ts';

test('a command that every node declines until the search ends was not recorded', async () => {
  const questions: string[] = [];
  const peers = {
    ask: async (node: string) => {
      questions.push(node);
      return { answer: 'moved' };
    },
  } as unknown as Peers;
  const talk = new ClusterMessenger({
    me: 'two',
    peers: () => peers,
    calls: () => undefined,
    holderOf: () => 'one',
    isDriven: () => false,
    look: () => {},
    search: 250,
    trouble: (_, error) => {
      throw error;
    },
  });
  const asking = { id: 'c1', asked: { type: 'OpenBets', who: { system: 'floor' } }, brought: {}, seen: {} };
  expect(await talk.ask('demo/table/B01', asking)).toMatchObject({ refused: 'cannot-record' });
  expect(new Set(questions)).toEqual(new Set(['one']));
});
