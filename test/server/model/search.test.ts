import { test } from 'node:test';
import { assertRulesHold } from './assert-rules-hold.ts';
import { SHORT_SCENARIOS } from './scenarios.ts';

test('charges and records once, and loses nothing, in 100,000 states of a donation', (context) =>
  assertRulesHold(context, SHORT_SCENARIOS, 100_000));
