import { expect, test } from 'vitest';
import { StaffSignInClient, isStaffHttpError } from '../../src/client/staffSignInClient.ts';
import { startPit } from '../server/staff/pit.ts';

test('the sign-in client signs in and out, reads its state, and returns errors', async () => {
  const server = await startPit();
  let cookie = '';
  const origin = new URL(server.address).origin;
  const at = new StaffSignInClient(async (address, how) => {
    const answer = await fetch(address, { ...how, headers: { ...how.headers, origin, cookie } });
    const [set] = answer.headers.getSetCookie();
    if (set !== undefined) cookie = set.split(';', 1)[0]!;
    return answer;
  }, server.address);
  expect(await at.me()).toMatchObject({ demo: true, session: null });
  expect(await at.ask('demo', { number: 'S-1' })).toMatchObject({ session: { number: 'S-1' } });
  expect(await at.me()).toMatchObject({ session: { number: 'S-1', role: 'supervisor' } });
  const refused = await at.ask('sign-in', { number: 'S-1', password: 'nobody knows' });
  expect(isStaffHttpError(refused) && refused.code).toBe('wrong-secret');
  expect(await at.ask('sign-out', {})).toEqual({});
  expect(await at.me()).toMatchObject({ session: null });
  await server.close();
  expect(await at.me()).toMatchObject({ code: 'connection-lost' });
});
