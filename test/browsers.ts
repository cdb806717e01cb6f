import type { LaunchOptions } from 'playwright';

/**
 * Features of Chromium's address bar, which loads its pages for each browser context. That takes as
 * much CPU time as a form, and no test needs it.
 */
const UNUSED_FEATURES = [
  'SpareRendererForSitePerProcess',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'WebUIOmniboxPopup',
];

/** Features that Playwright disables; our list replaces Playwright's. */
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

/** Arguments with which Chromium also works as root and without a network. */
const CHROMIUM_ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${[...DISABLED_BY_PLAYWRIGHT, ...UNUSED_FEATURES].join()}`,
];

/**
 * Launch options for Chromium's headless shell: the same engine without the browser's own windows
 * and services. The end-to-end tests take a third less CPU time with it.
 */
export const chromium: LaunchOptions = {
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
  args: CHROMIUM_ARGUMENTS,
};

/** Launch options for the whole Chromium, since its headless shell has no autofill. */
export const fullChromium: LaunchOptions = {
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: CHROMIUM_ARGUMENTS,
};

/** Launch options for the system's Firefox, which Playwright controls with WebDriver BiDi. */
export const firefox: LaunchOptions = {
  channel: 'moz-firefox',
  executablePath: process.env.FIREFOX ?? '/usr/bin/firefox-esr',
};
