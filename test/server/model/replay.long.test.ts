import { test } from 'node:test';
import { replayTraces } from './replay-traces.ts';

test('takes the steps of 1,000 traces on the real services and database', () =>
  replayTraces(1_000));
