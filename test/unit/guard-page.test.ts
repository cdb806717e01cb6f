import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  A_MINUTE,
  ASKED,
  CHALLENGE_COST,
  CHALLENGE_LIFE,
  FORM_DECLINES,
  MOST_AT_ONCE,
  REFUSED,
  REFUSED_IN_ATTACK,
  SERVER_DECLINES,
  WINDOW,
} from '../../src/server/fraud-protection/thresholds.ts';

const page = readFileSync('docs/guard.md', 'utf8');
const written = (number: number): string => number.toLocaleString('en');

test('docs/guard.md says the figures that the guard has', () => {
  for (const [subject, name] of [
    ['address', 'an address'],
    ['network', 'a /64 of IPv6'],
    ['email', 'an e-mail address'],
  ] as const) {
    const { [subject]: asked } = ASKED;
    const { [subject]: refused } = REFUSED;
    assert.ok(
      page.includes(
        `| ${name} | after ${asked.declines} declines or ${written(asked.attempts)} attempts | after ${refused.declines} declines or ${written(refused.attempts)} attempts |`,
      ),
      name,
    );
  }
  for (const words of [
    `| a form | after ${FORM_DECLINES} declines, or while more than ${MOST_AT_ONCE} gifts are charged at once`,
    `| all forms | after ${SERVER_DECLINES} declines |`,
    `with ${REFUSED_IN_ATTACK} declines is refused, if these are at least half`,
    `from the ${ASKED.address.attempts + 1}st on`,
    `${written(A_MINUTE.questions)} times a minute what became of a gift, fetch ${A_MINUTE.challenges} challenges, and report ${A_MINUTE.reports} times`,
    `${written(CHALLENGE_COST.rounds)} rounds for each of ${CHALLENGE_COST.fewest} to ${CHALLENGE_COST.most} tries, so never more than ${written(CHALLENGE_COST.rounds * CHALLENGE_COST.most)} rounds`,
    `holds for ${CHALLENGE_LIFE / 60} minutes`,
  ])
    assert.ok(page.includes(words), words);
  assert.equal(WINDOW, 600, 'ten minutes');
});
