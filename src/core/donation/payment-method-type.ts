/** Platform codes (Fundraising Platform API, "Enumerations", which calls `Wallet` `Paypal`). */
export const PaymentMethodType = { CreditCard: 0, ACH: 1, Wallet: 4 } as const;
export type PaymentMethodType = (typeof PaymentMethodType)[keyof typeof PaymentMethodType];
