import type { DonationRepository } from '../../../src/server/donations/donation-repository.ts';
import type { TestServerOptions } from '../support.ts';

type ChangePlatform = NonNullable<TestServerOptions['changePlatform']>;
type Intercept = NonNullable<TestServerOptions['intercept']>;

export const removeFindGift: ChangePlatform = (platform) => ({
  createGift: (gift) => platform.createGift(gift),
  updateGift: (change) => platform.updateGift!(change),
});

export const removeUpdateGift: ChangePlatform = (platform) => ({
  createGift: (gift) => platform.createGift(gift),
  findGiftId: (reference) => platform.findGiftId!(reference),
});

export const isGiftCreation = (request: Request): boolean =>
  request.method === 'POST' && request.url.endsWith('/sandbox/gifts');

/** Returns true for calls about an existing payment intent, such as its confirmation. */
export const isCharge = ({ url }: Request): boolean => /\/stripe\/v1\/payment_intents\/./.test(url);

/** Lets the database fail when a success is recorded. @returns a function that repairs it. */
export function failToRecordSuccess(repository: DonationRepository): () => void {
  const applyTrigger = repository.applyTrigger.bind(repository);
  repository.applyTrigger = (row, trigger, extras) =>
    trigger.type === 'succeeded'
      ? Promise.reject(new Error('Connection terminated'))
      : applyTrigger(row, trigger, extras);
  return () => void (repository.applyTrigger = applyTrigger);
}

export const dropRequest: Intercept = () => Promise.reject(new TypeError('the request is lost'));

export const dropResponse: Intercept = async (request, next) => {
  await next(request);
  throw new TypeError('the reply is lost');
};

export const failConnection =
  (code: string): Intercept =>
  () =>
    Promise.reject(new TypeError('fetch failed', { cause: Object.assign(new Error(), { code }) }));
export const refuseConnection = failConnection('ECONNREFUSED');

export const respondWith =
  (status: number, headers: Record<string, string> = {}): Intercept =>
  async () =>
    Response.json({ message: 'no' }, { status, headers });

/** Disturbs some calls until the test ends the outage. */
export class Outage {
  isDown = true;
  readonly intercept: Intercept;

  constructor(isAffected: (request: Request) => boolean, disturb: Intercept = dropRequest) {
    this.intercept = (request, next) =>
      this.isDown && isAffected(request) ? disturb(request, next) : next(request);
  }
}

/** Loses the platform's first response after it created the gift. */
export function createLostResponse(): Intercept {
  const outage = new Outage(isGiftCreation, (request, next) => {
    outage.isDown = false;
    return dropResponse(request, next);
  });
  return outage.intercept;
}
