import { fileURLToPath } from 'node:url';
import { build, type Rolldown } from 'vite';

const FOLDER = fileURLToPath(new URL('baselines/', import.meta.url));

export interface BuiltBaseline {
  readonly script: string;
  /** Style sheet, if it is not in the script. */
  readonly style: string | undefined;
}

/** Bundles and minifies a baseline for production, without writing a file. */
export async function buildBaseline(file: string): Promise<BuiltBaseline> {
  const results = await build({
    configFile: false,
    logLevel: 'error',
    root: FOLDER,
    define: { 'process.env.NODE_ENV': '"production"' },
    oxc: { jsx: { runtime: 'classic', pragma: 'h', pragmaFrag: 'Fragment' } },
    build: {
      write: false,
      target: 'es2022',
      minify: true,
      lib: { entry: file, formats: ['es'], fileName: 'baseline', cssFileName: 'baseline' },
      rolldownOptions: { output: { minify: true, comments: false, codeSplitting: false } },
    },
  });
  const [{ output }] = results as [Rolldown.RolldownOutput];
  const [script] = output;
  const style = output.find(({ fileName }) => fileName.endsWith('.css'));
  return {
    script: script.code,
    style: style?.type === 'asset' ? String(style.source) : undefined,
  };
}
