import assert from 'node:assert/strict';
import { formWithPayments } from '../payments/support.ts';
import { startServer } from '../support.ts';

const START = Date.UTC(2026, 10, 21, 10, 0, 0);
const MINUTE = 60_000;

/** Donates while the platform is down, and checks that all gifts are recorded in order later. */
export async function testPlatformOutage(gifts: number): Promise<void> {
  let time = START;
  let isDown = true;
  await using server = await startServer({
    form: formWithPayments,
    now: () => time,
    hourlyLimit: 10_000,
    intercept: async (request, next) => {
      if (isDown && request.url.includes('/sandbox/gifts')) throw new TypeError('down');
      return next(request);
    },
  });
  const answered: string[] = [];
  for (let gift = 0; gift < gifts; gift += 1) {
    time += 10;
    const response = await server.postDonation(
      await server.createRequest({
        payment: { provider: 'offline' },
        donor: { lastName: `Souza ${gift}`, email: `${gift}@example.org` },
      }),
    );
    answered.push(((await response.json()) as { status: string }).status);
  }
  assert.deepEqual(new Set(answered), new Set(['processing']));
  isDown = false;
  for (
    let attempts = 0;
    attempts < 600 && (await server.repository.outbox.findNextDueTime('lanternwell')) !== undefined;
    attempts += 1
  ) {
    time += MINUTE;
    await server.handler.runJobs();
  }
  const recorded = (await server.listActivities())
    .map(({ displayText }) => Number(/Souza (\d+)/.exec(displayText)?.[1]))
    .reverse();
  assert.deepEqual(
    recorded,
    Array.from({ length: gifts }, (_, index) => index),
  );
}
