import assert from 'node:assert/strict';
import { startSmtpServer } from '../alerts/support.ts';
import { createTestMail } from '../mail/support.ts';
import { startServers } from '../several-servers-support.ts';
import { testOverPostgres } from '../test-database.ts';
import { addPerson, askForLink, EMAIL, isSignedIn, receiveLink } from './sign-in-support.ts';
import { ADMIN_KEY, Browser } from './support.ts';

/** Opens a link's page in both browsers, and then presses its buttons at the same time. */
async function pressTogether(
  browsers: readonly [Browser, Browser],
  path: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<readonly Awaited<ReturnType<Browser['request']>>[]> {
  const tokens = [await browsers[0].fetchCsrfToken(path), await browsers[1].fetchCsrfToken(path)];
  return Promise.all(
    browsers.map((browser, index) => browser.request(path, { csrf: tokens[index]!, ...fields })),
  );
}

testOverPostgres('of two presses of a link on two servers, one signs in', async () => {
  await using smtp = await startSmtpServer();
  await using world = await startServers({ adminKey: ADMIN_KEY, mail: createTestMail(smtp.port) });
  const [first, second] = world.servers;
  await addPerson(first);
  const browsers = [new Browser(first), new Browser(second)] as const;
  await askForLink(browsers[0]);
  browsers[1].cookie = browsers[0].cookie;
  const answers = await pressTogether(browsers, await receiveLink(smtp));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 404]);
  const signedIn = await Promise.all(browsers.map(isSignedIn));
  assert.equal(signedIn.filter(Boolean).length, 1);
});

testOverPostgres('of two uses of a setup link on two servers, one adds a person', async () => {
  await using world = await startServers({ adminKey: ADMIN_KEY });
  const [first, second] = world.servers;
  const token = await first.oneTimeTokens.create({ purpose: 'setup', lifetime: 60_000 });
  const browsers = [new Browser(first), new Browser(second)] as const;
  const answers = await pressTogether(browsers, `/setup/${token}`, {
    name: 'Miriam Okafor',
    email: EMAIL,
  });
  assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 404]);
  assert.equal((await first.staff.listPeople()).length, 1);
});

testOverPostgres('counts requests for links over all servers', async () => {
  await using smtp = await startSmtpServer();
  await using world = await startServers({ adminKey: ADMIN_KEY, mail: createTestMail(smtp.port) });
  await addPerson(world.servers[0]);
  const statuses: number[] = [];
  for (let count = 0; count < 6; count += 1)
    statuses.push((await askForLink(new Browser(world.servers[count % 2]!))).status);
  assert.deepEqual(statuses, [303, 303, 303, 303, 303, 429]);
});
