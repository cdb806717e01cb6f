import { test } from 'node:test';
import { assertAmountsAgree } from './agreement.ts';

test('posts, stores, charges, returns, and records equal amounts for 500 random donations in four currencies, with and without fees, once and monthly', () =>
  assertAmountsAgree(500));
