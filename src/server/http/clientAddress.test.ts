import { type IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { TrustedProxies, addressLimitKeyOf, isLoopbackHost } from './clientAddress.ts';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::ffff:c000:207', '192.0.2.7'],
  ['0:0:0:0:0:FFFF:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002:ffff::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['64:ff9b::192.0.2.7', '64:ff9b:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['', ''],
])('%s is counted as %s', (address, group) => {
  expect(addressLimitKeyOf(address)).toBe(group);
});

const proxies = new TrustedProxies();

test('trusted proxies accept an address or a CIDR block only', () => {
  for (const text of ['192.0.2.1', '10.0.0.0/8', '2001:db8::/32', '::1']) expect(proxies.trust(text), text).toBe(true);
  for (const text of [
    '',
    'proxy.example',
    '10.0.0.0/33',
    '10.0.0/8',
    '::/129',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '1.2.3.4:80',
  ]) {
    expect(proxies.trust(text), text).toBe(false);
  }
  for (const address of ['192.0.2.1', '::ffff:192.0.2.1', '10.9.8.7', '2001:db8:7::1', '::1']) {
    expect(proxies.has(address), address).toBe(true);
  }
  for (const address of ['192.0.2.2', '11.0.0.1', '2001:db9::1', '', 'proxy.example']) {
    expect(proxies.has(address), address).toBe(false);
  }
});

test.each([
  ['the header of a direct client is ignored', '198.51.100.1', '203.0.113.9', '198.51.100.1'],
  ['a trusted proxy names the address of its client', '192.0.2.1', '203.0.113.9', '203.0.113.9'],
  ['addresses that the client put into the header are ignored', '192.0.2.1', '1.1.1.1, 203.0.113.9', '203.0.113.9'],
  ['trusted proxies in a row are skipped', '192.0.2.1', '1.1.1.1, 203.0.113.9,10.0.0.7', '203.0.113.9'],
  ['if all addresses are proxies, the first is the client', '192.0.2.1', '10.0.0.8, 10.0.0.7', '10.0.0.8'],
  ['a port is removed', '192.0.2.1', '203.0.113.9:4711', '203.0.113.9'],
  ['a port is removed from an IPv6 address', '192.0.2.1', '[2001:db9::9]:4711', '2001:db9::9'],
  ['a proxy that gives a name counts as the client', '192.0.2.1', '203.0.113.9, unknown', '192.0.2.1'],
  ['a proxy that sends no header counts as the client', '192.0.2.1', undefined, '192.0.2.1'],
])('%s', (_, remoteAddress, forwarded, asker) => {
  const request = {
    headers: { 'x-forwarded-for': forwarded },
    socket: { remoteAddress },
  } as unknown as IncomingMessage;
  expect(proxies.clientAddressOf(request)).toBe(asker);
});

test('isLoopback is true for loopback addresses only', () => {
  for (const host of [
    '127.0.0.1',
    '127.9.9.9',
    '::1',
    '::ffff:127.0.0.1',
    'localhost',
    'LOCALHOST',
    '127.1',
    '0x7f.1',
    '2130706433',
  ]) {
    expect(isLoopbackHost(host), host).toBe(true);
  }
  for (const host of ['0.0.0.0', '::', '192.0.2.1', 'house.example', '', '10.1', '0', 'face.example'])
    expect(isLoopbackHost(host), host).toBe(false);
});
