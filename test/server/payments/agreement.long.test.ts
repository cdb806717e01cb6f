import { test } from 'node:test';
import { assertAmountsAgree } from './agreement.ts';

test('posted = stored = charged = answered = recorded, for 500 random gifts in four currencies, with and without costs, once and monthly', () =>
  assertAmountsAgree(500));
