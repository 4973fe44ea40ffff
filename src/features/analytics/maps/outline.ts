export type Region = {
  /** ISO 3166-2:CN for provinces, ISO 3166-1 alpha-2 for countries and regions. */ readonly code: string;
  /** Where its name stands. */ readonly x: number;
  readonly y: number;
  readonly path: string;
};

/** Outlines as `scripts/make-maps.mjs` prepares them: paths in whole units of a view box of `width` × `height` that begins at 0, 0. */
export type Outline = {
  readonly width: number;
  readonly height: number;
  readonly regions: readonly Region[];
  /** Land that is drawn but counted for nobody. */ readonly neutral: string;
  /** The dashed line of the South China Sea, as far as it lies on the map itself. */ readonly dashes: string;
  /** The South China Sea in its frame, where the map itself does not reach it. */
  readonly inset?: {
    readonly frame: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
    readonly land: string;
    readonly hainan: string;
    readonly dashes: string;
  };
};

/** One line a region: code, x, y, path. */
export const readRegions = (table: string): readonly Region[] =>
  table
    .trim()
    .split('\n')
    .map((line) => {
      const [code = '', x, y, ...path] = line.split(' ');
      return { code, x: Number(x), y: Number(y), path: path.join(' ') };
    });
