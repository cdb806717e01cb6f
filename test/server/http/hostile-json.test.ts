import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { ProblemCode } from '../../../src/core/schemas/problem.ts';
import { MAX_DONATION_BYTES } from '../../../src/server/http/context.ts';
import { problemDetails } from '../../response-schemas.ts';
import { startServer } from '../support.ts';

/** Maximum CPU time of the thread for a body. */
const MAX_MILLISECONDS = 10;
const MAX_ATTEMPT_MILLISECONDS = 5_000;
const DEPTH = 32_000;

const createNestedJson = (open: string, close: string, depth = DEPTH): string =>
  open.repeat(depth) + close.repeat(depth);

/** Values that JSON.parse may or may not accept. */
const VALUES: Readonly<Record<string, string>> = {
  'nested arrays': createNestedJson('[', ']'),
  'unclosed arrays': '['.repeat(DEPTH),
  'nested objects': `${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`,
  'unclosed objects': '{"a":'.repeat(DEPTH),
  'a number of 100,000 digits': '9'.repeat(100_000),
  'a number above the maximum of doubles': '1e999',
  'a number below the minimum of doubles': '-1e999',
  'a number above 2^53': '9007199254740993',
  'a fraction of 100,000 digits': `0.${'3'.repeat(100_000)}`,
  'an exponent of 100,000 digits': `1e${'9'.repeat(100_000)}`,
  'not a number': 'NaN',
  infinity: 'Infinity',
  'a hexadecimal number': '0x1388',
  'a number with a plus sign': '+5000',
  'a number with a leading zero': '05000',
  'a number with a leading decimal point': '.5',
  'a number with an underscore': '5_000',
  'a bare word': 'undefined',
  'single quotes': "'5000'",
  'a comment': '/* 1 */ 5000',
  'a trailing comma': '[1,]',
  'a string with a line break': '"a\nb"',
  'a string with a NUL': '"a\u0000b"',
  'a single NUL': '\u0000',
  'an unclosed string': '"abc',
  'an invalid escape': '"\\x41"',
  'an incomplete escape': '"\\u00"',
  '10,000 keys': `{${Array.from({ length: 10_000 }, (_, index) => `"n${index}":1`).join()}}`,
  '100,000 values': `[${'0,'.repeat(99_999)}0]`,
  'a long string': `"${'x'.repeat(200_000)}"`,
  'alternating arrays and objects': `${'[{"a":'.repeat(DEPTH / 2)}1${'}]'.repeat(DEPTH / 2)}`,
  'a number that ends with a decimal point': '-0.',
  __proto__: '{"__proto__":{"total":1}}',
  'constructor.prototype': '{"constructor":{"prototype":{"total":1}}}',
};

const FIELDS: readonly (readonly [name: string, from: string])[] = [
  ['gift.amount', '"amount":5000,"currency"'],
  ['donor.firstName', '"firstName":"Ana"'],
  ['form.id', '"id":"main"'],
  ['version', '"version":1'],
];

const DUPLICATED_MEMBERS = [
  '"version":1',
  '"amount":5000',
  '"total":5181',
  '"firstName":"Ana"',
  '"email":"canary@example.org"',
  '"provider":"stripe"',
  '"id":"main"',
  '"language":"en"',
  '"currency":"USD"',
  '"coverCosts":true',
];

test('rejects over 200 malformed, deep, huge, and ambiguous JSON bodies in under 10 ms each', async (context) => {
  await using server = await startServer();
  const good = JSON.stringify(await server.createRequest());
  const replaceValue = (from: string, value: string): string => {
    assert.ok(good.includes(from), from);
    const name = /^"\w+":/.exec(from)![0];
    return good.replace(
      from,
      () => name + value + (from.endsWith('"currency"') ? ',"currency"' : ''),
    );
  };
  type Case = readonly [name: string, body: string, codes: readonly ProblemCode[]];
  const invalid = ['malformed-json', 'invalid-field', 'unknown-field'] as const;
  const cases: readonly Case[] = [
    ...Object.entries(VALUES).flatMap(([name, value]): Case[] => [
      ...FIELDS.map(([place, from]): Case => [
        `${name} as ${place}`,
        replaceValue(from, value),
        invalid,
      ]),
      [`${name} as the whole body`, value, invalid],
    ]),
    // JSON.parse would use the last of two equal keys.
    ...DUPLICATED_MEMBERS.flatMap((member): Case[] => {
      const [, name, value] = /^(.*?):(.*)$/.exec(member)!;
      const escaped = `"\\u00${name!.charCodeAt(1).toString(16)}${name!.slice(2)}`;
      return [
        ['with a duplicate', `${member},${member}`],
        ['after a duplicate with another value', `${name}:1,${member}`],
        ['after an escaped duplicate', `${escaped} : ${value},${member}`],
      ].map(([how, both]) => [
        `${member} ${how}`,
        good.replace(member, () => both!),
        ['malformed-json'],
      ]);
    }),
    ...['', ' ', 'null', 'true', '[]', '{}', '"x"', '{"version":1,}', `${good}x`, `${good}${good}`]
      .concat(good.slice(1), good.slice(0, -1))
      .map((body): Case => [body.slice(0, 20), body, ['malformed-json', 'invalid-field']]),
  ];
  assert.ok(cases.length >= 200, String(cases.length));
  let slowest = ['', 0] as [string, number];
  for (const [name, body, codes] of cases) {
    assert.ok(Buffer.byteLength(body) <= MAX_DONATION_BYTES, `${name}: ${body.length}`);
    let milliseconds = Infinity;
    // Other work of this thread also counts, so the fastest attempt within a few seconds counts.
    const deadline = performance.now() + MAX_ATTEMPT_MILLISECONDS;
    while (milliseconds >= MAX_MILLISECONDS && performance.now() < deadline) {
      if (milliseconds < Infinity) await setTimeout(20);
      const start = process.threadCpuUsage();
      const response = await server.postDonation(body);
      const { user, system } = process.threadCpuUsage(start);
      milliseconds = Math.min(milliseconds, (user + system) / 1_000);
      const text = await response.text();
      const { data: { code } = {} } = problemDetails.safeParse(JSON.parse(text));
      assert.deepEqual(
        [response.status, codes.some((one) => one === code)],
        [400, true],
        `${name}: ${text}`,
      );
      assert.ok(text.length < 2_000, name);
    }
    assert.ok(milliseconds < MAX_MILLISECONDS, `${name}: ${milliseconds} ms`);
    if (milliseconds > slowest[1]) slowest = [name, milliseconds];
  }
  context.diagnostic(
    `${cases.length} bodies, the slowest ${slowest[1].toFixed(1)} ms: ${slowest[0]}`,
  );
  assert.deepEqual(server.calls, []);
  assert.equal(Object.hasOwn(Object.prototype, 'total'), false);
});

test('rejects a report of ignored settings with a duplicate key', async () => {
  await using server = await startServer();
  const good = '{"form":"main","ignored":[{"name":"fund-code","reason":"not-offered"}]}';
  for (const [body, status] of [
    [good, 204],
    [good.replace('{', '{"form":"main",'), 400],
  ] as const)
    assert.equal((await server.postJson('/settings-report', body)).status, status);
});

test('accepts equal keys in different objects, and JSON syntax inside strings', async () => {
  await using server = await startServer();
  const request = await server.createRequest({
    gift: { comment: '"version":1,"version":1} {"a":"b\\' },
  });
  assert.equal((await server.postDonation(request)).status, 200);
});
