/**
 * Skeleton request bodies by object type (specification, "Endpoints", rule 3). The specification
 * documents neither the paths nor the fields, so both are specific to the sandbox.
 */
export const SKELETONS: Readonly<Record<string, object>> = {
  donors: {
    firstName: '',
    lastName: '',
    organizationName: '',
    email: '',
    phone: '',
    crmKey: '',
    code: '',
    isActive: true,
    addresses: [{ addressType: 4, address1: '', city: '', state: '', postal: '', country: '' }],
  },
  donations: {
    donorId: 0,
    amount: 0,
    currency: 'USD',
    tenderType: 1,
    creditCardExpiration: 'MM/YYYY',
    transactionId: '',
    code: '',
    comment: '',
    isTest: false,
    IsAnonymous: false,
    fundAllocations: [{ fundCode: '', amount: 0, comment: '' }],
    CustomDataItems: [{ id: '', value: '' }],
  },
  funds: { code: '', name: '', description: '', isActive: true, meta: [{ key: '', value: '' }] },
  schedules: {
    donorId: 0,
    amountInCents: 0,
    recurringFrequency: 12,
    status: 1,
    startDate: 'MM/DD/YYYY HH:MM:SS AM',
    fundCode: '',
  },
  products: { code: '', name: '', price: 0, isActive: true },
  webhooks: { url: '', format: 1, status: 1, eventTypes: [1] },
};

/** Skeleton of a campaign, served under `/v2` (specification, "Versioning"). */
export const CAMPAIGN_SKELETON = {
  name: '',
  description: '',
  startDate: 'MM/DD/YYYY HH:MM:SS AM',
  endDate: 'MM/DD/YYYY HH:MM:SS AM',
  givingGoal: 0,
};
