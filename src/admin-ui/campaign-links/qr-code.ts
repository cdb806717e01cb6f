import { encode } from 'uqr';

/** A QR code as black squares on white. */
export interface QrCode {
  /** Modules on each side, the quiet zone among them. */
  readonly size: number;
  /** The black modules, as the path of an SVG. */
  readonly path: string;
}

/** Modules that stay white around the code: ISO/IEC 18004. */
const QUIET_ZONE = 4;

/** @returns `undefined` where the text is too long for a QR code. */
export function qrCode(text: string): QrCode | undefined {
  try {
    const { size, data } = encode(text, { ecc: 'M', border: QUIET_ZONE });
    return {
      size,
      path: data
        .map((row, y) => row.map((isBlack, x) => (isBlack ? `M${x} ${y}h1v1h-1z` : '')).join(''))
        .join(''),
    };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The code as a file that printers and designers take. */
export function svgFile({ size, path }: QrCode): Blob {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path}"/></svg>\n`;
  return new Blob([svg], { type: 'image/svg+xml' });
}
