import type { Kysely } from 'kysely';
import type { Tables } from '../database/schema.ts';
import { mentionsEmail } from './match-email.ts';

export async function findNotesMentioning(db: Kysely<Tables>, organization: string, email: string) {
  const decisions = await db
    .selectFrom('reviewDecisions')
    .where('note', '<>', '')
    // With a join, SQLite would read all of the organization's donations.
    .where(
      (build) =>
        build
          .selectFrom('donations')
          .whereRef('donations.reference', '=', 'reviewDecisions.reference')
          .select('organization'),
      '=',
      organization,
    )
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
      .map(({ id, note: text, decidedAt: at }) => ({ id, text, at }))
      .filter(({ text }) => mentionsEmail(text, email)),
    pauseNotes: pauses
      .map(({ id, note, resumeNote, pausedAt: at }) => ({
        id,
        text: [note, resumeNote ?? ''].filter(Boolean).join('\n'),
        at,
      }))
      .filter(({ text }) => mentionsEmail(text, email)),
  };
}
