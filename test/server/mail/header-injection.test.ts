import { test } from 'node:test';
import { checkHostileTexts } from './header-injection.ts';

test('texts of a donor add no header and no recipient to a message', () => checkHostileTexts(100));
