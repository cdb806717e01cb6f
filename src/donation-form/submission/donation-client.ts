import type { DonationRequest, DonationOutcome } from '@donation-form/core/schemas';
import type { SubmissionNotice } from '@donation-form/core/i18n';
import { IdempotencyKeyStore, type OutcomeListener } from './idempotency-key.ts';
import {
  postDonation,
  fetchOutcome,
  isReachable,
  postActionStep,
  type Reply,
} from './donations-api.ts';
import { ProofOfWork } from './proof-of-work.ts';

/** Result of submitting a donation: the donation's outcome, or a notice if there is no outcome. */
export type SubmissionResult =
  | {
      readonly outcome: DonationOutcome;
      /** True if the outcome belongs to an earlier submission with different values. */
      readonly isEarlier: boolean;
    }
  | {
      readonly notice: SubmissionNotice;
      readonly code: string;
      /** Seconds to wait before the donor tries again. */
      readonly retryAfter?: number;
      /** ID of the request. Present if the server failed or rejected the request. */
      readonly requestId?: string | undefined;
    };

/** Milliseconds between polls of an unknown outcome. */
const POLL_INTERVALS = [2_000, 3_000, 5_000, 10_000];

/** Queue that submits the donations of all forms on this page one at a time. */
let submissionQueue: Promise<unknown> = Promise.resolve();

/**
 * Submits the donations of one form. Reuses a donation's idempotency key until the outcome is
 * final.
 */
export class DonationClient {
  readonly #endpointUrl: string;
  readonly #keyStore: IdempotencyKeyStore;
  readonly #proof: ProofOfWork;
  /**
   * Idempotency key of the donation being polled. Copied here because another form can clear the
   * stored key during polling.
   */
  #pendingKey: string | undefined;
  /** ID of the last request that returned no outcome. */
  failedRequestId: string | undefined;
  #pollCount = 0;
  #pollTimer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param endpointUrl endpoint URL with a trailing slash.
   * @param onInheritedOutcome function called with the outcome of a donation from a form that was
   *   removed during submission.
   */
  constructor(endpointUrl: string, formId: string, onInheritedOutcome: OutcomeListener) {
    this.#endpointUrl = endpointUrl;
    this.#keyStore = new IdempotencyKeyStore(endpointUrl + formId, onInheritedOutcome);
    this.#proof = new ProofOfWork(endpointUrl, formId);
  }

  /** Claims a storage key for the form's donation. Call when the form is added to the page. */
  claimDonation(): void {
    this.#keyStore.claimStorageName();
  }

  prepareProof(): void {
    this.#proof.prepareProof();
  }

  /**
   * Stops polling, and allows another form to take over the donation. Call when the form is removed
   * from the page.
   */
  releaseDonation(): void {
    this.stopPolling();
    this.#keyStore.releaseStorageName();
  }

  /** Listener of the form that took over the donation after this form was removed. */
  get successorListener(): OutcomeListener | undefined {
    return this.#keyStore.successorListener;
  }

  /**
   * Returns true if the device is offline. `navigator.onLine` can be false although the endpoint is
   * reachable, for example with a virtual network adapter or a local server.
   */
  async isOffline(): Promise<boolean> {
    return !navigator.onLine && !(await isReachable(this.#endpointUrl));
  }

  /** Idempotency key of the current or unfinished donation. */
  get key(): string | undefined {
    return this.#pendingKey ?? this.#keyStore.openKey;
  }

  /**
   * Fetches the latest outcome of the current or unfinished donation. Returns `undefined` if there
   * is no such donation, or if the request fails.
   */
  async fetchLatestOutcome(): Promise<DonationOutcome | undefined> {
    const key = (this.#pendingKey ??= this.key);
    const reply = key === undefined ? undefined : await fetchOutcome(this.#endpointUrl, key);
    return reply?.kind === 'outcome' ? reply.outcome : undefined;
  }

  /**
   * Confirms or cancels the required action.
   * @returns `unknown` if the donation does not exist.
   */
  async confirmOrCancelAction(
    step: 'confirm' | 'cancel',
  ): Promise<DonationOutcome | 'unknown' | 'network-error'> {
    this.stopPolling();
    const { key } = this;
    const reply =
      key === undefined ? undefined : await postActionStep(this.#endpointUrl, key, step);
    this.failedRequestId = reply && 'requestId' in reply ? reply.requestId : undefined;
    if (reply?.kind === 'outcome') return reply.outcome;
    return !reply || (reply.kind === 'problem' && reply.code === 'donation-not-found')
      ? 'unknown'
      : 'network-error';
  }

  submitDonation(request: DonationRequest): Promise<SubmissionResult> {
    const submission = submissionQueue.then(() => this.#postWithProof(request));
    submissionQueue = submission;
    return submission;
  }

  async #postWithProof(request: DonationRequest): Promise<SubmissionResult> {
    const key = this.#keyStore.getOrCreateKey();
    const first = await postDonation(
      this.#endpointUrl,
      key,
      request,
      await this.#proof.consumeProof(),
    );
    const isChallenged = first.kind === 'problem' && first.code === 'challenge-required';
    const proof = isChallenged ? await this.#proof.createRequiredProof() : undefined;
    const reply =
      proof === undefined ? first : await postDonation(this.#endpointUrl, key, request, proof);
    const isEarlier = reply.kind === 'problem' && reply.code === 'idempotency-key-reused';
    return toSubmissionResult(
      isEarlier ? await fetchOutcome(this.#endpointUrl, key) : reply,
      isEarlier,
    );
  }

  /** Polls the outcome until the donation's status changes or the form is removed from the page. */
  pollOutcome(
    status: DonationOutcome['status'],
    onChange: (outcome: DonationOutcome) => void,
  ): void {
    this.stopPolling();
    const interval = POLL_INTERVALS[Math.min(this.#pollCount++, POLL_INTERVALS.length - 1)];
    const timer = (this.#pollTimer = setTimeout(
      () =>
        void this.fetchLatestOutcome().then((outcome) => {
          if (timer !== this.#pollTimer) return;
          if (outcome && outcome.status !== status) onChange(outcome);
          else this.pollOutcome(status, onChange);
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

  /**
   * Clears the idempotency key. Call when the outcome is final. The next submission then creates a
   * new donation.
   */
  clearKey(): void {
    this.stopPolling();
    this.#pollCount = 0;
    this.#pendingKey = undefined;
    this.#keyStore.clearKey();
  }
}

function toSubmissionResult(reply: Reply, isEarlier: boolean): SubmissionResult {
  if (reply.kind === 'outcome') return { outcome: reply.outcome, isEarlier };
  if (reply.kind === 'network-error')
    return {
      notice: navigator.onLine ? 'network-error' : 'offline',
      code: 'network-error',
      requestId: reply.requestId,
    };
  const { code, detail, retryAfter, requestId } = reply;
  if (code === 'form-outdated' || code === 'too-many-requests' || code === 'paused')
    return { notice: code, code, retryAfter };
  if (code === 'challenge-required') return { notice: 'payment-failed', code };
  console.error(`donation-form: The server rejected the donation (${code}): ${detail}`);
  return { notice: 'rejected', code, requestId };
}
