/** Globals that this package uses without DOM or Node types. */
declare class URL {
  static canParse(url: string, base?: string): boolean;
  constructor(url: string, base?: string | URL);
  hash: string;
  host: string;
  readonly hostname: string;
  href: string;
  readonly origin: string;
  password: string;
  pathname: string;
  protocol: string;
  search: string;
  readonly searchParams: URLSearchParams;
  username: string;
}

declare class URLSearchParams {
  constructor(init?: string | Iterable<[string, string]> | Record<string, string>);
  [Symbol.iterator](): Iterator<[string, string]> & Iterable<[string, string]>;
  append(name: string, value: string): void;
  delete(name: string): void;
  entries(): IterableIterator<[string, string]>;
  get(name: string): string | null;
  has(name: string): boolean;
  keys(): IterableIterator<string>;
  set(name: string, value: string): void;
}

declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean });
  decode(input: ArrayBufferView | ArrayBuffer): string;
}
