/**
 * Platform codes for payment methods (Fundraising Platform API, "Enumerations", PaymentMethodType).
 * The API uses the name `Paypal` for `Wallet`.
 */
export const PaymentMethodType = { CreditCard: 0, ACH: 1, Wallet: 4 } as const;
export type PaymentMethodType = (typeof PaymentMethodType)[keyof typeof PaymentMethodType];
