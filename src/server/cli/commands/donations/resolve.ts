import { Command, Option } from '@commander-js/extra-typings';
import { DECISIONS } from '../../../admin/command-schemas.ts';
import type { ResolveResult } from '../../../index.ts';
import { AdminClient } from '../../admin-client.ts';
import {
  byOption,
  configOption,
  createIntegerParser,
  noteOption,
  toSignature,
} from '../../options.ts';

export const resolveDonationCommand = new Command('resolve')
  .summary('decide about a donation that needs review')
  .description(
    'Decide about a donation that needs review. "donation-form donations show" lists the ' +
      'possible decisions and their effects.',
  )
  .argument('<reference>', 'reference of the donation or renewal')
  .addOption(
    new Option('--decision <decision>', 'your decision').choices(DECISIONS).makeOptionMandatory(),
  )
  .option('--event <event>', 'what the decision is about, if several events need one')
  .option(
    '--platform-gift-id <id>',
    'id of the gift at the platform',
    createIntegerParser({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  )
  .addOption(byOption)
  .addOption(noteOption)
  .addOption(configOption)
  .action(async (reference, { config, decision, event, platformGiftId, by, note }) => {
    const admin = await AdminClient.fromConfiguration(config);
    const { decision: saved, donation } = await admin.post<ResolveResult>(
      `/api/donations/${encodeURIComponent(reference)}/resolve`,
      { decision, event, platformId: platformGiftId, ...toSignature({ by, note }) },
    );
    const { subject, from, to } = saved;
    process.stdout.write(
      `${reference}: changed ${subject} from ${from} to ${to}.` +
        `${describeNextStep(reference, donation)}
`,
    );
  });

function describeNextStep(reference: string, donation: ResolveResult['donation']): string {
  if (donation === undefined)
    return (
      ' The decision was saved, but a later step failed. ' +
      `See: donation-form donations show ${reference}`
    );
  if (donation.reviewOptions.length === 0) return '';
  return ` Another decision is needed. See: donation-form donations show ${reference}`;
}
