import { testContract } from './contract.ts';
import { fundraisingContract, openFundraisingTarget } from './fundraising.ts';

testContract('Fundraising Platform API', fundraisingContract, openFundraisingTarget);
