import type { GiftFrequency, PaymentMethodType } from '@donation-form/core/donation';

/**
 * What came of turning what the donor entered into a token. `method`: how it is paid.
 * `incomplete`: the field shows the donor what is missing. `failed`: the processor did not answer.
 * `unavailable`: the field could not be loaded.
 */
export type Confirmation =
  | { readonly token: string; readonly method: PaymentMethodType }
  | { readonly problem: 'incomplete' | 'failed' | 'unavailable' };

/** What is about to be paid. Wallets show it. */
export interface PaymentGift {
  /**
   * Minor units; while the donor has chosen no amount that the form takes, the smallest that it
   * takes.
   */
  readonly total: number;
  /** ISO 4217. */
  readonly currency: string;
  /** Of the currency's minor units. */
  readonly decimals: number;
  readonly frequency: GiftFrequency;
}

/** Who pays, as the form knows it when its button is pressed. */
export interface Payer {
  /** A person's, or an organisation's. */
  readonly name?: string;
  readonly email?: string;
  /**
   * The page where the donor comes back from a page of the processor or of a bank; absent where the
   * form stands on no page of the web.
   */
  readonly returnUrl?: string;
}

/** A payment provider's field on the page. */
export interface PaymentField {
  /** The gift that is shown is another one. */
  update(gift: PaymentGift): void;
  /** Turns what the donor entered into a token that the server can charge once. */
  confirm(payer: Payer): Promise<Confirmation>;
  /**
   * Lets the donor do what the processor asks for before it charges, such as 3-D Secure.
   * It resolves when that has ended, in whatever way: what came of it, the server is asked. It may
   * leave the page instead.
   * @param secret what the provider's side on the server made for this.
   */
  act(secret: string): Promise<void>;
  focus(): void;
  /**
   * Ends it; a confirmation that is under way has failed, and whatever the donor was asked to do is
   * over.
   */
  destroy(): void;
}

/** What a payment field gets when it is mounted. */
export interface PaymentFieldOptions {
  /** The provider's public part of the form's definition. */
  readonly options: Readonly<Record<string, string>>;
  /** How gifts may be paid. */
  readonly methods: readonly PaymentMethodType[];
  readonly gift: PaymentGift;
  /** Who receives the gift. */
  readonly organization: string;
  /**
   * What the form itself makes the donor say, and {@link Payer} has then: the field need not ask
   * for it.
   */
  readonly asked: readonly ('name' | 'email')[];
  /** What the field is called, for screen readers. */
  readonly label: string;
  /** The form's language, BCP 47. */
  readonly language: string;
  /** Called when the donor presses Enter in the field. */
  readonly requestSubmit: () => void;
}

/**
 * A payment provider, as the browser sees it.
 * @param host a light-DOM element of the page, because payment providers refuse shadow roots.
 * @returns the field, when the donor can use it; rejects where it cannot be loaded.
 */
export type MountPaymentField = (
  host: HTMLElement,
  options: PaymentFieldOptions,
) => Promise<PaymentField>;

/** Fetches a payment provider's side in the browser, such as `() => import('./my-provider.js')`. */
export type LoadPaymentProvider = () => Promise<{ readonly mount: MountPaymentField }>;
