import { expect, test } from 'vitest';
import { Floor } from '../../src/floor/floor.ts';
import { type LetIn } from '../../src/floor/people.ts';
import { demoPin } from '../../src/floor/staff.ts';
import { memoryStore } from '../../src/store/memory.ts';
import { demoOwner, demoPace } from './demo.ts';
import { worldOf } from './made.ts';

test('smoke', async () => {
  const store = memoryStore();
  const { world, troubles, time } = worldOf(store, 'smoke');
  const floor = await Floor.open(demoOwner, [], demoPace, { ...world, staff: { demo: true } });
  const { people } = floor;
  expect(Object.keys(people.state!.members)).toHaveLength(11);
  const c = Object.values(people.state!.consoles);
  const one = (await people.signIn({ number: 'd1', secret: demoPin, kind: 'pin', console: c[0]!.console })) as LetIn;
  expect(one).toMatchObject({ session: { number: 'D-1', post: 'dealer' } });
  expect(people.byToken(one.token)).toEqual(one.session);
  const two = await people.relieve(one.session.id, { number: 'D-2', pin: demoPin });
  expect(two).toMatchObject({ session: { number: 'D-2', post: 'dealer' } });
  expect(people.byToken(one.token)).toBeUndefined();
  await time.step();
  expect(people.sessions()[0]!.locked).toBe(true);
  expect(troubles).toEqual([]);
});
