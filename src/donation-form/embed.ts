/** The script that pages embed with a script tag. */
import './page/embed-endpoint.ts';
import './form/define.ts';

import('./page/upgrade-placeholders.ts').catch(() => undefined);
