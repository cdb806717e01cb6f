import type { TestServerOptions } from '../support.ts';

export const removeFindGift: NonNullable<TestServerOptions['changePlatform']> = (platform) => ({
  createGift: (gift) => platform.createGift(gift),
  updateGift: (change) => platform.updateGift!(change),
});

export const removeUpdateGift: NonNullable<TestServerOptions['changePlatform']> = (platform) => ({
  createGift: (gift) => platform.createGift(gift),
  findGiftId: (reference) => platform.findGiftId!(reference),
});

export const isGiftCreation = (request: Request): boolean =>
  request.method === 'POST' && request.url.endsWith('/sandbox/gifts');

/** Loses the platform's first response after it created the gift. */
export function createLostResponse(): NonNullable<TestServerOptions['intercept']> {
  let lost = 0;
  return async (request, next) => {
    if (!isGiftCreation(request) || lost > 0) return next(request);
    lost += 1;
    await next(request);
    throw new TypeError('the connection broke');
  };
}
