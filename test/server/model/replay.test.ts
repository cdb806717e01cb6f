import { test } from 'node:test';
import { replayTraces } from './replay-traces.ts';

test('takes the steps of 100 traces on the real services and database', () => replayTraces(100));
