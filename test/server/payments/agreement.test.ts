import { test } from 'node:test';
import { assertAmountsAgree } from './agreement.ts';

test('posted = stored = charged = answered = recorded, for 75 random gifts in four currencies, with and without costs, once and monthly', () =>
  assertAmountsAgree(75));
