/**
 * Entry of the threads that render templates. Plain JavaScript, so that it runs from the source as well as from the build. A theme is sent once and stays parsed;
 * a rendering receives JSON, never live objects.
 */
import { parentPort } from 'node:worker_threads';
import { Liquid } from 'liquidjs';
import { addFilters } from './filters.mjs';

/** Characters of the templates of one theme that are parsed, milliseconds of a rendering, and units of memory as LiquidJS counts them. */
const limits = { parseLimit: 4_000_000, renderLimit: 400, memoryLimit: 10_000_000 };
/** Characters of a page. */
const mostOutput = 4_000_000;

/** Engines by theme. The pool decides which of them stay. */
const engines = new Map();

function engineOf(files) {
  const templates = Object.fromEntries(Object.entries(files).filter(([path]) => path.endsWith('.liquid')));
  const engine = new Liquid({
    templates,
    extname: '.liquid',
    cache: true,
    dynamicPartials: true,
    ownPropertyOnly: true,
    strictFilters: true,
    outputEscape: 'escape',
    ...limits,
  });
  addFilters(engine);
  return engine;
}

/** Where a template failed, as its editor shows it. Lines and columns count from 1. */
function failureOf(error) {
  const source = error?.originalError ?? error;
  const message = String(source?.message ?? error)
    .split(', file:', 1)[0]
    .slice(0, 500);
  if (/limit exceeded/i.test(message)) return { reason: 'limit', message, ...placeOf(error) };
  return { reason: 'template', message, ...placeOf(error) };
}
function placeOf(error) {
  const [line = null, column = null] = error?.token?.getPosition?.() ?? [];
  return { file: error?.token?.file ?? null, line, column };
}

async function render({ theme, template, data }) {
  // As globals, the data also reaches partials, which `render` isolates from the variables of their page.
  const html = String(await engines.get(theme).renderFile(template, {}, { globals: JSON.parse(data) }));
  return html.length > mostOutput
    ? { failure: { reason: 'limit', message: 'output limit exceeded', file: `${template}.liquid`, line: null, column: null } }
    : { html };
}

/** Parses every template of a theme; all errors, not only the first. */
function check({ files }) {
  const engine = engineOf(files);
  const failures = [];
  for (const path of Object.keys(files).filter((one) => one.endsWith('.liquid'))) {
    try {
      engine.parse(files[path], path);
    } catch (error) {
      const failure = failureOf(error);
      failures.push({ ...failure, file: failure.file ?? path });
    }
  }
  return { failures };
}

async function respond({ id, operation, forget = [], files, ...request }) {
  for (const theme of forget) engines.delete(theme);
  try {
    if (operation === 'check') return parentPort.postMessage({ id, ...check({ files }) });
    if (files) engines.set(request.theme, engineOf(files));
    parentPort.postMessage({ id, ...(await render(request)) });
  } catch (error) {
    parentPort.postMessage({ id, failure: failureOf(error) });
  }
}
parentPort.on('message', (request) => void respond(request));
parentPort.postMessage({ id: 0, ready: true });
