import { test } from 'node:test';
import { testPlatformOutage } from './api-quota-support.ts';

test('accepts 500 donations while the platform is down, and records them in order when it is back', () =>
  testPlatformOutage(500));
