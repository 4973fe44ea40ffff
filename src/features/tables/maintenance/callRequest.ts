import type { Operation } from './openApi';

/** The identity of a call. A token is never stored; `nobody` sends no cookie. */
export type Caller = { readonly kind: 'session' } | { readonly kind: 'token'; readonly value: string } | { readonly kind: 'nobody' };
export type CallRequest = { readonly method: string; readonly path: string; readonly headers: Readonly<Record<string, string>>; readonly body: string | null };

/** The request with the inputs: path parameters filled in, empty query parameters omitted. */
export function requestOf(operation: Operation, values: Readonly<Record<string, string>>, body: string, ifMatch: string): CallRequest {
  let { path } = operation;
  const query = new URLSearchParams();
  for (const { name, in: place } of operation.parameters) {
    if (place === 'header') continue;
    const value = (values[name] ?? '').trim();
    if (place === 'path') path = value === '' ? path : path.replace(`{${name}}`, encodeURIComponent(value));
    else if (value !== '') query.set(name, value);
  }
  const search = query.toString();
  return {
    method: operation.method,
    path: search === '' ? path : `${path}?${search}`,
    headers: {
      ...(operation.body ? { 'content-type': 'application/json' } : {}),
      ...(ifMatch.trim() === '' ? {} : { 'if-match': `"${ifMatch.trim().replaceAll('"', '')}"` }),
    },
    body: operation.body ? body : null,
  };
}

type Headers = Readonly<Record<string, string>>;
/** Placeholder for the token in code samples, so that no token is copied into a file by accident. */
const placeholder = 'YOUR_TOKEN';
const shell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
/** A string literal valid in both JavaScript and Python, which share JSON's escapes. */
const literal = (text: string): string => JSON.stringify(text);

function curlSnippet(request: CallRequest, url: string, headers: Headers): string {
  return [
    `curl ${request.method === 'GET' ? '' : `-X ${request.method} `}${shell(url)}`,
    ...Object.entries(headers).map(([name, value]) => `  -H ${shell(`${name}: ${value}`)}`),
    ...(request.body === null ? [] : [`  --data ${shell(request.body)}`]),
  ].join(' \\\n');
}

function javaScriptSnippet(request: CallRequest, url: string, headers: Headers): string {
  const options = [
    ...(request.method === 'GET' ? [] : [`  method: ${literal(request.method)},`]),
    ...(Object.keys(headers).length === 0 ? [] : [`  headers: ${JSON.stringify(headers, null, 2).replaceAll('\n', '\n  ')},`]),
    ...(request.body === null ? [] : [`  body: ${literal(request.body)},`]),
  ];
  const call = options.length === 0 ? `fetch(${literal(url)})` : `fetch(${literal(url)}, {\n${options.join('\n')}\n})`;
  return [
    `const response = await ${call};`,
    'if (!response.ok) throw new Error(await response.text());',
    'const { data } = await response.json();',
    'console.log(data);',
  ].join('\n');
}

function pythonSnippet(request: CallRequest, url: string, headers: Headers): string {
  const lines = Object.entries(headers).map(([name, value]) => `        ${literal(name)}: ${literal(value)},`);
  return [
    'import requests',
    '',
    'response = requests.request(',
    `    ${literal(request.method)},`,
    `    ${literal(url)},`,
    ...(lines.length === 0 ? [] : ['    headers={', ...lines, '    },']),
    ...(request.body === null ? [] : [`    data=${literal(request.body)}.encode("utf-8"),`]),
    '    timeout=30,',
    ')',
    'response.raise_for_status()',
    'print(response.json()["data"] if response.content else None)',
  ].join('\n');
}

const snippetWriters = { curl: curlSnippet, js: javaScriptSnippet, python: pythonSnippet } as const;
export type SnippetLanguage = keyof typeof snippetWriters;
export const snippetLanguages = ['curl', 'js', 'python'] as const satisfies readonly SnippetLanguage[];

/** A code sample of the call, runnable once the token is filled in. */
export function snippetOf(language: SnippetLanguage, request: CallRequest, needsToken: boolean, origin: string): string {
  const headers = { ...(needsToken ? { authorization: `Bearer ${placeholder}` } : {}), ...request.headers };
  return snippetWriters[language](request, origin + request.path, headers);
}
