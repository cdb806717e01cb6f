import type { ActionName } from '../../../src/server/admin/actions/action-routes.ts';
import {
  type ActionOutput,
  performAction,
} from '../../../src/server/admin/actions/staff-actions.ts';
import type { Actor } from '../../../src/server/staff/actor.ts';
import { createPersonActor, type Membership } from '../../../src/server/staff/staff-repository.ts';
import { ADMIN_KEY } from '../admin/support.ts';
import { configuration, type TestServer } from '../support.ts';

export const ORGANIZATION = 'lanternwell';
export const EVERYWHERE: Membership = { organization: '*', roles: ['administrator'] };

/** Performs an action as somebody, as the admin pages do. */
export function perform<Name extends ActionName>(
  server: TestServer,
  name: Name,
  input: object,
  actor: Actor,
): Promise<ActionOutput<Name>> {
  return performAction(name, input, actor, {
    ...server,
    runJobs: server.handler.runJobs,
    key: ADMIN_KEY,
    configuration: () => configuration,
  });
}

/** Adds a person to the database, and returns what this person may do. */
export async function addPerson(
  { staff }: Pick<TestServer, 'staff'>,
  name: string,
  membership = EVERYWHERE,
): Promise<Actor> {
  const email = `${name.toLowerCase()}@example.org`;
  const id = await staff.addPerson({ email, name }, membership);
  return createPersonActor((await staff.findPerson(id!))!);
}

export function callWithToken(
  server: Pick<TestServer, 'fetchAdmin'>,
  token: string,
  path: string,
  body?: object,
): Promise<Response> {
  return server.fetchAdmin(path, {
    headers: { Authorization: `Bearer ${token}` },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
}
