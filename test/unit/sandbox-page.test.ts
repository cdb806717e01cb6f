import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createSandbox } from '../../src/sandbox/index.ts';
import { FAULT_TARGETS, FAULTS } from '../../src/sandbox/lib/faults.ts';
import {
  TEST_PAYMENT_METHODS,
  type TestPaymentMethod,
} from '../../src/sandbox/stripe/test-payment-methods.ts';
import { extractCode, extractTableRows } from '../markdown-table.ts';

const KEY = 'platform-key-of-this-test';
const page = readFileSync('docs/reference/sandbox.md', 'utf8');

test('docs/reference/sandbox.md lists every fault, target, and environment variable', () => {
  assert.deepEqual(
    extractTableRows(page, 'Simulate faults')
      .map(([kind]) => extractCode(kind!)[0]!)
      .sort(),
    Object.keys(FAULTS).sort(),
  );
  const [, targets] = /`on` limits [^.]+ to (`platform`[^.]+)\./.exec(page)!;
  assert.deepEqual(extractCode(targets!), [...FAULT_TARGETS]);
  const command = readFileSync('src/server/cli/commands/sandbox.ts', 'utf8');
  assert.deepEqual(
    new Set(page.match(/SANDBOX_\w+/g)),
    new Set(command.match(/SANDBOX_(?:\w+_KEY|\w+_SECRET)/g)),
  );
});

test('docs/reference/test-cards.md lists every test card and account with its result', () => {
  const numbers = new Map(
    extractTableRows(readFileSync('docs/reference/test-cards.md', 'utf8')).flatMap(
      ([number, result]) => {
        const [digits] = /^(?:[A-Z]{2})?[\d ]+/.exec(number!) ?? [];
        return digits === undefined ? [] : [[digits.replaceAll(' ', ''), result!] as const];
      },
    ),
  );
  const methods = Object.entries<TestPaymentMethod>(TEST_PAYMENT_METHODS).filter(([number]) =>
    /\d{8}/.test(number),
  );
  assert.deepEqual([...numbers.keys()].sort(), methods.map(([number]) => number).sort());
  for (const [number, method] of methods) {
    const result = numbers.get(number)!;
    const { decline, authentication, response, isDisputed, declinesRenewals } = method;
    assert.equal(
      /declined(?: when charged)?:|then is declined|, then fails$/.test(result),
      decline !== undefined,
      number,
    );
    if (decline && result.includes('`'))
      assert.deepEqual(extractCode(result), [decline.decline_code], number);
    assert.equal(result.includes('authentication'), authentication !== undefined, number);
    assert.equal(result.includes('disputed'), isDisputed === true, number);
    assert.equal(result.includes('renewals are declined'), declinesRenewals === true, number);
    assert.equal(/after 10 seconds|response is lost/.test(result), response !== undefined, number);
    assert.equal(result.includes('sandbox only'), number.startsWith('400000999'), number);
  }
});

test('the sandbox accepts the calls of docs/reference/sandbox.md', async () => {
  const sandbox = createSandbox({ platformKey: KEY });
  const calls = page
    .split('\n')
    .filter((line) => line.startsWith('curl ') && !line.includes('pi_…'));
  assert.ok(calls.length >= 4);
  for (const call of calls) {
    const [, url] = /(http:\S+)/.exec(call)!;
    const body = /-d '([^']+)'/.exec(call)?.[1];
    const method = /-X (\w+)/.exec(call)?.[1] ?? (body === undefined ? 'GET' : 'POST');
    const response = await sandbox.fetch(
      new Request(url!, {
        method,
        headers: { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json' },
        ...(body !== undefined && { body }),
      }),
    );
    assert.ok(response.ok, `${call}: ${response.status} ${await response.text()}`);
  }
});
