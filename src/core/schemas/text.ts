import { z } from 'zod';
import { cleanLine, cleanText, normalizeLineBreaks } from '../donor/donor.ts';

/** Schema for a single line without control characters, direction marks, or surrounding spaces. */
export const lineSchema = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .refine(
      (input) => cleanLine(input) === input,
      'expected a single line without control characters, direction marks, or surrounding spaces',
    );

/** Schema for multiline text. Converts the line separators that earlier scripts do not convert. */
export const textSchema = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .overwrite(normalizeLineBreaks)
    .refine(
      (input) => cleanText(input) === input,
      'expected text without control characters, direction marks, or surrounding spaces',
    );
