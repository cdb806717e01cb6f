import { test } from 'node:test';
import {
  testShutdownAmongDonations,
  testShutdownDuringCharge,
  testShutdownWithIdleSockets,
} from './shutdown.ts';

test('SIGTERM stops the server within 10 s even if clients keep idle sockets open', () =>
  testShutdownWithIdleSockets());

test('SIGTERM stops the server within 10 s while a charge is in progress, and the next start looks up the charge', () =>
  testShutdownDuringCharge());

test('charges and records each of 60 donations once if the server restarts twice', () =>
  testShutdownAmongDonations({ donors: 10, donations: 60, restartAfter: [15, 35] }));
