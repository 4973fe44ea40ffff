/** What is read of an OpenAPI 3.1 document of a site: its calls, as a form can show them and a program would write them. */

export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly format?: string;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
};
export type Parameter = { readonly name: string; readonly in: 'path' | 'query' | 'header'; readonly required: boolean; readonly schema: Schema };
type Described = {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly security: readonly { readonly token?: readonly string[] }[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } };
};
export type OpenApi = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

export type Operation = {
  readonly id: string;
  /** The endpoint, whatever the table. */
  readonly call: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  /** Title of the table. */
  readonly table: string;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | null;
  /** Scope that a token needs; null: none is needed. */
  readonly scope: string | null;
};

export function operationsOf(document: OpenApi): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, summary, tags, parameters, security, requestBody }]): Operation => ({
      id: operationId,
      call: operationId.slice(operationId.lastIndexOf('.') + 1),
      method: method.toUpperCase(),
      path,
      summary,
      table: tags[0] ?? '',
      parameters,
      body: requestBody?.content['application/json'].schema ?? null,
      scope: security.flatMap(({ token }) => token ?? [])[0] ?? null,
    })),
  );
}

type Schemas = OpenApi['components']['schemas'];
/** The schema that a reference leads to. */
export const resolved = (schema: Schema, schemas: Schemas): Schema =>
  schema.$ref === undefined ? schema : (schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)] ?? {});
const typeOf = ({ type }: Schema): string | undefined => (typeof type === 'string' ? type : type?.find((one) => one !== 'null'));

/** Where an object says nothing of what it needs, so many of its values stand in the example. */
const shownValues = 3;
const deepest = 6;
const ofFormat: Readonly<Record<string, string>> = {
  uuid: '00000000-0000-0000-0000-000000000000',
  date: '2026-01-31',
  'date-time': '2026-01-31T08:00:00.000Z',
  email: 'name@example.com',
  uri: 'https://example.com/',
};

/** A value as the schema wants it, to begin with: what is needed, and the first few values of a record. */
export function exampleOf(schema: Schema, schemas: Schemas, depth = 0): unknown {
  const { default: given, const: only, enum: choices, anyOf, items, properties, required = [], format, ...rest } = resolved(schema, schemas);
  if (given !== undefined) return given;
  if (only !== undefined) return only;
  if (choices) return choices[0] ?? null;
  if (depth > deepest) return null;
  if (anyOf) {
    const first = anyOf.find((one) => typeOf(one) !== 'null' || one.$ref !== undefined);
    return first ? exampleOf(first, schemas, depth + 1) : null;
  }
  switch (typeOf(rest)) {
    case 'array':
      return items ? [exampleOf(items, schemas, depth + 1)] : [];
    case 'integer':
    case 'number':
      return 0;
    case 'boolean':
      return false;
    case 'string':
      return format === undefined ? '' : (ofFormat[format] ?? '');
    case 'object': {
      const all = Object.entries(properties ?? {});
      const needed = all.filter(([name]) => required.includes(name));
      const shown = needed.length > 0 ? needed : all.slice(0, shownValues);
      return Object.fromEntries(shown.map(([name, one]) => [name, exampleOf(one, schemas, depth + 1)]));
    }
    default:
      return null;
  }
}

/** Fields of the values that the body carries, for whoever writes it: the first object of named values inside. */
export function fieldsOf(schema: Schema, schemas: Schemas, depth = 0): readonly (readonly [string, Schema])[] {
  if (schema.$ref !== undefined) return Object.entries(resolved(schema, schemas).properties ?? {});
  if (depth > deepest) return [];
  for (const inner of [...Object.values(schema.properties ?? {}), ...(schema.items ? [schema.items] : []), ...(schema.anyOf ?? [])]) {
    const found = fieldsOf(inner, schemas, depth + 1);
    if (found.length > 0) return found;
  }
  return [];
}

/** The type in one word, as JSON has it. */
export function typeWord(schema: Schema, schemas: Schemas): string {
  const one = resolved(schema, schemas);
  if (one.anyOf) return [...new Set(one.anyOf.map((part) => typeWord(part, schemas)).filter((word) => word !== 'null'))].join(' | ');
  const word = typeOf(one);
  if (word === 'array' && one.items) return `${typeWord(one.items, schemas)}[]`;
  if (one.format !== undefined) return `${word ?? ''} (${one.format})`;
  return word ?? 'any';
}

/** Who asks. A token is never kept; `nobody` sends no cookie. */
export type As = { readonly kind: 'session' } | { readonly kind: 'token'; readonly value: string } | { readonly kind: 'nobody' };
export type Asked = { readonly method: string; readonly path: string; readonly headers: Readonly<Record<string, string>>; readonly body: string | null };

/** The call with what was filled in: parameters of the path in their place, empty ones of the query left out. */
export function askedOf(operation: Operation, values: Readonly<Record<string, string>>, body: string, ifMatch: string): Asked {
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

export const snippetLanguages = ['curl', 'js', 'python'] as const;
export type SnippetLanguage = (typeof snippetLanguages)[number];
/** Stands in code where a token goes, so that none is copied into a file by accident. */
const placeholder = 'YOUR_TOKEN';
const shell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
/** A JSON text as a literal of Python: its escapes are the same, its words are not part of a string. */
const literal = (text: string): string => JSON.stringify(text);

/** The call as a program writes it. It runs as it stands, once the token is filled in. */
export function snippetOf(language: SnippetLanguage, asked: Asked, needsToken: boolean, origin: string): string {
  const url = origin + asked.path;
  const headers: Record<string, string> = { ...(needsToken ? { authorization: `Bearer ${placeholder}` } : {}), ...asked.headers };
  const names = Object.entries(headers);
  if (language === 'curl')
    return [
      `curl ${asked.method === 'GET' ? '' : `-X ${asked.method} `}${shell(url)}`,
      ...names.map(([name, value]) => `  -H ${shell(`${name}: ${value}`)}`),
      ...(asked.body === null ? [] : [`  --data ${shell(asked.body)}`]),
    ].join(' \\\n');
  if (language === 'js') {
    const options = [
      ...(asked.method === 'GET' ? [] : [`  method: ${literal(asked.method)},`]),
      ...(names.length === 0 ? [] : [`  headers: ${JSON.stringify(headers, null, 2).replaceAll('\n', '\n  ')},`]),
      ...(asked.body === null ? [] : [`  body: ${literal(asked.body)},`]),
    ];
    const call = options.length === 0 ? `fetch(${literal(url)})` : `fetch(${literal(url)}, {\n${options.join('\n')}\n})`;
    return [
      `const response = await ${call};`,
      'if (!response.ok) throw new Error(await response.text());',
      'const { data } = await response.json();',
      'console.log(data);',
    ].join('\n');
  }
  return [
    'import requests',
    '',
    'response = requests.request(',
    `    ${literal(asked.method)},`,
    `    ${literal(url)},`,
    ...(names.length === 0 ? [] : ['    headers={', ...names.map(([name, value]) => `        ${literal(name)}: ${literal(value)},`), '    },']),
    ...(asked.body === null ? [] : [`    data=${literal(asked.body)}.encode("utf-8"),`]),
    '    timeout=30,',
    ')',
    'response.raise_for_status()',
    'print(response.json()["data"] if response.content else None)',
  ].join('\n');
}
