import type { AlertRule } from './alert-rule.ts';
import { DATABASE_RULES } from './database-rules.ts';
import { SERVER_RULES } from './server-rules.ts';

/** All alert rules that a running server checks. */
export const ALERT_RULES: readonly AlertRule[] = [...DATABASE_RULES, ...SERVER_RULES];
