/** Default time limit for a run of the jobs, in seconds. Leaves room for one run per minute. */
export const DEFAULT_TIMEOUT_SECONDS = 50;
