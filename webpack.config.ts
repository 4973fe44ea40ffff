import { resolve } from 'node:path';
import ReactRefreshPlugin from '@pmmmwh/react-refresh-webpack-plugin';
import CompressionPlugin from 'compression-webpack-plugin';
import CopyPlugin from 'copy-webpack-plugin';
import HtmlPlugin from 'html-webpack-plugin';
import CssPlugin from 'mini-css-extract-plugin';
import Terser from 'terser-webpack-plugin';
import type { Chunk, ChunkGraph, Compilation, Compiler, Configuration, Module } from 'webpack';
import type {} from 'webpack-dev-server';
import { flatTree } from './src/routes/paths';

const root = import.meta.dirname ?? __dirname;
const at = (...parts: string[]): string => resolve(root, ...parts);

/** The package exports of react-router point to its development build even in production; both entries must be aliased, or there are two contexts. */
const reactRouterProduction = {
  'react-router/dom$': at('node_modules/react-router/dist/production/dom-export.mjs'),
  'react-router$': at('node_modules/react-router/dist/production/index.mjs'),
};

/** Icons draw themselves without MUI's component, which would bring its theme and style engine to pages that need nothing else of it. */
const plainIcons = { [at('node_modules/@mui/icons-material/utils/createSvgIcon.mjs')]: at('src/ui/createSvgIcon.tsx') };

/** React has this hook since version 18, so the copy for older versions is excluded. */
const shimless = { 'use-sync-external-store/shim$': at('node_modules/react/index.js') };

/** Writes what the server sends to consoles: the id of this build, and the files of each route's part with their sizes (`GET /__manifest`). */
class ConsoleManifest {
  apply(compiler: Compiler): void {
    const { Compilation: Stages, sources } = compiler.webpack;
    compiler.hooks.thisCompilation.tap('ConsoleManifest', (compilation: Compilation) => {
      compilation.hooks.processAssets.tap({ name: 'ConsoleManifest', stage: Stages.PROCESS_ASSETS_STAGE_REPORT }, () => {
        const version = compilation.hash ?? '';
        const first = new Set(compilation.entrypoints.get('index')?.getFiles() ?? []);
        const patches: Record<string, string[]> = {};
        const filesOf = (chunk: string, user: string): readonly string[] => {
          const files = compilation.namedChunkGroups.get(chunk)?.getFiles();
          if (!files) throw new Error(`${user} names the part "${chunk}", which does not exist`);
          return files;
        };
        const theme = filesOf('mui', 'The router');
        for (const { node, path } of flatTree) {
          if (node.chunk === undefined) continue;
          const files = [...new Set([...(node.plain ? [] : theme), ...filesOf(node.chunk, `Route ${node.id}`)])];
          patches[path] = files.filter((file) => !first.has(file) && !file.endsWith('.map')).map((file) => `/${file}`);
        }
        const sizeOf = (file: string) => (compilation.getAsset(`${file}.gz`) ?? compilation.getAsset(file))?.source.size() ?? 0;
        const sizes = Object.fromEntries([...new Set(Object.values(patches).flat())].map((file) => [file, sizeOf(file.slice(1))]));
        compilation.emitAsset('manifest.json', new sources.RawSource(JSON.stringify({ version, patches, sizes })));
        // Files with the messages that the first script requests; scripts/check-size.mjs counts the larger.
        const messages = [...compilation.namedChunkGroups].filter(([name]) => name.startsWith('messages-core-')).flatMap(([, group]) => group.getFiles());
        compilation.emitAsset(
          'build.json',
          new sources.RawSource(JSON.stringify({ build: version, messages: messages.filter((file) => file.endsWith('.js')) })),
        );
      });
    });
  }
}

/** Parts of the console that load on demand; the sign page and the pages of links have none of them. */
const isScreen = (chunk: Chunk): boolean => !chunk.canBeInitial();

/** How many parts use what a shared file holds. With fewer, every first load brings what only some screens need, so the number grows with the screens. */
const sharedBy = 24;

/** Whether the shared file holds a module that many parts use: `sharedBy` of them do, or the frame follows live updates with it, so that every first load needs it. */
function isCommon(module: Module, { chunkGraph }: { readonly chunkGraph: ChunkGraph }): boolean {
  const path = module.nameForCondition() ?? '';
  if (/[\\/](src[\\/]lib[\\/](live|useLive)|contract[\\/](days|live[\\/]))/.test(path)) return true;
  return /[\\/](src|contract)[\\/]/.test(path) && [...chunkGraph.getModuleChunksIterable(module)].filter(isScreen).length >= sharedBy;
}

/** Time in ms after which the loading of a part fails. */
const longestLoad = 120_000;

/** Applies the limit of scripts (`chunkLoadTimeout`) to style parts too, which otherwise have no time limit. */
class StyleLimit {
  apply(compiler: Compiler): void {
    compiler.hooks.compilation.tap('StyleLimit', (compilation) => {
      CssPlugin.getCompilationHooks(compilation).beforeTagInsert.tap(
        'StyleLimit',
        (source, { tag }) => `${source}setTimeout(() => ${tag}.onerror?.({ type: "timeout" }), ${String(longestLoad)});`,
      );
    });
  }
}

/** Compresses files once, at the highest level, instead of at every request. */
const compressed = [
  { algorithm: 'gzip' as const, filename: '[path][base].gz', compressionOptions: { level: 9 } },
  { algorithm: 'brotliCompress' as const, filename: '[path][base].br' },
].map((options) => new CompressionPlugin({ ...options, test: /\.(js|css|svg)$/, threshold: 1024 }));

const swc = (prod: boolean) => ({
  loader: 'swc-loader',
  options: {
    jsc: {
      parser: { syntax: 'typescript', tsx: true },
      target: 'es2022',
      transform: { react: { runtime: 'automatic', refresh: !prod, development: !prod } },
    },
  },
});

const serverUrl = process.env['SERVER_URL'] ?? 'http://localhost:3000';

/** `npm run dev`: the console in front of the real server. */
const devServer: NonNullable<Configuration['devServer']> = {
  host: 'localhost',
  port: Number(process.env['DEV_PORT'] ?? 3100),
  hot: true,
  static: false,
  historyApiFallback: {
    rewrites: [
      { from: /^\/sign(\/|$)/, to: '/sign.html' },
      { from: /^\/view\//, to: '/open.html' },
      { from: /^\/form\//, to: '/form.html' },
      { from: /^\/__parts$/, to: '/parts.html' },
    ],
    index: '/index.html',
  },
  proxy: [{ context: ['/api', '/collect', '/t.js', '/t.more.js', '/_cs', '/frame', '/__manifest'], target: serverUrl, changeOrigin: true }],
  client: { overlay: false },
};

/**
 * Code that changes at different times goes into different files. The sign-in page and the link pages share React only. What many screens need is in
 * few files, which the first of them loads; what few screens need is repeated in each rather than split into files of a few kilobytes.
 */
const splitChunks = {
  chunks: 'all',
  minSize: 60_000,
  cacheGroups: {
    react: { name: 'react', test: /[\\/]node_modules[\\/](react|react-dom|scheduler)[\\/]/, priority: 40, enforce: true },
    parts: {
      name: 'parts',
      test: /[\\/]node_modules[\\/](@mui(?![\\/]icons-material)|@emotion|stylis|react-transition-group)[\\/]/,
      priority: 15,
      chunks: isScreen,
      minChunks: sharedBy,
      enforce: true,
    },
    // Screens that only read load none of it.
    forms: {
      name: 'forms',
      test: /[\\/](src[\\/]ui[\\/]form[\\/]|contract[\\/](text|sites[\\/]schemas))/,
      priority: 12,
      chunks: isScreen,
      minChunks: 20,
      enforce: true,
    },
    // One file where there would always be two: the theme with MUI's parts, and what draws charts.
    theme: { name: 'parts', chunks: (chunk) => chunk.name === 'mui', priority: 14, enforce: true },
    chart: { name: 'charts', chunks: (chunk) => chunk.name === 'chart', priority: 9, enforce: true },
    common: { name: 'common', test: isCommon, priority: 10, chunks: isScreen, minChunks: 14, enforce: true },
    vendor: { name: 'vendor', test: /[\\/]node_modules[\\/]/, priority: 20, chunks: (chunk) => chunk.name === 'index', enforce: true },
  },
} satisfies NonNullable<Configuration['optimization']>['splitChunks'];

/**
 * Configuration of the console, the sign-in page, and the pages that links to views and forms open. `npm run dev` serves them with fast refresh in front of the
 * real server; `npm start` builds them into dist/console.
 */
export default (env: { parts?: boolean } | undefined, argv: { mode?: string }): Configuration => {
  const prod = argv.mode !== 'development';
  // The page of all parts: served by `npm run dev`, built alone by `npm run test:parts`, and in no other build.
  const partsOnly = env?.parts === true;
  const partsToo = partsOnly || !prod;
  const name = prod ? 'assets/[name].[contenthash:8]' : 'assets/[name]';
  // The first script contains the file name of every part: numbers instead of names, and shorter hashes, save a kilobyte of it.
  const part = prod ? 'assets/[id].[contenthash:6]' : name;
  const page = (file: string, chunk: string, template = file) =>
    new HtmlPlugin({ template: at('public', template), filename: file, chunks: [chunk], inject: 'body', scriptLoading: 'defer', minify: false });
  return {
    mode: prod ? 'production' : 'development',
    target: 'browserslist:chrome >= 111, edge >= 111, firefox >= 114, safari >= 16.4',
    entry: {
      ...(partsOnly ? {} : { index: at('src/index.tsx'), sign: at('src/sign/index.tsx'), open: at('src/open/index.tsx'), form: at('src/open/form/index.tsx') }),
      ...(partsToo && { parts: at('src/parts/index.tsx') }),
    },
    devtool: prod ? 'hidden-source-map' : 'eval-cheap-module-source-map',
    output: {
      path: at(partsOnly ? '.cache/parts' : 'dist/console'),
      publicPath: '/',
      clean: true,
      filename: `${name}.js`,
      chunkFilename: `${part}.js`,
      assetModuleFilename: 'assets/[name].[contenthash:8][ext]',
      chunkLoadTimeout: longestLoad,
      trustedTypes: { policyName: 'console-webpack' },
    },
    resolve: {
      extensions: ['.tsx', '.ts', '.js'],
      alias: { '@': at('src'), '@contract': at('contract'), ...shimless, ...plainIcons, ...(prod ? reactRouterProduction : {}) },
    },
    module: {
      rules: [
        { test: /\.tsx?$/, exclude: /node_modules/, use: swc(prod) },
        // Emotion imports this package for a function that the console never calls; the package does not declare that it has no side effects.
        { test: /node_modules[\\/]hoist-non-react-statics[\\/]/, sideEffects: false },
        ...(prod ? [{ test: /node_modules[\\/]react-router[\\/]/, use: at('scripts/drop-unused-components.mjs') }] : []),
        { test: /\.css$/, use: [CssPlugin.loader, { loader: 'css-loader', options: { sourceMap: false } }] },
      ],
    },
    plugins: [
      ...(partsOnly ? [] : [page('index.html', 'index'), page('sign.html', 'sign'), page('open.html', 'open'), page('form.html', 'form', 'open.html')]),
      ...(partsToo ? [page('parts.html', 'parts', 'open.html')] : []),
      new CssPlugin({ filename: `${name}.css`, chunkFilename: `${part}.css`, ignoreOrder: true }),
      new StyleLimit(),
      new CopyPlugin({
        patterns: [
          { from: at('public'), globOptions: { ignore: ['**/*.html'] } },
          { from: at('node_modules/@fontsource-variable/inter/LICENSE'), to: 'assets/inter.LICENSE.txt' },
        ],
      }),
      ...(partsOnly ? [] : [new ConsoleManifest()]),
      ...(prod ? compressed : [new ReactRefreshPlugin({ overlay: false })]),
    ],
    optimization: {
      moduleIds: 'deterministic',
      chunkIds: 'deterministic',
      // A further minification pass saves a kilobyte of the first load.
      minimizer: [new Terser({ minify: Terser.swcMinify, extractComments: false, terserOptions: { compress: { passes: 3, ecma: 2022 }, mangle: true } })],
      splitChunks,
    },
    performance: { hints: false },
    cache: { type: 'filesystem', buildDependencies: { config: [at('webpack.config.ts'), at('scripts/drop-unused-components.mjs')] } },
    stats: prod ? 'errors-warnings' : 'minimal',
    devServer,
  };
};
