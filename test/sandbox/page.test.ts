import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSandbox, type Answer, type Opened } from './support.ts';

const OWN = { Origin: 'http://127.0.0.1:4102', 'Sec-Fetch-Site': 'same-origin' };
const send = (
  { ask }: Opened,
  part: string,
  fields: Record<string, string>,
  headers: Record<string, string> = OWN,
): Promise<Answer> =>
  ask(`/page/${part}`, undefined, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
  });
const pageOf = async ({ ask }: Opened): Promise<string> =>
  (await ask('/', undefined, { headers: {} })).body as string;

test('the page shows campaigns, gifts, activities, the calls left, the clock, faults and webhooks, and runs no script', async () => {
  const opened = openSandbox({ seed: true });
  await opened.ask('/sandbox/webhooks', { url: 'http://127.0.0.1:4101/in' });
  const text = await pageOf(opened);
  for (const words of [
    'Winter Wells',
    'Latest gifts',
    'Activities',
    '1,499',
    '12:00',
    'Every card is declined',
    'http://127.0.0.1:4101/in',
  ])
    assert.ok(text.includes(words), words);
  assert.doesNotMatch(text, /<script|<style| style=| on[a-z]+=/);
  const { headers } = await opened.ask('/', undefined, { headers: {} });
  assert.match(
    headers.get('Content-Security-Policy') ?? '',
    /default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'/,
  );
});

test('what others wrote is shown as text', async () => {
  const opened = openSandbox();
  await opened.ask('/sandbox/gifts', {
    reference: 'R',
    summary: '<img src=x onerror=alert(1)>',
    donor: { firstName: '<b>Ana</b>' },
    gift: { frequency: '"><script>' },
  });
  assert.doesNotMatch(await pageOf(opened), /<img|<b>|<script/);
});

test('forms of the page switch faults, move the clock and manage webhooks', async () => {
  const opened = openSandbox();
  const { status, headers } = await send(opened, 'faults', {
    kind: 'slow',
    times: '3',
    ms: '',
    on: '',
  });
  assert.deepEqual([status, headers.get('Location')], [303, '/#faults']);
  assert.match(await pageOf(opened), /slow · the next 3/);
  await send(opened, 'faults', { off: 'slow' });
  assert.match(await pageOf(opened), /Nothing now/);
  await send(opened, 'clock', { advanceSeconds: '3600' });
  assert.match(await pageOf(opened), /13:00/);
  await send(opened, 'clock', {});
  assert.match(await pageOf(opened), /12:00/);
  await send(opened, 'webhooks', { url: 'http://127.0.0.1:4101/in', format: '2' });
  await send(opened, 'webhooks', { id: '1', status: '2' });
  assert.match(await pageOf(opened), /XML · Gift_Added, Gift_Modified[^]*Paused/);
  await send(opened, 'webhooks', { id: '1' });
  assert.match(await pageOf(opened), /None is registered/);
  const refused = await send(opened, 'webhooks', {
    url: 'https://platform.example/in',
    format: '1',
  });
  assert.equal(refused.status, 400);
  assert.match(refused.body as string, /role="alert">.*this machine only/);
});

test('forms of other sites, and of none, change nothing', async () => {
  const opened = openSandbox();
  for (const headers of [
    {},
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { Origin: 'http://127.0.0.1:4100' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { ...OWN, 'Sec-Fetch-Site': 'same-site' },
  ]) {
    assert.equal(
      (await send(opened, 'faults', { kind: 'slow' }, headers)).status,
      403,
      JSON.stringify(headers),
    );
  }
  assert.match(await pageOf(opened), /Nothing now/);
});

test('the page is for its own machine only, under its own name', async () => {
  const { ask } = openSandbox();
  for (const origin of ['http://rebound.example', 'https://sandbox.example'])
    assert.equal((await ask(`${origin}/`, undefined, { headers: {} })).status, 403);
  const headers = { ...OWN, Origin: 'http://rebound.example' };
  assert.equal(
    (
      await ask('http://rebound.example/page/faults', undefined, {
        method: 'POST',
        headers,
        body: new URLSearchParams({ kind: 'slow' }),
      })
    ).status,
    403,
  );
});
