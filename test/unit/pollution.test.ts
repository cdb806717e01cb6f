import assert from 'node:assert/strict';
import { test } from 'node:test';
import { donationRequest } from '../../src/core/schemas/donation-request.ts';
import { readLink } from '../../src/core/settings/campaign-link.ts';
import { parseJsonBody } from '../../src/server/http/parse-json-body.ts';
import { findCandidates, listIgnored, mergeAllSettings } from './settings-support.ts';

/** Property names that could reach `Object.prototype` in a program that copies its input. */
const NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'constructor.prototype',
  '__proto__.polluted',
  '__proto__[polluted]',
  'constructor[prototype][polluted]',
  'toString',
  'hasOwnProperty',
  '__defineGetter__',
];
const INNER = [
  '{"polluted": "yes"}',
  '{"__proto__": {"polluted": "yes"}}',
  '{"constructor": {"prototype": {"polluted": "yes"}}}',
];
const payloads = NAMES.flatMap((name) =>
  INNER.map((inner) => ({
    name,
    inner: JSON.parse(inner) as unknown,
    json: `{${JSON.stringify(name)}: ${inner}}`,
  })),
);

function assertClean(at: string): void {
  const fresh: Record<string, unknown> = {};
  assert.equal(fresh.polluted, undefined, at);
  assert.equal(typeof Object.prototype.toString, 'function', at);
}

test(`${payloads.length} prototype pollution payloads change nothing through any entry point`, () => {
  assert.equal(payloads.length, 30);
  for (const { name, inner, json } of payloads) {
    const parsed = JSON.parse(json) as Record<string, unknown>;
    for (const settings of [
      parsed,
      { donorInfo: parsed },
      { giftInfo: parsed },
      { giftInfo: { giftArrays: [parsed, { value: '10', ...parsed }] } },
      { customFieldPreset: [{ id: name, value: inner }, parsed] },
      { analyticsTracking: parsed },
    ]) {
      mergeAllSettings('', settings);
      listIgnored('', settings);
      mergeAllSettings('', {}, { settings });
      assertClean(`settings ${json}`);
    }
    const query = `?${new URLSearchParams([
      [name, JSON.stringify(inner)],
      ['firstname', json],
      ['array-amounts', json],
    ])}`;
    mergeAllSettings(query);
    readLink(`https://example.org/${query}`);
    assertClean(`address ${query}`);
    mergeAllSettings('', {}, { amount: json, amounts: parsed, segment: json });
    assertClean(`attribute ${json}`);
    assert.throws(() => parseJsonBody(json, donationRequest), { name: 'Problem' });
    assertClean(`JSON ${json}`);
  }
});

test('ignores inherited values', () => {
  const inherited = Object.create({
    giftInfo: { amount: 75 },
    donorInfo: { firstName: 'Eve' },
  }) as object;
  assert.deepEqual(findCandidates('', inherited), []);
});
