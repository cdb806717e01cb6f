import { readFileSync } from 'node:fs';
import { ConfigurationError } from '../lib/configuration-error.ts';

/** A PNG file that messages contain. */
export interface MailLogo {
  readonly content: Buffer;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

/** In bytes. A message contains its logo, and large messages arrive late or not at all. */
const MAX_LOGO_SIZE = 100_000;
/** Signature of a PNG file, and the length and type of its first chunk (PNG, sections 5.2 and 11.2.1). */
const PNG_START = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

/** @throws {ConfigurationError} if the file is not a PNG file of at most 100 kB. */
export function readMailLogo(file: string, place: string): MailLogo {
  const content = readLogoFile(file, place);
  if (content.length > MAX_LOGO_SIZE)
    throw new ConfigurationError(
      `${place}: found ${file} with ${content.length} bytes; expected at most ${MAX_LOGO_SIZE}. ` +
        'Save the picture with fewer pixels, such as 400 by 120',
    );
  if (content.length < 24 || !content.subarray(0, PNG_START.length).equals(PNG_START))
    throw new ConfigurationError(
      `${place}: found ${file}, which is not a PNG file; expected a PNG file. ` +
        'Mail programs do not show SVG and WebP',
    );
  const [width, height] = [content.readUInt32BE(16), content.readUInt32BE(20)];
  if (width === 0 || height === 0)
    throw new ConfigurationError(
      `${place}: found ${file} with ${width} by ${height} pixels; expected a picture. ` +
        'Save the file again',
    );
  return { content, width, height };
}

function readLogoFile(file: string, place: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new ConfigurationError(
      `${place}: cannot read ${file} (${code === 'ENOENT' ? 'no such file' : code}). ` +
        "Save the picture there so that the server's user can read it",
      { cause },
    );
  }
}
