/** The embed script for `<donation-form>`. */
import './page/embed-endpoint.ts';
import './form/define.ts';

import('./page/upgrade-placeholders.ts').catch(() => undefined);
