/** The part of a site's OpenAPI 3.1 document that the console reads, and its calls in the form that the explorer shows. */

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
  /** Name of the endpoint, the same for all tables. */
  readonly call: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  /** Title of the table. */
  readonly table: string;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | null;
  /** Scope that a token must have; null: the call needs no authentication. */
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
/** The schema that a reference points to. */
export const resolved = (schema: Schema, schemas: Schemas): Schema =>
  schema.$ref === undefined ? schema : (schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)] ?? {});
const typeOf = ({ type }: Schema): string | undefined => (typeof type === 'string' ? type : type?.find((one) => one !== 'null'));

/** Properties shown in the example of an object that requires none. */
const exampleValues = 3;
/** Maximum depth of examples and of the search for fields. */
const deepest = 6;
const ofFormat: Readonly<Record<string, string>> = {
  uuid: '00000000-0000-0000-0000-000000000000',
  date: '2026-01-31',
  'date-time': '2026-01-31T08:00:00.000Z',
  email: 'name@example.com',
  uri: 'https://example.com/',
};

/** An example that the schema accepts: the required properties, or else the first few. */
export function exampleOf(schema: Schema, schemas: Schemas, depth = 0): unknown {
  const { default: byDefault, const: only, enum: choices, anyOf, items, properties, required = [], format, ...rest } = resolved(schema, schemas);
  if (byDefault !== undefined) return byDefault;
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
      const requiredValues = all.filter(([name]) => required.includes(name));
      const values = requiredValues.length > 0 ? requiredValues : all.slice(0, exampleValues);
      return Object.fromEntries(values.map(([name, one]) => [name, exampleOf(one, schemas, depth + 1)]));
    }
    default:
      return null;
  }
}

/** The fields of a body: those of the first named schema in it. */
export function fieldsOf(schema: Schema, schemas: Schemas, depth = 0): readonly (readonly [string, Schema])[] {
  if (schema.$ref !== undefined) return Object.entries(resolved(schema, schemas).properties ?? {});
  if (depth > deepest) return [];
  for (const inner of [...Object.values(schema.properties ?? {}), ...(schema.items ? [schema.items] : []), ...(schema.anyOf ?? [])]) {
    const found = fieldsOf(inner, schemas, depth + 1);
    if (found.length > 0) return found;
  }
  return [];
}

/** The JSON type name of a schema. */
export function typeLabel(schema: Schema, schemas: Schemas): string {
  const one = resolved(schema, schemas);
  if (one.anyOf) return [...new Set(one.anyOf.map((part) => typeLabel(part, schemas)).filter((name) => name !== 'null'))].join(' | ');
  const name = typeOf(one);
  if (name === 'array' && one.items) return `${typeLabel(one.items, schemas)}[]`;
  if (one.format !== undefined) return `${name ?? ''} (${one.format})`;
  return name ?? 'any';
}
