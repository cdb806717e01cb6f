import type { GiftRecorder } from './platform-adapter.ts';

/** No platform: the journal is the record, and `donation-form gifts export` writes it out. */
export function exportRecorder(): GiftRecorder {
  return {
    isJournal: true,
    record: () =>
      Promise.reject(new Error('the journal is the record: there is no platform to record at')),
  };
}
