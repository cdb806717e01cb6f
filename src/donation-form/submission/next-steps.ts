/**
 * Entry point of the chunk that handles what follows after the donor presses the button: notices,
 * required actions, and the screens with their drawings. Loaded while the donor fills in the form.
 */
export { wasAnnounced } from './announce-accepted-donation.ts';
export { completeForm } from './complete-form.ts';
export { removeSuggestions } from './email-suggestions.ts';
export { addHoneypot, consumeHoneypotValue } from './honeypot.ts';
export { renderResult } from './render-result.ts';
export { runEffect } from './run-effect.ts';
export { clearSavedEdits } from './saved-edits.ts';
export { decideNextStep } from './submission-machine.ts';
