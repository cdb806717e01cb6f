import type { Reporter, TestSession, TestSuiteResult } from '@web/test-runner';

const testsOf = ({ tests, suites }: TestSuiteResult): boolean[] => [
  ...tests.filter(({ skipped }) => !skipped).map(({ passed }) => passed),
  ...suites.flatMap(testsOf),
];

/**
 * The tests of a file in a browser, each passed or not. A file that did not run, or that failed
 * outside of its tests, is one that failed.
 */
function resultsOf({ testResults, passed }: TestSession): boolean[] {
  const results = testResults ? testsOf(testResults) : [];
  return !passed && results.every(Boolean) ? [...results, false] : results;
}

/** Sums up all browsers in one line, which the run of all suites reads. */
export const sumReporter: Reporter = {
  onTestRunFinished({ sessions }) {
    const results = sessions.flatMap(resultsOf);
    const passed = results.filter(Boolean).length;
    console.log(`In all browsers: ${passed} passed, ${results.length - passed} failed`);
  },
};
