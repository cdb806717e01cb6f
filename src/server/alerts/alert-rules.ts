import type { AlertRule } from './alert-rule.ts';
import { DATABASE_RULES } from './database-rules.ts';
import { SERVER_RULES } from './server-rules.ts';

/** All causes that a server reports, unless it does not run. */
export const ALERT_RULES: readonly AlertRule[] = [...DATABASE_RULES, ...SERVER_RULES];
