import { runContract } from './contract.ts';
import { fundraisingContract, openFundraising } from './fundraising.ts';

runContract('Fundraising Platform API', fundraisingContract, openFundraising);
