import { expect, test } from 'vitest';
import { type NodeConnections } from './nodeConnections.ts';
import { CommandRouter } from './commandRouter.ts';

test('command is not recorded when every node declines it until the search ends', async () => {
  const questions: string[] = [];
  const peers = {
    request: async (node: string) => {
      questions.push(node);
      return { answer: 'moved' };
    },
  } as unknown as NodeConnections;
  const router = new CommandRouter({
    self: 'two',
    connections: () => peers,
    handlers: () => undefined,
    holderOf: () => 'one',
    isLeading: () => false,
    renewSoon: () => {},
    searchMs: 250,
  });
  const command = {
    id: 'c1',
    request: { type: 'OpenBets', actor: { system: 'floor' } },
    context: {},
    readPositions: {},
  };
  expect(await router.forward('demo/table/B01', command)).toMatchObject({ refused: 'cannot-record' });
  expect(new Set(questions)).toEqual(new Set(['one']));
});
