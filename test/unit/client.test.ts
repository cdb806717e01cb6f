import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientOf, isPrivate } from '../../src/server/fraud-protection/client-address.ts';

test('without proxies of ours a donor is who connected, whatever X-Forwarded-For says', () => {
  assert.deepEqual(clientOf('203.0.113.9', undefined, 0), { address: '203.0.113.9' });
  assert.deepEqual(clientOf('203.0.113.9', '198.51.100.7', 0), { address: '203.0.113.9' });
  assert.deepEqual(clientOf(undefined, '198.51.100.7', 0), {});
});

test("behind proxies it is who connected to the outermost of ours; what stands before is anybody's text", () => {
  for (const forged of ['', '10.0.0.1, ', 'unknown, ', '::1, <script>, ', ', , ']) {
    assert.deepEqual(clientOf('127.0.0.1', `${forged}198.51.100.7`, 1), {
      address: '198.51.100.7',
    });
    assert.deepEqual(clientOf('127.0.0.1', `${forged}198.51.100.7, 10.0.0.2`, 2), {
      address: '198.51.100.7',
    });
  }
});

test('a header that holds less than there are proxies is read from its beginning; one that holds no address leaves who connected', () => {
  assert.deepEqual(clientOf('127.0.0.1', '198.51.100.7', 3), { address: '198.51.100.7' });
  assert.deepEqual(clientOf('127.0.0.1', undefined, 1), { address: '127.0.0.1' });
  assert.deepEqual(clientOf('127.0.0.1', 'unknown', 1), { address: '127.0.0.1' });
});

test('one address written in several ways is one client', () => {
  for (const written of [
    '203.0.113.9',
    '::ffff:203.0.113.9',
    '::ffff:cb00:7109',
    '203.0.113.9:4711',
    '[::ffff:203.0.113.9]:80',
  ])
    assert.deepEqual(clientOf('127.0.0.1', written, 1), { address: '203.0.113.9' }, written);
  const one = clientOf('2001:db8:1:2::a', undefined, 0);
  for (const written of [
    '2001:DB8:1:2:0:0:0:A',
    '2001:0db8:0001:0002::000a',
    '[2001:db8:1:2::a]:443',
    '2001:db8:1:2::a%eth0',
  ])
    assert.deepEqual(clientOf(written, undefined, 0), one, written);
});

test('IPv6 addresses of one /64 share their network, and others do not', () => {
  const networkOf = (address: string): string | undefined =>
    clientOf(address, undefined, 0).network;
  assert.equal(networkOf('2001:db8:1:2::a'), networkOf('2001:db8:1:2:ffff:ffff:ffff:ffff'));
  assert.notEqual(networkOf('2001:db8:1:2::a'), networkOf('2001:db8:1:3::a'));
  assert.equal(networkOf('203.0.113.9'), undefined);
});

test('what is no address is nobody: neither octal nor decimal, nor a name', () => {
  for (const written of [
    '0313.0.0161.011',
    '3405803785',
    '203.0.113',
    'example.org',
    '',
    '203.0.113.9, 1.1.1.1',
  ])
    assert.deepEqual(clientOf(written, undefined, 0), {}, written);
});

test("a proxy on this machine or in one's own network is told from a donor", () => {
  for (const address of [
    '127.0.0.1',
    '::1',
    '10.1.2.3',
    '192.168.0.5',
    '::ffff:172.16.0.1',
    'fd00::1',
  ])
    assert.equal(isPrivate(address), true, address);
  for (const address of ['203.0.113.9', '2001:db8::1', undefined, 'x'])
    assert.equal(isPrivate(address), false, address);
});
