/** The embed script for `<donation-form>`. */
import './page/embed-script.ts';
import './form/define.ts';

/** Milliseconds until a page with a form also looks for placeholders. */
const PLACEHOLDER_DELAY = 500;

setTimeout(
  () => {
    import('./page/upgrade-placeholders.ts').catch(() => undefined);
  },
  document.querySelector('donation-form') ? PLACEHOLDER_DELAY : 0,
);
