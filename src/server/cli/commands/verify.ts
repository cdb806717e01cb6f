import { Command } from '@commander-js/extra-typings';

export const verifyCommand = new Command('verify')
  .summary('find out why a page does not show the form')
  .description(
    'Open a page that should show the form, and print what keeps the form from appearing, what ' +
      'to do, and a message to send to the person who can fix the problem. Needs no ' +
      'configuration, so you can run this command anywhere. Opens the page in an installed ' +
      'Chrome, Edge, or Chromium if the playwright-core package is installed (npm install ' +
      'playwright-core). If the browser or the package is missing, only downloads the page and ' +
      'requests its script and form, and cannot check policies, blockers, or the styles and ' +
      'scripts of the page. If the form does not appear on its own, scrolls the page and presses ' +
      'buttons that may reveal the form, but does not fill in or send anything. Exits with 1 if ' +
      'visitors do not see the form, or with 2 if the page cannot be checked.',
  )
  .argument('<url>', 'URL of the page')
  .option('--json', 'print the diagnosis as JSON')
  .action(async (url, { json = false }) => {
    const { runVerify } = await import('../run-verify.ts');
    await runVerify(url, json);
  });
