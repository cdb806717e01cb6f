/** The embedded script of `<donation-form>`. */
import './page/embed-endpoint.ts';
import './form/define.ts';

import('./page/upgrade-placeholders.ts').catch(() => undefined);
