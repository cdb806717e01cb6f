/**
 * What a form needs from the moment that its button is pressed. Fetched while the donor fills it
 * in.
 */
export { SubmissionController } from './submission-controller.ts';
