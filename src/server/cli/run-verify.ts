import {
  describeRecipient,
  type PageCheck,
  type PageDiagnosis,
  writeSupportRequest,
} from '@donation-form/core/page-diagnosis';
import { launchBrowser } from '../diagnostics/page/open-page.ts';
import { verifyPage } from '../diagnostics/page/verify-page.ts';

const EXIT_CODES: Readonly<Record<PageDiagnosis['status'], number>> = {
  healthy: 0,
  broken: 1,
  unknown: 2,
};

/** Diagnoses a page, prints the result, and sets the exit code. */
export async function runVerify(url: string, isJson: boolean): Promise<void> {
  let browser: Awaited<ReturnType<typeof launchBrowser>>;
  try {
    assertIsPageUrl(url);
    browser = await launchBrowser();
    const diagnosis = await verifyPage(url, { browser });
    process.stdout.write(isJson ? formatJson(url, diagnosis) : formatDiagnosis(url, diagnosis));
    process.exitCode = EXIT_CODES[diagnosis.status];
  } catch (error) {
    const { message } = error as Error;
    if (isJson) process.stdout.write(toJson({ url, status: 'unknown', message, checks: [] }));
    else process.stderr.write(`${message}\n`);
    process.exitCode = EXIT_CODES.unknown;
  } finally {
    await browser?.close();
  }
}

/** @throws {Error} if a text is not the URL of a page. */
function assertIsPageUrl(url: string): void {
  if (!/^(?:https?|file):$/.test(URL.canParse(url) ? new URL(url).protocol : ''))
    throw new Error(`${url} is not a URL. Use the full URL, such as https://www.example.org/give.`);
}

function formatJson(url: string, { status, problem, checks }: PageDiagnosis): string {
  return toJson({
    url,
    status,
    ...(problem && { problem: { ...problem, request: writeSupportRequest(problem, url) } }),
    checks,
  });
}

function toJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Formats a diagnosis for people: the problem first, then the other checks. */
function formatDiagnosis(url: string, { status, problem, checks }: PageDiagnosis): string {
  const explanation = problem
    ? [
        problem.headline,
        problem.why,
        '',
        `What to do: ${problem.fix}`,
        '',
        describeRecipient(problem),
        '',
        ...writeSupportRequest(problem, url)
          .split('\n')
          .map((line) => `    ${line}`),
      ]
    : [
        status === 'healthy'
          ? `Visitors see the form on ${url}.`
          : `Cannot tell without a browser whether visitors see the form on ${url}.`,
      ];
  return [...explanation, '', ...formatChecks(checks)].join('\n').trimEnd().concat('\n');
}

function formatChecks(checks: readonly PageCheck[]): string[] {
  const width = Math.max(0, ...checks.map(({ name }) => name.length));
  return checks.map(
    ({ name, status, message }) => `${status.padEnd(7)}  ${name.padEnd(width)}  ${message}`,
  );
}
