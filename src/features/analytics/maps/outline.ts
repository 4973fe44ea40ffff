export type Region = {
  /** ISO 3166-2:CN for provinces, ISO 3166-1 alpha-2 for countries and regions. */ readonly code: string;
  /** Position of its name. */ readonly x: number;
  readonly y: number;
  readonly path: string;
};

/** Outlines as `scripts/make-maps.mjs` generates them: paths in whole units of a view box of `width` × `height` with origin 0, 0. */
export type Outline = {
  readonly width: number;
  readonly height: number;
  readonly regions: readonly Region[];
  /** Land that is drawn but has no data. */ readonly neutral: string;
  /** The dashed line of the South China Sea, as far as it is on the map itself. */ readonly dashes: string;
  /** The South China Sea in its frame, beyond the edge of the map. */
  readonly inset?: {
    readonly frame: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
    readonly land: string;
    readonly hainan: string;
    readonly dashes: string;
  };
};

/** One line per region: code, x, y, path. */
export const readRegions = (table: string): readonly Region[] =>
  table
    .trim()
    .split('\n')
    .map((line) => {
      const [code = '', x, y, ...path] = line.split(' ');
      return { code, x: Number(x), y: Number(y), path: path.join(' ') };
    });
