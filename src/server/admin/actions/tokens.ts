import type { z } from 'zod';
import { listMissingPermissions } from '../../staff/actor.ts';
import { ALL_ORGANIZATIONS, SERVER_WIDE_PERMISSIONS } from '../../staff/roles.ts';
import type { ActorContext } from '../access/actor-context.ts';
import { ActionError } from './action-error.ts';
import type { idSchema, tokenSchema } from './input-schemas.ts';
import { formatUnknownOrganization } from './organizations.ts';

export type TokenItem = Awaited<ReturnType<typeof listTokens>>[number];

/** Lists the API tokens of the organizations that the actor may manage. Times are ISO 8601. */
export async function listTokens(context: ActorContext) {
  const people = await context.staff.listPeople();
  const tokens = (await context.apiTokens.listTokens()).filter(({ organization }) =>
    context.isPermitted(organization),
  );
  return tokens.map(({ createdBy, createdAt, lastUsedAt, ...token }) => ({
    ...token,
    createdBy: people.find(({ id }) => id === createdBy)?.name ?? createdBy,
    createdAt: new Date(createdAt).toISOString(),
    lastUsedAt: lastUsedAt === null ? null : new Date(lastUsedAt).toISOString(),
  }));
}

/** Returns the token, which cannot be shown again. */
export async function createToken(
  input: z.output<typeof tokenSchema>,
  context: ActorContext,
): Promise<{ readonly id: string; readonly token: string; readonly after: object }> {
  const { actor, apiTokens, organizations } = context;
  const { organization } = input;
  if (actor.kind === 'token')
    throw new ActionError(
      403,
      'An API token cannot create other tokens. Create the token on the staff page.',
    );
  const isKnown =
    organization === ALL_ORGANIZATIONS || organizations.find(organization) !== undefined;
  if (!isKnown || !context.isPermitted(organization))
    throw new ActionError(403, formatUnknownOrganization(organization, organizations));
  const serverWide = input.permissions.find((one) => SERVER_WIDE_PERMISSIONS.has(one));
  if (serverWide !== undefined && organization !== ALL_ORGANIZATIONS)
    throw new ActionError(
      400,
      `The permission ${serverWide} concerns the whole server. Create a token for all organizations, ` +
        'or leave the permission out.',
    );
  const [missing] = listMissingPermissions(actor, input);
  if (missing !== undefined)
    throw new ActionError(
      403,
      `The token cannot have the permission ${missing}, because you do not have it yourself.`,
    );
  return { ...(await apiTokens.createToken({ ...input, creator: actor })), after: input };
}

/** @throws {ActionError} 404 */
export async function revokeToken({ id }: z.output<typeof idSchema>, context: ActorContext) {
  const token = (await listTokens(context)).find((one) => one.id === id);
  if (!token)
    throw new ActionError(404, 'No API token of your organizations has this ID. Reload the page.');
  await context.apiTokens.deleteToken(id);
  return { before: { name: token.name, permissions: token.permissions } };
}
