/** Fundraising Platform API, 'Enumerations'. The values of the other interface, donation-v1, differ and must not be mixed in. */
export { Frequency } from '../../model/frequency-value.ts';
export { PaymentMethodType } from '../../model/payment.ts';

/** Where a change to an entity came from. */
export const ActivityOrigin = { Donor: 0, Team: 1, System: 2, Giving: 3, CRM: 4, DonorPortal: 5 } as const;
export type ActivityOrigin = (typeof ActivityOrigin)[keyof typeof ActivityOrigin];
