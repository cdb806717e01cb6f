import { test } from 'node:test';
import { testPlatformOutage } from './outage.ts';

test('500 gifts while the platform is down: all donors are answered, and all gifts are recorded in order when it is back', () =>
  testPlatformOutage(500));
