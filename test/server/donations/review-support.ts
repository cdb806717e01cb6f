import type { DeskOptions } from '../support.ts';

export const withoutLookUp: NonNullable<DeskOptions['platform']> = (platform) => ({
  createGift: (gift) => platform.createGift(gift),
  updateGift: (change) => platform.updateGift!(change),
});

export const withoutChanges: NonNullable<DeskOptions['platform']> = (platform) => ({
  createGift: (gift) => platform.createGift(gift),
  findGift: (reference) => platform.findGift!(reference),
});

export const isRecording = (request: Request): boolean =>
  request.method === 'POST' && request.url.endsWith('/sandbox/gifts');

/** The platform keeps what it is told the first time, and its answer is lost. */
export function losingOneReply(): NonNullable<DeskOptions['between']> {
  let lost = 0;
  return async (request, next) => {
    if (!isRecording(request) || lost > 0) return next(request);
    lost += 1;
    await next(request);
    throw new TypeError('the connection broke');
  };
}
