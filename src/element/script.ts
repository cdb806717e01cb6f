/** The script that pages embed with a script tag. */
import './script-endpoint.ts';
import './define.ts';

import('./places.ts').catch(() => undefined);
