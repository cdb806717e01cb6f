/**
 * Payment methods (Fundraising Platform API, "Enumerations", PaymentMethodType). `Wallet` is
 * `Paypal` in the API.
 */
export const PaymentMethodType = { CreditCard: 0, ACH: 1, Wallet: 4 } as const;
export type PaymentMethodType = (typeof PaymentMethodType)[keyof typeof PaymentMethodType];
