import { z } from 'zod';
import { isAnonymous, siteActionOf } from '../../contract/endpoint';
import type { Access } from '../../contract/endpoint';
import { errorStatus, fieldCodes } from '../../contract/errors';
import type { ErrorCode } from '../../contract/errors';
import type { AnyEndpoint } from './route';
import type { RouteTable } from './routeTable';
import type { JsonSchema } from './shape';

type Json = { [key: string]: unknown };

/** The description of one call; the parts that the readable page shows. */
export type Operation = {
  readonly parameters: readonly {
    readonly name: string;
    readonly in: 'path' | 'query' | 'header';
    readonly required: boolean;
    readonly schema: JsonSchema;
    readonly description?: string;
  }[];
  readonly requestBody?: { readonly required: true; readonly content: { readonly 'application/json': { readonly schema: JsonSchema } } };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>> }>>;
};

const inputOf = (schema: z.ZodType): Json => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as Json;
const outputOf = (schema: z.ZodType): Json => z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any', reused: 'inline' }) as Json;
const withoutDialect = ({ $schema: _dialect, ...schema }: Json): Json => schema;

/** `/api/core/sites/:siteId` becomes `/api/core/sites/{siteId}` */
export const openApiPath = (path: string): string => path.replaceAll(/:([A-Za-z]+)/g, '{$1}');

/** Failures that every endpoint may respond with, in addition to its own. */
function errorsOf(endpoint: AnyEndpoint): ErrorCode[] {
  const codes = new Set<ErrorCode>(endpoint.errors ?? []);
  codes.add('too_many_requests').add('internal').add('unavailable');
  const anonymous = isAnonymous(endpoint.access);
  if (!anonymous) codes.add('unauthorized').add('token_scope');
  if (!anonymous && !endpoint.beforeEnrolment) codes.add('enrolment_required');
  if (endpoint.ifMatch === 'required') codes.add('precondition_required');
  if (endpoint.proven) codes.add('reauth_required');
  if (!anonymous && typeof endpoint.access === 'object') codes.add('forbidden');
  if (siteActionOf(endpoint.access) !== null) codes.add('not_found');
  if (anonymous && endpoint.access !== 'public') codes.add('not_found').add('bad_origin');
  if (endpoint.query || endpoint.body) codes.add('invalid_fields');
  if (endpoint.body) codes.add('bad_request').add('not_json').add('request_timeout').add('too_large').add('unsupported_media_type');
  if (endpoint.method !== 'GET') codes.add('bad_origin');
  return [...codes];
}

/** Who may call, the required token scope, and whether a proof is required. */
export const permissionText = ({ access, token, proven }: Pick<AnyEndpoint, 'access' | 'token' | 'proven'>): string =>
  [accessText(access), ...(token ? [`token: ${token}`] : []), ...(proven ? ['proven'] : [])].join(' · ');

function accessText(access: Access): string {
  if (typeof access === 'string') return access;
  if ('visitors' in access) return 'visitors';
  return 'instance' in access ? `instance: ${access.instance}` : `site: ${siteActionOf(access)}`;
}

function parametersOf(schema: z.ZodType | undefined, place: 'path' | 'query'): Operation['parameters'] {
  if (!schema) return [];
  const { properties = {}, required = [] } = inputOf(schema) as { properties?: Record<string, Json>; required?: string[] };
  return Object.entries(properties).map(([name, property]) => ({ name, in: place, required: place === 'path' || required.includes(name), schema: property }));
}

/** Header parameters of the call. */
const headersOf = ({ ifMatch }: AnyEndpoint): Operation['parameters'] =>
  ifMatch === undefined
    ? []
    : [
        {
          name: 'If-Match',
          in: 'header',
          required: ifMatch === 'required',
          description: 'The revision that the caller has read, in quotes: the ETag of an answer, or its field revision',
          schema: { type: 'string' },
        },
      ];

function successOf(endpoint: AnyEndpoint): Operation['responses'] {
  if (endpoint.kind === 'sse') return { 200: { description: 'A stream of events', content: { 'text/event-stream': { schema: { type: 'string' } } } } };
  if (endpoint.kind === 'file')
    return { 200: { description: 'A file', content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } } } };
  if (!endpoint.response) return { 204: { description: 'Done' } };
  const schema = { type: 'object', required: ['data'], properties: { data: withoutDialect(outputOf(endpoint.response)) } };
  return { 200: { description: 'The answer', content: { 'application/json': { schema } } } };
}

/** The schema of a failure; with `stale_revision` it includes the current object. */
function failureOf(endpoint: AnyEndpoint, codes: readonly ErrorCode[]): JsonSchema {
  const failure = { $ref: '#/components/schemas/Failure' };
  const current = endpoint.conflict ?? endpoint.response;
  if (!codes.includes('stale_revision')) return failure;
  return { allOf: [failure, { type: 'object', properties: { current: current ? withoutDialect(outputOf(current)) : {} } }] };
}

export function operationOf(endpoint: AnyEndpoint): Operation & Json {
  const failures: Record<string, ErrorCode[]> = {};
  for (const code of errorsOf(endpoint)) (failures[errorStatus[code]] ??= []).push(code);
  return {
    operationId: endpoint.id,
    summary: endpoint.summary,
    tags: [
      endpoint.path
        .split('/')
        .slice(2, 4)
        .filter((part) => !part.startsWith(':'))
        .join('/'),
    ],
    'x-access': accessText(endpoint.access),
    ...(endpoint.proven ? { 'x-proven': true } : {}),
    security: isAnonymous(endpoint.access) ? [] : [{ session: [] }, ...(endpoint.token ? [{ token: [endpoint.token] }] : [])],
    parameters: [...parametersOf(endpoint.params, 'path'), ...parametersOf(endpoint.query, 'query'), ...headersOf(endpoint)],
    ...(endpoint.body ? { requestBody: { required: true, content: { 'application/json': { schema: withoutDialect(inputOf(endpoint.body)) } } } } : {}),
    responses: {
      ...successOf(endpoint),
      ...Object.fromEntries(
        Object.entries(failures).map(([status, codes]) => [
          status,
          { description: codes.join(', '), content: { 'application/json': { schema: failureOf(endpoint, codes) } } },
        ]),
      ),
    },
  };
}

const failureSchema: Json = {
  type: 'object',
  required: ['error', 'code', 'requestId'],
  properties: {
    error: { type: 'string', description: 'Words for the reader, in the language of the session or of Accept-Language' },
    code: { type: 'string', enum: Object.keys(errorStatus) },
    requestId: { type: 'string' },
    fields: {
      type: 'object',
      description: 'By dotted path',
      additionalProperties: {
        type: 'object',
        required: ['code'],
        properties: { code: { type: 'string', enum: fieldCodes }, min: { type: 'number' }, max: { type: 'number' }, message: { type: 'string' } },
      },
    },
  },
};

/** The registered endpoints, sorted by path. */
export const endpointsOf = (table: RouteTable): AnyEndpoint[] =>
  [...new Map(table.flatMap(({ endpoint }) => (endpoint ? [[`${endpoint.path} ${endpoint.method}`, endpoint] as const] : []))).entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, endpoint]) => endpoint);

/** Parts common to all API descriptions of this server. */
export const documentParts = {
  description:
    'Success answers {"data": …} or 204; a failure answers {"error", "code", "requestId"}. Writes with a session cookie need the header X-Requested-With: console, and Origin (of the console) or Sec-Fetch-Site, which browsers send by themselves; scripts use a token. An API token goes into Authorization: Bearer; it opens what names a scope of its own under `security`. `x-proven` marks acts that ask for the password again.',
  components: {
    schemas: { Failure: failureSchema },
    securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: '__Host-sid' }, token: { type: 'http', scheme: 'bearer' } },
  },
};

/**
 * Operations with recursive schemas moved from `$defs` to `components`: references are resolved from the root of the document, where `$defs` of a part would
 * not be found.
 */
export function withSharedSchemas(paths: Json, schemas: Json): { readonly paths: Json; readonly schemas: Json } {
  const shared: Json = { ...schemas };
  const lifted = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(lifted);
    if (typeof node !== 'object' || node === null) return node;
    const { $defs: definitions, ...rest } = node as Json;
    for (const [name, schema] of Object.entries((definitions ?? {}) as Json)) shared[name] ??= lifted(schema);
    const entries = Object.entries(rest).map(([key, value]) => [
      key,
      key === '$ref' ? String(value).replace('#/$defs/', '#/components/schemas/') : lifted(value),
    ]);
    return Object.fromEntries(entries) as Json;
  };
  return { paths: lifted(paths) as Json, schemas: shared };
}

/** OpenAPI 3.1, generated from the contract of the registered endpoints, so that it cannot describe anything that the server does not implement. */
export function openApiDocument(table: RouteTable, version: string): Json {
  const paths: Record<string, Json> = {};
  for (const endpoint of endpointsOf(table)) (paths[openApiPath(endpoint.path)] ??= {})[endpoint.method.toLowerCase()] = operationOf(endpoint);
  const shared = withSharedSchemas(paths, documentParts.components.schemas);
  return {
    openapi: '3.1.0',
    info: { title: 'Sitewright', version, description: documentParts.description },
    paths: shared.paths,
    components: { ...documentParts.components, schemas: shared.schemas },
  };
}
