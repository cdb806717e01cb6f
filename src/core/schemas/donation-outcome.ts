import type { Awaiting, FailureReason, PublicStatus } from '../donation/donation-status.ts';
import type { DonationFrequency, Frequency } from '../donation/frequency.ts';

/**
 * A project's share of a donation (Fundraising Platform API, ProjectSplit). `amount` is a decimal
 * string in major units.
 */
export interface ProjectSplit {
  projectId: string;
  projectName: string;
  projectCode?: string;
  amount: string | null;
}

/**
 * Payload of the `onSuccess` callback and the `donation-form-success` event (Fundraising Platform
 * API, "Embedded form settings"). `amount` is the total charged, in major units.
 */
export interface DonateResponse {
  success: boolean;
  message: string | null;
  /** The payment provider's transaction ID. */
  transactionId: string | null;
  amount: number;
  /** The platform's frequency code. Undefined for one-time donations. */
  frequency?: Frequency;
  segment?: string;
  /** The platform's gift ID, or null if the platform has not recorded the gift yet. */
  giftId?: number | null;
  projectSplit: ProjectSplit[];
}

/**
 * Step that the donor must complete before the payment can succeed. `redirect`: on the page at
 * `url`. `field`: in the provider's field, which needs `secret`.
 */
export type PaymentAction = { kind: 'redirect'; url: string } | { kind: 'field'; secret: string };

/** Response body of `GET /donations`, `POST /donations`, and `POST /donations/{confirm,cancel}`. */
export interface DonationOutcome {
  /** Short ID of the donation, also used by the payment provider, the platform, and the receipt. */
  reference: string;
  status: PublicStatus;
  /** Party that the donation is waiting for. Set if the status is `processing`. */
  awaiting?: Awaiting | undefined;
  /** Reason why the donation failed. Set if the status is `failed`, unless no reason is known. */
  reason?: FailureReason | undefined;
  /** Amounts in minor units. After a reload, the page restores the donation from these amounts. */
  gift: {
    amount: number;
    coveredFees: number;
    total: number;
    currency: string;
    frequency: DonationFrequency;
  };
  /** Payload of the success event. Set if the donation succeeded or waits for the bank. */
  response?: DonateResponse | undefined;
  /**
   * If the status is `requires_action`. `GET /donations` omits it; `POST /donations/confirm` has
   * it.
   */
  action?: PaymentAction | undefined;
  /** The payment provider's name, as in the form definition. */
  provider: string;
  /** Payment instructions for a donor whose donation is `processing`. */
  instructions?: string | undefined;
}
