import type { DonationOutcome, DonationRequest } from '@donation-form/core/schemas';
import { isReachable, type Reply, sendRequest } from './donations-api.ts';
import { IdempotencyKeyStore, type OutcomeListener } from './idempotency-key.ts';
import { ProofOfWork } from './proof-of-work.ts';
import type { ActionStep, SubmissionInput } from './submission-machine.ts';

const POLL_INTERVALS = [2_000, 3_000, 5_000, 10_000];

/** Submits the donations of all forms on this page one at a time. */
let submissionQueue: Promise<unknown> = Promise.resolve();

/** Reuses a donation's idempotency key until the outcome is final. */
export class DonationClient {
  readonly #endpointUrl: string;
  readonly #keyStore: IdempotencyKeyStore;
  readonly #proof: ProofOfWork;
  /** A copy, because another form can clear the stored key during polling. */
  #pendingKey: string | undefined;
  #pollCount = 0;
  #pollTimer: ReturnType<typeof setTimeout> | undefined;

  /** @param onInheritedOutcome receives the outcome of a donation from a removed form. */
  constructor(endpointUrl: string, formId: string, onInheritedOutcome: OutcomeListener) {
    this.#endpointUrl = endpointUrl;
    this.#keyStore = new IdempotencyKeyStore(endpointUrl + formId, onInheritedOutcome);
    this.#proof = new ProofOfWork(endpointUrl, formId);
  }

  /** Call when the form is added to the page. */
  claimDonation(): void {
    this.#keyStore.claimStorageName();
  }

  prepareProof(): void {
    this.#proof.prepareProof();
  }

  /** Stops polling, and allows another form to take over the donation of a removed form. */
  releaseDonation(): void {
    this.stopPolling();
    this.#keyStore.releaseStorageName();
  }

  /** Listener of the form that took over the donation after this form was removed. */
  get successorListener(): OutcomeListener | undefined {
    return this.#keyStore.successorListener;
  }

  /** `navigator.onLine` can be false with a virtual network adapter or a local server. */
  async isOffline(): Promise<boolean> {
    return !navigator.onLine && !(await isReachable(this.#endpointUrl));
  }

  get #donationsUrl(): string {
    return `${this.#endpointUrl}donations`;
  }

  get key(): string | undefined {
    return this.#pendingKey ?? this.#keyStore.openKey;
  }

  /** Returns `undefined` if no donation is unfinished, or if the request fails. */
  async fetchLatestOutcome(): Promise<DonationOutcome | undefined> {
    const key = (this.#pendingKey ??= this.key);
    const reply = key === undefined ? undefined : await sendRequest(this.#donationsUrl, key);
    return reply?.kind === 'outcome' ? reply.outcome : undefined;
  }

  /** The reply to a confirmed action includes an action that is still incomplete. */
  async requestStep(
    step: ActionStep,
  ): Promise<Extract<Reply, { kind: 'outcome' | 'network-error' }> | 'not-found'> {
    this.stopPolling();
    const { key } = this;
    if (key === undefined) return 'not-found';
    const reply = await sendRequest(`${this.#donationsUrl}/${step}`, key, {});
    if (reply.kind !== 'problem') return reply;
    return reply.code === 'donation-not-found'
      ? 'not-found'
      : { kind: 'network-error', requestId: reply.requestId };
  }

  submitDonation(request: DonationRequest): Promise<SubmissionInput> {
    const submission = submissionQueue.then(() => this.#postWithProof(request));
    submissionQueue = submission;
    return submission;
  }

  async #postWithProof(request: DonationRequest): Promise<SubmissionInput> {
    const key = this.#keyStore.openDonation();
    const post = (proof: string | undefined): Promise<Reply> =>
      sendRequest(this.#donationsUrl, key, request, proof);
    const first = await post(await this.#proof.consumeProof());
    const isChallenged = first.kind === 'problem' && first.code === 'challenge-required';
    const proof = isChallenged ? await this.#proof.createRequiredProof() : undefined;
    const reply = proof === undefined ? first : await post(proof);
    const isEarlier = reply.kind === 'problem' && reply.code === 'idempotency-key-reused';
    return toSubmissionInput(
      isEarlier ? await sendRequest(this.#donationsUrl, key) : reply,
      isEarlier,
    );
  }

  pollOutcome(
    status: DonationOutcome['status'],
    handleOutcome: (outcome: DonationOutcome) => void,
  ): void {
    this.stopPolling();
    const interval = POLL_INTERVALS[Math.min(this.#pollCount++, POLL_INTERVALS.length - 1)];
    const timer = (this.#pollTimer = setTimeout(
      () =>
        void this.fetchLatestOutcome().then((outcome) => {
          if (timer !== this.#pollTimer) return;
          if (outcome && outcome.status !== status) handleOutcome(outcome);
          else this.pollOutcome(status, handleOutcome);
        }),
      interval,
    ));
  }

  get isPolling(): boolean {
    return this.#pollTimer !== undefined;
  }

  stopPolling(): void {
    clearTimeout(this.#pollTimer);
    this.#pollTimer = undefined;
  }

  /** Call when the outcome is final. The next submission then creates a new donation. */
  clearKey(): void {
    this.stopPolling();
    this.#pollCount = 0;
    this.#pendingKey = undefined;
    this.#keyStore.clearKey();
  }
}

function toSubmissionInput(reply: Reply, isEarlier: boolean): SubmissionInput {
  if (reply.kind === 'outcome') return { ...reply, isEarlier, startsAction: !isEarlier };
  if (reply.kind === 'network-error')
    return {
      kind: 'problem',
      notice: navigator.onLine ? 'network-error' : 'offline',
      code: 'network-error',
      requestId: reply.requestId,
    };
  const { code, detail, retryAfter, requestId } = reply;
  if (code === 'form-outdated') return { kind: 'load-definition' };
  if (code === 'too-many-requests' || code === 'paused')
    return { kind: 'problem', notice: code, retryAfter };
  if (code === 'challenge-required') return { kind: 'problem', notice: 'payment-failed', code };
  console.error(`donation-form: The server rejected the donation (${code}): ${detail}`);
  return { kind: 'problem', notice: 'rejected', code, requestId };
}
