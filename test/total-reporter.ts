import type { Reporter, TestSession, TestSuiteResult } from '@web/test-runner';

const listPassed = ({ tests, suites }: TestSuiteResult): boolean[] => [
  ...tests.filter(({ skipped }) => !skipped).map(({ passed }) => passed),
  ...suites.flatMap(listPassed),
];

/**
 * Lists for each test of a session whether it passed. A session that did not run, or that failed
 * outside its tests, counts as a failed test.
 */
function listResults({ testResults, passed }: TestSession): boolean[] {
  const results = testResults ? listPassed(testResults) : [];
  return !passed && results.every(Boolean) ? [...results, false] : results;
}

/** Prints the totals of all browsers in one line, which scripts/test.ts parses. */
export const totalReporter: Reporter = {
  onTestRunFinished({ sessions }) {
    const results = sessions.flatMap(listResults);
    const passed = results.filter(Boolean).length;
    console.log(`In all browsers: ${passed} passed, ${results.length - passed} failed`);
  },
};
