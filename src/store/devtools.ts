import type { Action, DevToolsEnhancerOptions } from '@reduxjs/toolkit';

/** Internal actions of the libraries, irrelevant for debugging the console. */
export const denylist: string[] = [
  '^__rtkq/',
  '^api/internalSubscriptions',
  '^api/internal_',
  '^api/config/',
  '^api/subscriptions/',
  '^api/queries/removeQueryResult',
];

const secretNames = /pass(word)?$|^current$|^next$|token|secret/i;
const hidden = '«hidden»';
/** Calls whose responses give access to an account: keys, codes, tokens, one-time links. */
const secretResponses = new Set<unknown>([
  'beginTotp',
  'confirmTotp',
  'addPasskey',
  'newRecoveryCodes',
  'addToken',
  'personLink',
  'ownEmailLink',
  'invite',
  'resendInvite',
  'verifyContact',
]);

/** A copy without passwords and tokens; otherwise unchanged. Depth is limited: state is data, not a graph. */
export function withoutSecrets(value: unknown, depth = 0): unknown {
  if (depth > 8 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => withoutSecrets(one, depth + 1));
  // A cached call: `data` is its response.
  const secret = 'endpointName' in value && secretResponses.has(value.endpointName);
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      (secret && key === 'data') || (typeof one === 'string' && secretNames.test(key)) ? hidden : withoutSecrets(one, depth + 1),
    ]),
  );
}

type Meta = { arg?: { endpointName?: string; originalArgs?: unknown }; baseQueryMeta?: { requestId?: string; status?: number } };

/**
 * `api/executeQuery/fulfilled` is meaningless in a list of two hundred: an API action is shown as `api · load · fulfilled`, with the request id,
 * which identifies the server's log entry, as its own field.
 */
export function actionSanitizer<A extends Action>(action: A): A {
  const safeAction = withoutSecrets(action) as A;
  const match = /^api\/execute(Query|Mutation)\/(\w+)$/.exec(action.type);
  if (!match) return safeAction;
  const meta = (action as { meta?: Meta }).meta;
  const payload = (action as { payload?: { requestId?: string } | null }).payload;
  const requestId = meta?.baseQueryMeta?.requestId ?? (payload !== null && typeof payload === 'object' ? payload.requestId : undefined) ?? null;
  return {
    ...safeAction,
    type: `api · ${meta?.arg?.endpointName ?? String(match[1])} · ${String(match[2])}`,
    requestId,
    status: meta?.baseQueryMeta?.status ?? null,
    ...(match[2] === 'fulfilled' && secretResponses.has(meta?.arg?.endpointName) && { payload: hidden }),
  };
}

/** Long lists are truncated in the monitor; the store keeps them complete. */
const cut = (value: unknown, depth = 0): unknown => {
  if (depth > 8 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value))
    return value.length > 100
      ? [...value.slice(0, 100).map((one) => cut(one, depth + 1)), `… ${String(value.length - 100)} more`]
      : value.map((one) => cut(one, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, cut(one, depth + 1)]));
};

export const stateSanitizer = <S>(state: S): S => cut(withoutSecrets(state)) as S;

export const devTools: DevToolsEnhancerOptions = {
  name: 'Sitewright console',
  maxAge: 200,
  trace: process.env.NODE_ENV !== 'production',
  actionsDenylist: denylist,
  actionSanitizer,
  stateSanitizer,
};
