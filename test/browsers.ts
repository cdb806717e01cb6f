import type { LaunchOptions } from 'playwright';

/**
 * Parts of Chromium's own window that no test needs: it loads the pages of its address bar for each
 * browser context, which takes as much CPU time as a form.
 */
const UNUSED_WINDOW_PARTS = [
  'SpareRendererForSitePerProcess',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'WebUIOmniboxPopup',
];

/** What Playwright disables itself; ours is the only list that Chromium reads. */
const DISABLED_BY_PLAYWRIGHT = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'DialMediaRouteProvider',
  'GlobalMediaControls',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'BlockOriginHeaderModificationOnRedirect',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'Translate',
  'AutoDeElevate',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
];

/** How the tests start the system's Chromium, also as root and without a network. */
export const chromium: LaunchOptions = {
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    `--disable-features=${[...DISABLED_BY_PLAYWRIGHT, ...UNUSED_WINDOW_PARTS].join()}`,
  ],
};

/** How the tests start the system's Firefox, which Playwright drives by WebDriver BiDi. */
export const firefox: LaunchOptions = {
  channel: 'moz-firefox',
  executablePath: process.env.FIREFOX ?? '/usr/bin/firefox-esr',
};
