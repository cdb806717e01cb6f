import type { Role } from '../src/server/database/schema.ts';

export interface StaffMember {
  readonly name: string;
  readonly email: string;
  /** In all organizations. */
  readonly role: Role;
}

/** Fictional people, whom `site/staff.html` lists. */
export const STAFF = [
  {
    name: 'Alice Administrator',
    email: 'alice@lanternwell.example',
    role: 'administrator',
    startPage: '/',
  },
  { name: 'Frank Finance', email: 'frank@lanternwell.example', role: 'finance', startPage: '/' },
  {
    name: 'Carol Campaigner',
    email: 'carol@lanternwell.example',
    role: 'campaigner',
    startPage: '/builder',
  },
] as const satisfies readonly (StaffMember & {
  /** Path of the admin page that opens. */
  readonly startPage: string;
})[];
