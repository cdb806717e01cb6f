import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SendMailOptions } from 'nodemailer';
import { startAdminServer } from '../admin/support.ts';
import { createTestMail } from '../mail/support.ts';
import { addPerson, ORGANIZATION, perform } from './support.ts';

const EVE = { name: 'Eve', email: 'eve@example.org', organization: ORGANIZATION };

/** Starts a server, two administrators, and a campaigner. `send` receives the server's messages. */
async function startMailServer(send: (message: SendMailOptions) => Promise<void>) {
  const client = { send, verify: () => Promise.resolve() };
  const server = await startAdminServer({ mail: createTestMail(1, { client }) });
  const maria = await addPerson(server, 'Maria');
  await addPerson(server, 'Ben', { organization: ORGANIZATION, roles: ['administrator'] });
  await addPerson(server, 'Ana', { organization: ORGANIZATION, roles: ['campaigner'] });
  await addPerson(server, 'Other', { organization: 'other', roles: ['administrator'] });
  return { server, maria, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

test('mails each change of the staff to the person and all administrators, and the link to the person only', async () => {
  const sent: string[] = [];
  const links: string[] = [];
  await using fixture = await startMailServer((message) => {
    const { address } = message.to as { address: string };
    sent.push(`${address}: ${message.subject}`);
    if ((message.text as string).includes('/invitation/')) links.push(address);
    return Promise.resolve();
  });
  const { server, maria } = fixture;
  const { id, ...output } = await perform(
    server,
    'staff.invite',
    { ...EVE, roles: ['finance'] },
    maria,
  );
  assert.deepEqual([output.isMailed, output.link], [true, undefined]);
  const roles = { id, organization: ORGANIZATION, roles: ['campaigner'] };
  await perform(server, 'staff.set-roles', roles, maria);
  await perform(server, 'staff.remove', { id }, maria);
  const recipients = ['ben', 'eve', 'maria'];
  assert.deepEqual(
    sent.sort(),
    recipients.flatMap((name) => [
      `${name}@example.org: Eve can no longer sign in`,
      `${name}@example.org: Eve can sign in`,
      `${name}@example.org: The roles of Eve have changed`,
    ]),
  );
  assert.deepEqual(links, ['eve@example.org']);
});

test('returns the link if the message with the invitation was not sent', async () => {
  await using fixture = await startMailServer(() => Promise.reject(new Error('no mail')));
  const { server, maria } = fixture;
  const output = await perform(server, 'staff.invite', { ...EVE, roles: ['finance'] }, maria);
  assert.match(output.link!, /\/invitation\/[\w-]{43}$/);
});
