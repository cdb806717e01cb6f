import { test } from 'node:test';
import { endAmongGifts, endWithChargeUnderWay, endWithSilentSockets } from './command-endings.ts';

test('SIGTERM ends the server within 10 s even if sockets stay open and silent', () =>
  endWithSilentSockets());

test('SIGTERM while the card processor does not answer ends the server within 10 s, and the next start finds out what became of the gift', () =>
  endWithChargeUnderWay());

test('SIGTERM twice among 60 gifts: whoever asks again has each of them charged once and recorded once', () =>
  endAmongGifts({ donors: 10, gifts: 60, endAfter: [15, 35] }));
