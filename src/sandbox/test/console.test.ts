import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FAULTS } from '../lib/faults.ts';
import { fetchConsole, openSandbox, type SandboxFixture, type TestResponse } from './support.ts';

const SAME_ORIGIN = { Origin: 'http://127.0.0.1:4102', 'Sec-Fetch-Site': 'same-origin' };
const submitForm = (
  { request }: SandboxFixture,
  part: string,
  fields: Record<string, string>,
  headers: Record<string, string> = SAME_ORIGIN,
): Promise<TestResponse> =>
  request(`/page/${part}`, undefined, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
  });

test('shows campaigns, gifts, activities, rate limits, the clock, faults, and webhooks without scripts', async () => {
  const fixture = openSandbox({ seed: true });
  await fixture.request('/sandbox/webhooks', { url: 'http://127.0.0.1:4101/in' });
  await fixture.request('/sandbox/gifts', {
    reference: 'R',
    summary: 'S',
    gift: { segment: 'MAIL26' },
  });
  const text = await fetchConsole(fixture);
  for (const expected of [
    'Winter Wells',
    'Payments at Stripe',
    'Gifts on the platform',
    'Segment MAIL26',
    'Activity feed on the platform',
    '1,498',
    '12:00',
    'Declines every card',
    'http://127.0.0.1:4101/in',
  ])
    assert.ok(text.includes(expected), expected);
  assert.doesNotMatch(text, /<script|<style| style=| on[a-z]+=/);
  const { headers } = await fixture.request('/', undefined, { headers: {} });
  assert.match(
    headers.get('Content-Security-Policy') ?? '',
    /default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'/,
  );
});

test('lists each fault once, and unfolds a rare one while it is active', async () => {
  const fixture = openSandbox();
  const before = await fetchConsole(fixture);
  for (const kind of Object.keys(FAULTS))
    assert.equal(before.split(`id="switch-${kind}"`).length, 2, kind);
  assert.doesNotMatch(before, /<details open>/);
  await submitForm(fixture, 'faults', { kind: 'stripe-js-hangs' });
  assert.match(
    await fetchConsole(fixture),
    /<details open><summary>Stripe\.js[^<]*<span[^>]*>1 active/,
  );
});

test('escapes submitted values', async () => {
  const fixture = openSandbox();
  await fixture.request('/sandbox/gifts', {
    reference: 'R',
    summary: '<img src=x onerror=alert(1)>',
    donor: { firstName: '<b>Ana</b>' },
    gift: { frequency: '"><script>' },
  });
  assert.doesNotMatch(await fetchConsole(fixture), /<img|<b>|<script/);
});

test('toggles faults, moves the clock, and manages webhooks', async () => {
  const fixture = openSandbox();
  const { status, headers } = await submitForm(fixture, 'faults', {
    kind: 'slow',
    times: '3',
    ms: '',
    on: '',
  });
  assert.deepEqual([status, headers.get('Location')], [303, '/#faults']);
  assert.match(await fetchConsole(fixture), /slow · next 3/);
  await submitForm(fixture, 'faults', { off: 'slow' });
  assert.match(await fetchConsole(fixture), /None active/);
  await submitForm(fixture, 'clock', { advanceSeconds: '3600' });
  assert.match(await fetchConsole(fixture), /13:00/);
  await submitForm(fixture, 'clock', {});
  assert.match(await fetchConsole(fixture), /12:00/);
  await submitForm(fixture, 'webhooks', { url: 'http://127.0.0.1:4101/in', format: '2' });
  await submitForm(fixture, 'webhooks', { id: '1', status: '2' });
  assert.match(await fetchConsole(fixture), /XML · Gift_Added, Gift_Modified[^]*Paused/);
  await submitForm(fixture, 'webhooks', { id: '1' });
  assert.match(await fetchConsole(fixture), /No webhooks registered/);
  const refused = await submitForm(fixture, 'webhooks', {
    url: 'https://platform.example/in',
    format: '1',
  });
  assert.equal(refused.status, 400);
  assert.match(refused.body as string, /role="alert">.*expected a URL on this machine/);
});

test('rejects forms from other sites and without an origin', async () => {
  const fixture = openSandbox();
  for (const headers of [
    {},
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { Origin: 'http://127.0.0.1:4100' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { ...SAME_ORIGIN, 'Sec-Fetch-Site': 'same-site' },
  ]) {
    assert.equal(
      (await submitForm(fixture, 'faults', { kind: 'slow' }, headers)).status,
      403,
      JSON.stringify(headers),
    );
  }
  assert.match(await fetchConsole(fixture), /None active/);
});

test('rejects requests to a host name that is not loopback', async () => {
  const { request } = openSandbox();
  for (const origin of ['http://rebound.example', 'https://sandbox.example'])
    assert.equal((await request(`${origin}/`, undefined, { headers: {} })).status, 403);
  const headers = { ...SAME_ORIGIN, Origin: 'http://rebound.example' };
  assert.equal(
    (
      await request('http://rebound.example/page/faults', undefined, {
        method: 'POST',
        headers,
        body: new URLSearchParams({ kind: 'slow' }),
      })
    ).status,
    403,
  );
});
