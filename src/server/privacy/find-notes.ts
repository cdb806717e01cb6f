import type { Kysely } from 'kysely';
import type { Tables } from '../database/schema.ts';
import { mentionsEmail } from './match-email.ts';

export interface Note {
  readonly id: string;
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export async function findNotesMentioning(
  db: Kysely<Tables>,
  organization: string,
  email: string,
): Promise<{ readonly decisionNotes: readonly Note[]; readonly pauseNotes: readonly Note[] }> {
  const decisions = await db
    .selectFrom('reviewDecisions')
    .innerJoin('donations', 'donations.reference', 'reviewDecisions.reference')
    .where('donations.organization', '=', organization)
    .where('note', '<>', '')
    .select(['id', 'note', 'decidedAt'])
    .orderBy('decidedAt')
    .execute();
  const pauses = await db
    .selectFrom('pauses')
    .where('organization', '=', organization)
    .select(['id', 'note', 'resumeNote', 'pausedAt'])
    .orderBy('pausedAt')
    .execute();
  return {
    decisionNotes: decisions
      .map(({ id, note: text, decidedAt: at }): Note => ({ id, text, at }))
      .filter(({ text }) => mentionsEmail(text, email)),
    pauseNotes: pauses
      .map(({ id, note, resumeNote, pausedAt: at }): Note => ({
        id,
        text: [note, resumeNote ?? ''].filter(Boolean).join('\n'),
        at,
      }))
      .filter(({ text }) => mentionsEmail(text, email)),
  };
}
