import type { Kysely } from 'kysely';
import type { Tables } from '../database/schema.ts';
import { mentionsEmail } from './match-email.ts';

/** Something that an operator wrote in words of their own. */
export interface Note {
  /** Of the decision or the pause that it was written for. */
  readonly id: string;
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/**
 * What operators of an organisation wrote that names an address, whatever gift it was written of.
 */
export async function findNotesMentioning(
  db: Kysely<Tables>,
  organization: string,
  email: string,
): Promise<{ readonly ofDecisions: readonly Note[]; readonly ofPauses: readonly Note[] }> {
  const decisions = await db
    .selectFrom('review_decisions')
    .innerJoin('donations', 'donations.reference', 'review_decisions.reference')
    .where('donations.organization', '=', organization)
    .where('note', '<>', '')
    .select(['id', 'note', 'decided_at'])
    .orderBy('decided_at')
    .execute();
  const pauses = await db
    .selectFrom('pauses')
    .where('organization', '=', organization)
    .select(['id', 'note', 'resume_note', 'paused_at'])
    .orderBy('paused_at')
    .execute();
  return {
    ofDecisions: decisions
      .map(({ id, note: text, decided_at: at }): Note => ({ id, text, at }))
      .filter(({ text }) => mentionsEmail(text, email)),
    ofPauses: pauses
      .map(({ id, note, resume_note: resumed, paused_at: at }): Note => ({
        id,
        text: [note, resumed ?? ''].filter(Boolean).join('\n'),
        at,
      }))
      .filter(({ text }) => mentionsEmail(text, email)),
  };
}
