/** Every action of the model, with the sentence that tells it. `{n}` stands for the server. */
export const ACTIONS = {
  paymentCreated: 'Server {n} creates the payment at the provider.',
  createLost: 'Server {n} tries to create the payment, but the connection fails.',
  createFailed: 'Server {n} cannot create the payment, so it gives up.',
  saved: 'Server {n} saves the payment ID and prepares the charge.',
  charged: 'Server {n} asks the provider to charge. The provider charges the donor.',
  chargeAccepted: 'Server {n} asks the provider to charge. The provider waits for the bank.',
  chargeNeedsAction: 'Server {n} asks the provider to charge. The bank wants the donor to confirm.',
  chargeDeclined: 'Server {n} asks the provider to charge. The card is declined.',
  chargeAnswered:
    'Server {n} asks the provider to charge. The provider answers with the current state.',
  chargedReplyLost:
    'Server {n} asks the provider to charge. The provider does so, but its reply is lost.',
  chargeDelayed:
    'Server {n} asks the provider to charge. The request is delayed, and the call times out.',
  chargeRefused: 'Server {n} asks the provider to charge. The provider cannot be reached.',
  lateChargeArrives: 'The delayed request to charge reaches the provider.',
  lateChargeLost: 'The delayed request to charge is lost.',
  retrieved: 'Server {n} asks the provider about the payment.',
  retrieveFailed: 'Server {n} asks the provider about the payment, but gets no reply.',
  canceled: 'Server {n} cancels the payment at the provider.',
  cancelFailed: 'Server {n} tries to cancel the payment, but gets no reply.',
  gaveUp: 'Server {n} marks the donation as failed, unless another charge has started.',
  applied: "Server {n} updates the donation from the provider's reply.",
  checkStarted: "Server {n}'s worker claims the donation to check its payment.",
  donorRepeats: 'The donor sends the form again, to server {n}.',
  donorPolls: "The donor's page asks server {n} for the outcome.",
  donorCancels: 'The donor cancels at server {n}.',
  donorConfirms: "The donor confirms at the provider's page.",
  donorRefuses: "The donor refuses at the provider's page.",
  bankPays: 'The bank pays.',
  bankRefuses: 'The bank refuses.',
  paymentWebhook: 'The provider sends server {n} a webhook about the payment.',
  paymentWebhookRepeated: 'The provider is about to repeat a webhook about the payment.',
  paymentWebhookLost: 'The provider gives up on a webhook about the payment.',
  refunded: 'An admin refunds the payment at the provider.',
  refundWebhook: 'The provider sends server {n} a webhook about the refund.',
  refundWebhookRepeated: 'The provider is about to repeat the webhook about the refund.',
  refundSaved: 'Server {n} saves the refund for the platform.',
  killed: 'Server {n} is killed and restarts.',
  minute: 'A minute passes.',
  halfDay: 'Half a day passes.',
  clockSetBack: 'The clock is set back by an hour.',
  relayClaims: "Server {n}'s relay claims an outbox event.",
  giftFound: 'Server {n} asks the platform for the gift, and finds it.',
  giftNotFound: 'Server {n} asks the platform for the gift. The platform does not have it.',
  findFailed: 'Server {n} asks the platform for the gift, but gets no reply.',
  dispatched: 'Server {n} saves that it is about to send the gift.',
  claimLost: 'Server {n} sees that another server has claimed the event.',
  giftCreated: 'Server {n} sends the gift. The platform records it.',
  giftReplyLost: 'Server {n} sends the gift. The platform records it, but the reply is lost.',
  giftUnavailable: 'Server {n} sends the gift. The platform records it, but answers 503.',
  giftDelayed: 'Server {n} sends the gift. The request is delayed, and the call times out.',
  giftRefused: 'Server {n} tries to send the gift, but cannot reach the platform.',
  lateGiftArrives: 'The delayed request reaches the platform, which records the gift.',
  lateGiftLost: 'The delayed request to the platform is lost.',
  deliverySaved: 'Server {n} saves that the event was delivered.',
  updateSent: 'Server {n} sends an update, and the platform applies it.',
  updateReplyLost: 'Server {n} sends an update. The platform applies it, but the reply is lost.',
} as const;

export type Action = keyof typeof ACTIONS;

export const ACTION_NAMES = Object.keys(ACTIONS) as readonly Action[];

export const ACTION_CODES = Object.fromEntries(
  ACTION_NAMES.map((name, index) => [name, index]),
) as Readonly<Record<Action, number>>;

/** One step of a trace. */
export interface Step {
  readonly action: Action;
  /** 0 or 1. */
  readonly server: number;
}

/** Tells a trace in sentences. */
export function tellStory(trace: readonly Step[]): string {
  return [
    'The donor pays at server 1.',
    ...trace.map(({ action, server }) => ACTIONS[action].replace('{n}', String(server + 1))),
  ].join('\n');
}
