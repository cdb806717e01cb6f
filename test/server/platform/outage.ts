import assert from 'node:assert/strict';
import { paidForm } from '../payments/support.ts';
import { openDesk } from '../support.ts';

const START = Date.UTC(2026, 10, 21, 10, 0, 0);
const MINUTE = 60_000;

/** All donors are answered, and all gifts are recorded in their order when the platform is back. */
export async function giveWhilePlatformIsDown(gifts: number): Promise<void> {
  let time = START;
  let isDown = true;
  await using desk = await openDesk({
    form: paidForm,
    now: () => time,
    hourlyLimit: 10_000,
    between: async (request, next) => {
      if (isDown && request.url.includes('/sandbox/gifts')) throw new TypeError('down');
      return next(request);
    },
  });
  const answered: string[] = [];
  for (let gift = 0; gift < gifts; gift += 1) {
    time += 10;
    const response = await desk.post(
      await desk.request({
        payment: { provider: 'offline' },
        donor: { lastName: `Souza ${gift}`, email: `${gift}@example.org` },
      }),
    );
    answered.push(((await response.json()) as { status: string }).status);
  }
  assert.deepEqual(new Set(answered), new Set(['processing']));
  isDown = false;
  for (
    let tries = 0;
    tries < 600 && (await desk.repository.outbox.findNextDueTime('lanternwell')) !== undefined;
    tries += 1
  ) {
    time += MINUTE;
    await desk.handler.runJobs();
  }
  const recorded = (await desk.activities())
    .map(({ displayText }) => Number(/Souza (\d+)/.exec(displayText)?.[1]))
    .reverse();
  assert.deepEqual(
    recorded,
    Array.from({ length: gifts }, (_, index) => index),
  );
}
