import { z } from 'zod';
import { cleanLine, cleanText } from '../donor/donor.ts';

/**
 * One line as it is kept: without control characters, marks of direction and spaces at its ends.
 * @param length the most characters.
 */
export const line = (length: number) =>
  z
    .string()
    .max(length)
    .refine(
      (given) => cleanLine(given) === given,
      'expected one line without control characters, direction marks or spaces at its ends',
    );

/** A text on several lines as it is kept. @param length the most characters. */
export const text = (length: number) =>
  z
    .string()
    .max(length)
    .refine(
      (given) => cleanText(given) === given,
      'expected a text without control characters, direction marks or spaces at its ends',
    );
