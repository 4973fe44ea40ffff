import { collectRules, patternReading, prefixReading, readingOf, redirectOf, statusOf } from './importedRules';
import type { ImportedRules, Reading } from './importedRules';

type Statement = { readonly line: number; readonly text: string; readonly end: ';' | '{' | '}' };

/** Statements and braces of a configuration, without comments. A brace inside a word, as in a pattern, belongs to it. */
function statementsOf(text: string): Statement[] {
  const statements: Statement[] = [];
  let buffer = '';
  let line = 1;
  let start = 1;
  let isQuoted = false;
  const plain = text.replaceAll(/(^|\s)#.*$/gm, '$1');
  for (let at = 0; at < plain.length; at += 1) {
    const character = plain.charAt(at);
    if (character === '\n') line += 1;
    if (character === '"' && plain.charAt(at - 1) !== '\\') isQuoted = !isQuoted;
    const isEnd = isQuoted ? false : character === ';' || ((character === '{' || character === '}') && /^\s?$/.test(plain.charAt(at + 1)));
    if (isEnd) {
      statements.push({ line: start, text: buffer.trim().replaceAll(/\s+/g, ' '), end: character === '{' || character === '}' ? character : ';' });
      buffer = '';
    } else {
      if (buffer.trim() === '') start = line;
      buffer += character;
    }
  }
  return statements;
}

/** Where rules stand: `location = /old`, `location /old/`, `location ~ pattern`, or outside of any. */
type Place = { readonly modifier: string; readonly path: string };
const placeOf = (text: string): Place | null => {
  const [, modifier = '', path = ''] = /^location (?:(=|~\*?|\^~) )?(\S+)$/.exec(text) ?? [];
  return path === '' ? null : { modifier, path: path.replaceAll('"', '') };
};

/** `return 301 target` at a place. `$request_uri` and `$uri` stand for the whole path. */
function returnReading(parameters: readonly string[], place: Place | null): Reading {
  const [code = '', rawTarget = ''] = parameters;
  const status = statusOf(code);
  if (status === undefined) return { reason: 'not_supported' };
  const target = rawTarget
    .replaceAll('"', '')
    .replace(/^\$scheme:/, 'https:')
    .replace(/\$(?:server_name|host|http_host)\b/, '$$host');
  if (target.includes('$host')) return { reason: 'not_supported' };
  const keepsPath = /\$(?:request_uri|uri)$/.test(target);
  const base = target.replace(/\$(?:request_uri|uri)$/, '');
  if (place === null) return keepsPath ? readingOf(redirectOf('/*', `${base}/:splat`, status)) : { reason: 'not_supported' };
  const { modifier, path } = place;
  if (modifier.startsWith('~')) return keepsPath ? { reason: 'not_supported' } : patternReading(path, target, status);
  if (modifier === '=') return readingOf(redirectOf(path, keepsPath ? `${base}${path}` : target, status));
  if (keepsPath) return prefixReading(path, `${base}${path}`, status);
  // Everything below the prefix leads to the same page.
  const prefix = path.replace(/\/$/, '');
  return readingOf(...(prefix === '' ? [] : [redirectOf(prefix, target, status)]), redirectOf(`${prefix}/*`, target, status));
}

/** `rewrite pattern target permanent`. */
function rewriteReading(parameters: readonly string[]): Reading {
  const [pattern = '', target = '', flag = ''] = parameters.map((word) => word.replaceAll('"', ''));
  if (target === '') return { reason: 'syntax' };
  const status = flag === 'permanent' ? 301 : flag === 'redirect' || /^https?:/.test(target) ? 302 : null;
  return status === null ? { reason: 'not_supported' } : patternReading(pattern, target.replace(/\?$/, ''), status);
}

/** Reads the redirects of a configuration of nginx: `return` in a `location`, `rewrite … permanent`, and the lines of a `map`. */
export function readNginx(text: string): ImportedRules {
  const rules = collectRules();
  /** Open blocks, the innermost last. */
  const blocks: { readonly kind: 'location' | 'map' | 'if' | 'other'; readonly place: Place | null }[] = [];
  for (const { line, text: statement, end } of statementsOf(text)) {
    if (end === '}') {
      blocks.pop();
      continue;
    }
    if (end === '{') {
      const kind = /^(location|map|if)\b/.exec(statement)?.[1] as 'location' | 'map' | 'if' | undefined;
      blocks.push({ kind: kind ?? 'other', place: kind === 'location' ? placeOf(statement) : null });
      continue;
    }
    const [directive = '', ...parameters] = statement.split(' ');
    const block = blocks.at(-1);
    const isConditional = blocks.some(({ kind }) => kind === 'if');
    if (block?.kind === 'map') {
      if (directive !== 'default' && directive !== 'hostnames')
        rules.add(
          line,
          statement,
          directive.startsWith('~')
            ? patternReading(directive.replace(/^~\*?/, ''), parameters[0] ?? '', 301)
            : readingOf(redirectOf(directive, parameters[0] ?? '', 301)),
        );
    } else if (directive === 'try_files') {
      rules.add(line, statement, { reason: 'not_supported' });
    } else if (directive === 'return' || directive === 'rewrite') {
      const reading = isConditional
        ? { reason: 'not_supported' as const }
        : directive === 'return'
          ? returnReading(parameters, block?.place ?? null)
          : rewriteReading(parameters);
      rules.add(line, statement, reading);
    }
  }
  return rules.result();
}
