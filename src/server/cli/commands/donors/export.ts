import { Command } from '@commander-js/extra-typings';
import type { DonorRecord } from '../../../index.ts';
import { AdminClient } from '../../admin-client.ts';
import { configOption, organizationOption } from '../../options.ts';

export const exportDonorCommand = new Command('export')
  .summary('print everything that is stored about a donor')
  .description(
    'Print everything that the server stores about a donor as JSON: donations, what happened ' +
      'to them, tracking, consents, custom fields, and events from the platform.',
  )
  .argument('<email>', "the donor's email")
  .addOption(configOption)
  .addOption(organizationOption)
  .action(async (email, { config, organization }) => {
    const admin = await AdminClient.fromConfiguration(config);
    const record = await admin.post<DonorRecord>('/api/donors/export', { email, organization });
    process.stdout.write(`${JSON.stringify(record, null, 2)}\n`);
  });
