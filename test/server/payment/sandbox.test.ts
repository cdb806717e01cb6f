import { testGateway } from './contract.ts';
import { openSandboxTill } from './sandbox-till.ts';

testGateway('sandbox', openSandboxTill);
