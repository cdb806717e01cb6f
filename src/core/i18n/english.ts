import { enAddress } from './en-address.ts';
import { enMore } from './en-more.ts';
import { enSending } from './en-sending.ts';
import { en } from './en.ts';
import type { Tables } from './tables.ts';

/** All texts in English, for what needs them together. */
export const english: Tables = { form: en, sending: enSending, more: enMore, address: enAddress };
