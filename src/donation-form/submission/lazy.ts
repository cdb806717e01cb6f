/** Entry point of the submission chunk, loaded while the donor fills in the form. */
export { SubmissionController } from './submission-controller.ts';
