import { test } from 'node:test';
import { assertRulesHold } from './assert-rules-hold.ts';
import { LONG_SCENARIOS } from './scenarios.ts';

test('charges and records once, and loses nothing, in 1,000,000 states of a donation', (context) =>
  assertRulesHold(context, LONG_SCENARIOS, 1_000_000));
