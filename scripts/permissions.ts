/** Writes the tables of `docs/server/staff.md`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { ACTION_ROUTES, type ActionRoute } from '../src/server/admin/actions/action-routes.ts';
import {
  PERMISSION_DESCRIPTIONS,
  PERMISSIONS,
  ROLE_PERMISSIONS,
  ROLES,
} from '../src/server/staff/roles.ts';
import { formatMarkdown } from './format-markdown.ts';

const PAGE = 'docs/server/staff.md';

const renderTable = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');

function renderRoles(): string {
  return renderTable([
    ['permission', 'lets people', ...ROLES],
    ['---', '---', ...ROLES.map(() => '---')],
    ...PERMISSIONS.map((permission) => [
      `\`${permission}\``,
      PERMISSION_DESCRIPTIONS[permission],
      ...ROLES.map((role) => (ROLE_PERMISSIONS[role].includes(permission) ? 'yes' : '')),
    ]),
  ]);
}

function renderActions(): string {
  const actions = Object.entries<ActionRoute>(ACTION_ROUTES);
  const rows = PERMISSIONS.map((permission) => [
    `\`${permission}\``,
    actions
      .filter(([, route]) => route.permission === permission)
      .map(([name]) => `\`${name}\``)
      .join(', '),
  ]);
  return renderTable([
    ['permission', 'actions'],
    ['---', '---'],
    ...rows.filter(([, names]) => names !== ''),
  ]);
}

export async function renderStaffPage(): Promise<string> {
  const page = readFileSync(PAGE, 'utf8')
    .replace(/(<!-- roles -->\n)[^]*?(?=<!-- end -->)/, `$1\n${renderRoles()}\n\n`)
    .replace(/(<!-- actions -->\n)[^]*?(?=<!-- end -->)/, `$1\n${renderActions()}\n\n`);
  return formatMarkdown(page);
}

if (import.meta.main) writeFileSync(PAGE, await renderStaffPage());
