import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  isPrivateAddress,
  resolveClient,
} from '../../src/server/fraud-protection/client-address.ts';

test('uses the peer address without trusted proxies, whatever X-Forwarded-For says', () => {
  assert.deepEqual(resolveClient('203.0.113.9', undefined, 0), { address: '203.0.113.9' });
  assert.deepEqual(resolveClient('203.0.113.9', '198.51.100.7', 0), { address: '203.0.113.9' });
  assert.deepEqual(resolveClient(undefined, '198.51.100.7', 0), {});
});

test('behind trusted proxies, uses the address that the outermost one saw and ignores forged entries', () => {
  for (const forged of ['', '10.0.0.1, ', 'unknown, ', '::1, <script>, ', ', , ']) {
    assert.deepEqual(resolveClient('127.0.0.1', `${forged}198.51.100.7`, 1), {
      address: '198.51.100.7',
    });
    assert.deepEqual(resolveClient('127.0.0.1', `${forged}198.51.100.7, 10.0.0.2`, 2), {
      address: '198.51.100.7',
    });
  }
});

test('uses the first entry if the header has fewer entries than proxies, and the peer address if none is valid', () => {
  assert.deepEqual(resolveClient('127.0.0.1', '198.51.100.7', 3), { address: '198.51.100.7' });
  assert.deepEqual(resolveClient('127.0.0.1', undefined, 1), { address: '127.0.0.1' });
  assert.deepEqual(resolveClient('127.0.0.1', 'unknown', 1), { address: '127.0.0.1' });
});

test('treats different notations of one address as one client', () => {
  for (const input of [
    '203.0.113.9',
    '::ffff:203.0.113.9',
    '::ffff:cb00:7109',
    '203.0.113.9:4711',
    '[::ffff:203.0.113.9]:80',
  ])
    assert.deepEqual(resolveClient('127.0.0.1', input, 1), { address: '203.0.113.9' }, input);
  const client = resolveClient('2001:db8:1:2::a', undefined, 0);
  for (const input of [
    '2001:DB8:1:2:0:0:0:A',
    '2001:0db8:0001:0002::000a',
    '[2001:db8:1:2::a]:443',
    '2001:db8:1:2::a%eth0',
  ])
    assert.deepEqual(resolveClient(input, undefined, 0), client, input);
});

test('groups IPv6 addresses by their /64 network', () => {
  const getNetwork = (address: string): string | undefined =>
    resolveClient(address, undefined, 0).network;
  assert.equal(getNetwork('2001:db8:1:2::a'), getNetwork('2001:db8:1:2:ffff:ffff:ffff:ffff'));
  assert.notEqual(getNetwork('2001:db8:1:2::a'), getNetwork('2001:db8:1:3::a'));
  assert.equal(getNetwork('203.0.113.9'), undefined);
});

test('rejects octal and decimal notations, names, and other text as addresses', () => {
  for (const input of [
    '0313.0.0161.011',
    '3405803785',
    '203.0.113',
    'example.org',
    '',
    '203.0.113.9, 1.1.1.1',
  ])
    assert.deepEqual(resolveClient(input, undefined, 0), {}, input);
});

test('recognizes loopback and private addresses', () => {
  for (const address of [
    '127.0.0.1',
    '::1',
    '10.1.2.3',
    '192.168.0.5',
    '::ffff:172.16.0.1',
    'fd00::1',
  ])
    assert.equal(isPrivateAddress(address), true, address);
  for (const address of ['203.0.113.9', '2001:db8::1', undefined, 'x'])
    assert.equal(isPrivateAddress(address), false, address);
});
