import { test } from 'node:test';
import { giveWhilePlatformIsDown } from './outage.ts';

test('500 gifts while the platform is down: all donors are answered, and all gifts are recorded in order when it is back', () =>
  giveWhilePlatformIsDown(500));
