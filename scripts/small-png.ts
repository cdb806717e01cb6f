import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const TRUE_COLOUR = 2;
const PALETTE = 3;
const MOST_COLOURS = 256;

/**
 * Writes a screenshot with 256 colours, in about half of the bytes: its most frequent ones, and for
 * the shades at the edges of letters the nearest of these.
 * @param png of 8 bits in each of red, green and blue, as browsers make screenshots; anything
 *   else is given back as it is.
 */
export function smallPng(png: Buffer): Buffer {
  const { header, data } = readChunks(png);
  const width = header.readUInt32BE(0);
  const height = header.readUInt32BE(4);
  if (header[8] !== 8 || header[9] !== TRUE_COLOUR || header[12] !== 0) return png;
  const pixels = unfiltered(inflateSync(data), width * 3, height);
  const counts = new Map<number, number>();
  for (let at = 0; at < pixels.length; at += 3) {
    const colour = pixels.readUIntBE(at, 3);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const palette = [...counts]
    .sort(([, one], [, other]) => other - one)
    .slice(0, MOST_COLOURS)
    .map(([colour]) => colour);
  const places = new Map([...counts.keys()].map((colour) => [colour, nearest(colour, palette)]));
  const rows = Buffer.alloc(height * (width + 1));
  for (let place = 0; place < width * height; place += 1)
    rows[place + Math.floor(place / width) + 1] = places.get(pixels.readUIntBE(place * 3, 3))!;
  const colours = Buffer.alloc(palette.length * 3);
  palette.forEach((colour, place) => colours.writeUIntBE(colour, place * 3, 3));
  const newHeader = Buffer.from(header);
  newHeader[9] = PALETTE;
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', newHeader),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function readChunks(png: Buffer): { header: Buffer; data: Buffer } {
  let header: Buffer = Buffer.alloc(0);
  const data: Buffer[] = [];
  for (let at = SIGNATURE.length; at < png.length;) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    const content = png.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') header = content;
    if (type === 'IDAT') data.push(content);
    at += length + 12;
  }
  return { header, data: Buffer.concat(data) };
}

/** Portable Network Graphics, 'Filter Algorithms'. @param width of a row, in bytes. */
function unfiltered(rows: Buffer, width: number, height: number): Buffer {
  const pixels = Buffer.alloc(width * height);
  for (let y = 0; y < height; y += 1) {
    const filter = rows[y * (width + 1)]!;
    for (let x = 0; x < width; x += 1) {
      const at = y * width + x;
      const left = x < 3 ? 0 : pixels[at - 3]!;
      const up = y === 0 ? 0 : pixels[at - width]!;
      const corner = x < 3 || y === 0 ? 0 : pixels[at - width - 3]!;
      pixels[at] =
        rows[at + y + 1]! + [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter]!;
    }
  }
  return pixels;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [fromLeft, fromUp, fromCorner] = [
    Math.abs(guess - left),
    Math.abs(guess - up),
    Math.abs(guess - corner),
  ];
  if (fromLeft <= fromUp && fromLeft <= fromCorner) return left;
  return fromUp <= fromCorner ? up : corner;
}

/** The place of the colour in the palette that is the nearest. */
function nearest(colour: number, palette: readonly number[]): number {
  const far = (other: number): number =>
    [16, 8, 0].reduce(
      (sum, shift) => sum + (((colour >> shift) & 255) - ((other >> shift) & 255)) ** 2,
      0,
    );
  let best = 0;
  palette.forEach((other, place) => {
    if (far(other) < far(palette[best]!)) best = place;
  });
  return best;
}

function chunk(type: string, content: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const length = Buffer.alloc(4);
  const sum = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, sum]);
}
