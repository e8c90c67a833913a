import { request } from 'node:http';
import { expect, test } from 'vitest';
import { type Server } from '../../../src/server/serverOptions.ts';
import { type StaffResponse, demoSignIn, startPit, startRealMoneyPit, staffRequest } from './pit.ts';
import { TestScheduler } from '../support/testScheduler.ts';

const administrator = { number: 'N-1', role: 'administrator' };

const signIn = (server: Server, code?: string, headers?: { readonly [name: string]: string }): Promise<StaffResponse> =>
  staffRequest(
    server,
    'demo',
    { ...administrator, ...(code !== undefined && { code }) },
    { ...(headers && { headers }) },
  );

const isCodeRequired = async (server: Server, headers?: { readonly [name: string]: string }): Promise<unknown> =>
  (await staffRequest(server, 'me', undefined, { ...(headers && { headers }) })).body['demoCode'];

/** Status of a request with this Host header, which fetch does not let a program set. */
const statusAt = (server: Server, host: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const headers = { host, origin: `http://${host}`, 'x-punto-staff': '1', 'content-type': 'application/json' };
    request(new URL('staff/demo', server.address), { method: 'POST', headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end(JSON.stringify(administrator));
  });

test('one click signs in without a code when only this machine can reach the demo', async () => {
  const server = await startPit();
  expect(await isCodeRequired(server)).toBe(false);
  expect(await demoSignIn(server, 'N-1')).toMatch(/^punto-staff=/);
  expect(await statusAt(server, `localhost:${new URL(server.address).port}`)).toBe(200);
  await server.close();
});

test.each([
  ['an address beyond this machine', { host: '0.0.0.0' }],
  ['a name', { hostNames: ['punto.example'] }],
  ['a proxy', { proxies: ['127.0.0.1'] }],
])('one click needs the code of this start when the demo has %s', async (_, options) => {
  const server = await startPit(options);
  const { code, isCodeAlwaysNeeded } = server.demoSignIn;
  expect([isCodeAlwaysNeeded, await isCodeRequired(server)]).toEqual([true, true]);
  expect(code).toMatch(/^[A-HJ-NP-Z2-9]{4}-[A-HJ-NP-Z2-9]{4}$/);
  const other = code.startsWith('A') ? `B${code.slice(1)}` : `A${code.slice(1)}`;
  for (const wrong of [undefined, '', other, code.slice(0, -1)]) {
    expect(await signIn(server, wrong), wrong).toMatchObject({
      status: 401,
      cookie: undefined,
      body: { code: 'wrong-demo-code', message: expect.stringContaining('enter the code') },
    });
  }
  expect((await signIn(server, code)).status).toBe(200);
  expect((await signIn(server, code.toLowerCase().replace('-', ' '))).status).toBe(200);
  const later = await startPit(options);
  expect(later.demoSignIn.code).not.toBe(code);
  await later.close();
  await server.close();
});

test('a proxy that is not named does not open the one-click sign-in, and the code is printed once', async () => {
  const printed: string[] = [];
  const server = await startPit({ onDemoForwarded: (code) => printed.push(code) });
  const { code } = server.demoSignIn;
  for (const name of ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via']) {
    const headers = { [name]: '203.0.113.9' };
    expect(await isCodeRequired(server, headers), name).toBe(true);
    expect((await signIn(server, undefined, headers)).body['code'], name).toBe('wrong-demo-code');
    expect((await signIn(server, code, headers)).status, name).toBe(200);
  }
  // A proxy that hands on the address at which browsers reach it, and adds no header.
  expect(await statusAt(server, '203.0.113.9')).toBe(401);
  expect(printed).toEqual([code]);
  await server.close();
});

test('codes of the one-click sign-in have the rate limit of other secrets, by the address of the client', async () => {
  const scheduler = new TestScheduler();
  const failures: object[] = [];
  const server = await startPit({
    proxies: ['127.0.0.1'],
    scheduler,
    limits: { signInBurst: 3, signInsPerSecond: 1 },
    onSignInFailures: (counts) => failures.push(counts),
  });
  const from = (address: string) => ({ 'x-forwarded-for': address });
  const codes: unknown[] = [];
  for (let n = 0; n < 4; n++) codes.push((await signIn(server, 'AAAA-AAAA', from('203.0.113.9'))).body['code']);
  expect(codes).toEqual(['wrong-demo-code', 'wrong-demo-code', 'wrong-demo-code', 'too-many-attempts']);
  expect((await signIn(server, server.demoSignIn.code, from('203.0.113.9'))).status).toBe(429);
  expect((await signIn(server, server.demoSignIn.code, from('203.0.113.10'))).status).toBe(200);
  expect(failures).toEqual([{ 'wrong-demo-code': 1 }]);
  await server.close();
});

test('outside a demo no code is asked for, and none opens a sign-in', async () => {
  const server = await startRealMoneyPit({ hostNames: ['punto.example'] });
  expect(await isCodeRequired(server)).toBe(false);
  expect((await signIn(server, server.demoSignIn.code)).body['code']).toBe('not-found');
  await server.close();
});
