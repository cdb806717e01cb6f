import { test } from 'node:test';
import { checkHostileTexts } from './header-injection.ts';

test('10,000 texts of donors add no header and no recipient to a message', () =>
  checkHostileTexts(2_500));
