import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  CHALLENGE_COST,
  CHALLENGE_LIFETIME,
  CHALLENGE_LIMITS,
  COUNT_WINDOW,
  MAX_DECLINES_DURING_ATTACK,
  MAX_FORM_DECLINES,
  MAX_TOTAL_DECLINES,
  REJECTION_LIMITS,
  REQUESTS_PER_MINUTE,
} from '../../src/server/fraud-protection/thresholds.ts';

const page = readFileSync('docs/reference/fraud-limits.md', 'utf8');
const formatNumber = (number: number): string => number.toLocaleString('en');

test('docs/reference/fraud-limits.md has the thresholds that the code uses', () => {
  for (const [subject, name] of [
    ['address', 'IP address'],
    ['network', 'IPv6 /64 network'],
    ['email', 'email'],
  ] as const) {
    const { [subject]: asked } = CHALLENGE_LIMITS;
    const { [subject]: refused } = REJECTION_LIMITS;
    assert.ok(
      page.includes(
        `| ${name} | after ${asked.declines} declines or ${formatNumber(asked.attempts)} attempts ` +
          `| after ${refused.declines} declines or ${formatNumber(refused.attempts)} attempts |`,
      ),
      name,
    );
  }
  for (const text of [
    `| form | after ${MAX_FORM_DECLINES} declines, or while more than 256 charges are in progress`,
    `| all forms | after ${MAX_TOTAL_DECLINES} declines |`,
    `with ${MAX_DECLINES_DURING_ATTACK} declines or more are rejected if at least half`,
    `from the ${CHALLENGE_LIMITS.address.attempts + 1}st on`,
    `${formatNumber(REQUESTS_PER_MINUTE.lookups)} outcome lookups, ` +
      `${REQUESTS_PER_MINUTE.challenges} challenges, and ${REQUESTS_PER_MINUTE.reports} settings reports`,
    `${formatNumber(CHALLENGE_COST.rounds)} rounds per try, and ${CHALLENGE_COST.minTries} to ` +
      `${CHALLENGE_COST.maxTries} tries, so at most ` +
      `${formatNumber(CHALLENGE_COST.rounds * CHALLENGE_COST.maxTries)} rounds`,
    `is valid for ${CHALLENGE_LIFETIME / 60} minutes`,
  ])
    assert.ok(page.includes(text), text);
  assert.equal(COUNT_WINDOW, 600, 'ten minutes');
});
