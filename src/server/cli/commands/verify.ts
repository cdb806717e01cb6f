import { Command } from '@commander-js/extra-typings';

export const verifyCommand = new Command('verify')
  .summary('find out why a page does not show the form')
  .description(
    'Open a page that should show the form, and print what keeps the form away, what to do, and ' +
      'a text to send to the person who can fix it. Needs no configuration: run it anywhere. ' +
      'Opens the page in an installed Chrome, Edge, or Chromium if the package playwright-core is ' +
      'installed (npm install playwright-core). Without them, downloads the page and requests its ' +
      'script and form only, and cannot check policies, blockers, styles, and scripts of the page. ' +
      'If the form does not appear by itself, scrolls and presses buttons that may reveal it, but ' +
      'fills in and sends nothing. Exits with 1 if visitors do not see the form, or with 2 if this ' +
      'cannot be checked.',
  )
  .argument('<url>', 'URL of the page')
  .option('--json', 'print the diagnosis as JSON')
  .action(async (url, { json = false }) => {
    const { runVerify } = await import('../run-verify.ts');
    await runVerify(url, json);
  });
