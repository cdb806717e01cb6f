import { encode } from 'uqr';

export interface QrCode {
  /** Number of modules per side, including the quiet zone. */
  readonly size: number;
  readonly path: string;
}

/** Width of the quiet zone in modules (ISO/IEC 18004). */
const QUIET_ZONE = 4;

/** Creates a QR code. Returns `undefined` if the text is too long for a QR code. */
export function createQrCode(text: string): QrCode | undefined {
  try {
    const { size, data } = encode(text, { ecc: 'M', border: QUIET_ZONE });
    return {
      size,
      path: data
        .map((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')).join(''))
        .join(''),
    };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

export function createSvgFile({ size, path }: QrCode): Blob {
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">`,
    `<path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path}"/></svg>\n`,
  ];
  return new Blob(svg, { type: 'image/svg+xml' });
}
