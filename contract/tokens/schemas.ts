import { z } from 'zod';
import { tokenCalls } from './calls';
import { endpoint } from '../endpoint';
import { tokenScopes } from '../permissions';
import { rowId, safeName } from '../text';

/** An API token. Its value is shown once, on creation. */
export const ApiToken = z.object({
  id: z.uuid(),
  name: z.string(),
  /** The last four characters of the value, to distinguish tokens. */
  ending: z.string(),
  scopes: z.array(z.enum(tokenScopes)),
  /** null: every site that the token's owner may see. */
  siteIds: z.array(z.string()).nullable(),
  /** Addresses and ranges from which the token may be used; empty: anywhere. */
  addresses: z.array(z.string()),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
  lastAddress: z.string().nullable(),
});
export type ApiToken = z.infer<typeof ApiToken>;

export const ApiTokenInput = z.strictObject({
  name: safeName(60),
  scopes: z.array(z.enum(tokenScopes)).min(1).max(tokenScopes.length),
  siteIds: z.array(z.string().max(20)).min(1).max(200).nullable().default(null),
  addresses: z.array(z.string().trim().min(1).max(50)).max(20).default([]),
  /** Days until the token expires. */
  days: z.int().min(1).max(365).default(90),
});
export type ApiTokenInput = z.input<typeof ApiTokenInput>;

export const tokenEndpoints = {
  tokens: endpoint(tokenCalls.tokens, {
    access: 'session',
    summary: 'The own API tokens',
    response: z.array(ApiToken),
  }),
  addToken: endpoint(tokenCalls.addToken, {
    access: 'session',
    proven: true,
    summary: 'Make an API token; `value` is shown this once (send it as `Authorization: Bearer …`)',
    body: ApiTokenInput,
    response: z.object({ token: ApiToken, value: z.string() }),
    errors: ['invalid_fields', 'conflict'],
  }),
  renameToken: endpoint(tokenCalls.renameToken, {
    access: 'session',
    summary: 'Give a token another name',
    params: z.object({ id: rowId }),
    body: z.strictObject({ name: safeName(60) }),
    response: ApiToken,
    errors: ['not_found', 'invalid_fields'],
  }),
  removeToken: endpoint(tokenCalls.removeToken, {
    access: 'session',
    summary: 'End a token at once',
    params: z.object({ id: rowId }),
    errors: ['not_found'],
  }),
} as const;
