import { testContract } from './contract.ts';
import { donationV1Contract, openDonationV1 } from './donation-v1.ts';

testContract('Donation Platform API v1', donationV1Contract, openDonationV1);
