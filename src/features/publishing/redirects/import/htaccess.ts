import { collectRules, patternReading, prefixReading, statusOf } from './importedRules';
import type { ImportedRules, Reading } from './importedRules';
import type { Redirect } from '../redirectRules';

/** Directives that change nothing about where addresses lead. */
const ignored = /^(?:RewriteEngine|RewriteBase\s+\/$|<\/?IfModule|Options|DirectoryIndex|AddDefaultCharset)/i;
const names: Readonly<Record<string, Redirect['status']>> = { permanent: 301, temp: 302, seeother: 302, gone: 410 };

/** Terms of a directive; quotes hold blanks together. */
const termsOf = (line: string): string[] => Array.from(line.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, plain]) => quoted ?? plain ?? '');

/** `Redirect [status] /old [target]` and `RedirectMatch [status] pattern [target]`. */
function aliasReading(directive: string, parameters: readonly string[]): Reading {
  const fixed = /permanent$/i.test(directive) ? 301 : /temp$/i.test(directive) ? 302 : undefined;
  const named = names[(parameters[0] ?? '').toLowerCase()] ?? statusOf(parameters[0] ?? '');
  const status = fixed ?? named ?? 302;
  const [from = '', to = '', ...others] = fixed === undefined && named !== undefined ? parameters.slice(1) : parameters;
  if (from === '' || others.length > 0 || (status !== 410 && to === ''))
    return { reason: named === undefined && /^\d+$/.test(parameters[0] ?? '') ? 'not_supported' : 'syntax' };
  return /^redirectmatch$/i.test(directive) ? patternReading(from, to, status) : prefixReading(from, to, status);
}

/** `RewriteRule pattern target [flags]`: only rules that redirect. */
function rewriteReading(parameters: readonly string[], hasCondition: boolean): Reading {
  const [pattern = '', target = '', flagText = ''] = parameters;
  const flags = flagText.replaceAll(/^\[|\]$/g, '').split(',');
  if (target === '') return { reason: 'syntax' };
  if (hasCondition) return { reason: 'not_supported' };
  if (flags.some((flag) => /^(?:G|gone)$/i.test(flag))) return patternReading(pattern, '', 410, true);
  const redirect = flags.find((flag) => /^R(?:=|$)|^redirect/i.test(flag));
  if (redirect === undefined && !/^https?:/i.test(target)) return { reason: 'not_supported' };
  const status = statusOf(redirect?.split('=')[1] ?? '') ?? names[(redirect?.split('=')[1] ?? '').toLowerCase()] ?? 302;
  return patternReading(pattern, /^(?:\/|https?:)/i.test(target) ? target : `/${target}`, status, true);
}

/** Reads the redirects of an `.htaccess` of Apache: `Redirect`, `RedirectMatch`, and `RewriteRule` without conditions. */
export function readHtaccess(text: string): ImportedRules {
  const rules = collectRules();
  let hasCondition = false;
  for (const [at, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#') || ignored.test(line)) continue;
    const [directive = '', ...parameters] = termsOf(line);
    if (/^RewriteCond$/i.test(directive)) {
      hasCondition = true;
      rules.add(at + 1, line, { reason: 'not_supported' });
    } else if (/^RewriteRule$/i.test(directive)) {
      rules.add(at + 1, line, rewriteReading(parameters, hasCondition));
      hasCondition = false;
    } else if (/^Redirect(?:Match|Permanent|Temp)?$/i.test(directive)) rules.add(at + 1, line, aliasReading(directive, parameters));
    else rules.add(at + 1, line, { reason: 'not_supported' });
  }
  return rules.result();
}
