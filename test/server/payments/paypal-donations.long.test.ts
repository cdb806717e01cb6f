import { test } from 'node:test';
import { assertLostResponsesChargeOnce } from './paypal-lost-responses.ts';

test('charges and records 100 donations once if each loses the response to its charge', () =>
  assertLostResponsesChargeOnce(100, /\/capture$/));
