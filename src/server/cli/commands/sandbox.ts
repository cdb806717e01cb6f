import { randomBytes } from 'node:crypto';
import type { V1Application } from '@donation-form/sandbox';
import { readPort, say, type Command } from '../command.ts';
import { untilSignal } from '../until-signal.ts';

export const sandboxCommand: Command = {
  usage: 'sandbox',
  about: `Serves two fundraising interfaces and a card processor to try things against, and a page that shows what they hold.
It accepts the keys in SANDBOX_PLATFORM_KEY, SANDBOX_SECRET_KEY, SANDBOX_ORGANIZATION_KEY, SANDBOX_LICENSE_KEY
and SANDBOX_READ_KEY, or makes and prints new ones. With --data FILE, what it remembers is kept in an SQLite file.
It begins with two years of an invented organisation's gifts, or with --empty without any.
--fault KIND lets something go wrong, such as: slow,ms=2000,times=3,on=platform. docs/sandbox.md names the kinds.
With --processor-webhook URL, the card processor tells URL what happens, signed with SANDBOX_WEBHOOK_SECRET.`,
  options: ['port', 'data', 'empty', 'fault', 'processor-webhook'],
  async run({ data, empty = false, fault = [], 'processor-webhook': url, port = '4102' }) {
    const [{ createSandbox, parseFault }, { listen }] = await Promise.all([
      import('@donation-form/sandbox'),
      import('../../http/listen.ts'),
    ]);
    const keyOf = (name: string, kind: 'KEY' | 'SECRET' = 'KEY'): string => {
      const given = process.env[`SANDBOX_${name}_${kind}`];
      return given === undefined || given === '' ? newKey() : given;
    };
    const platformKey = keyOf('PLATFORM');
    const secretKey = keyOf('SECRET');
    const organizationKey = keyOf('ORGANIZATION');
    const licenseKey = keyOf('LICENSE');
    const readKey = keyOf('READ');
    const applications: readonly V1Application[] = [
      {
        name: 'sandbox',
        active: true,
        keys: [
          { name: 'write', key: licenseKey, access: 'read/write' },
          { name: 'read', key: readKey, access: 'read-only' },
        ],
      },
    ];
    const webhook = url === undefined ? undefined : { url, secret: keyOf('WEBHOOK', 'SECRET') };
    const sandbox = createSandbox({
      platformKey,
      secretKey,
      v1: { organizationKey, applications },
      seed: !empty,
      faults: fault.map(parseFault),
      ...(data !== undefined && { file: data }),
      ...(webhook && { processorWebhook: webhook }),
    });
    const listening = await listen(sandbox.fetch, {
      host: '127.0.0.1',
      port: readPort(port)!,
    }).catch((error: unknown) => {
      sandbox.close();
      throw error;
    });
    say(`sandbox            ${listening.address}
platform key       ${platformKey}   (FUNDRAISING_API_KEY of the example configuration)
secret key         ${secretKey}   (PAYMENT_SECRET_KEY)
organization key   ${organizationKey}   (v1, X-OrganizationKey)
license key        ${licenseKey}   (v1, read/write)
read key           ${readKey}   (v1, read-only)
${webhook ? `webhook secret     ${webhook.secret}   (signs what ${webhook.url} is told)\n` : ''}`);
    return untilSignal({
      address: listening.address,
      close: async () => {
        await listening.close();
        sandbox.close();
      },
    });
  },
};

function newKey(): string {
  return `sandbox_${randomBytes(18).toString('base64url')}`;
}
