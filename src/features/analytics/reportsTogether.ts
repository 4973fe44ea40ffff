import type { QueryReturnValue } from '@reduxjs/toolkit/query';
import { analyticsCalls } from '@contract/analytics/calls';
import type { Report, Reports, analyticsEndpoints } from '@contract/analytics/schemas';
import { mostReports } from '@contract/analytics/terms';
import { isPassing } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import { queryString } from '@/lib/queryString';
import type { CallMeta, Request } from '@/store/baseQuery';
import { requestOf, typed } from '@/store/endpoints';
import type { ArgumentsOf } from '@/store/endpoints';

type Endpoints = typeof analyticsEndpoints;
const calls = typed<Endpoints>(analyticsCalls);

export type ReportArguments = ArgumentsOf<Endpoints['report']>;
type Result<T> = QueryReturnValue<T, ApiFailure, CallMeta>;
/** Sends one request, as RTK Query gives it to an endpoint. */
type Send = (request: Request) => PromiseLike<Result<unknown>> | Result<unknown>;
type Waiting = { readonly siteId: string; readonly request: Request; readonly send: Send; readonly resolve: (result: Result<Report>) => void };

/** Maximum length of the reports' part of an address: servers and proxies along the way limit it. */
const maxCharacters = 4000;
let waiting: Waiting[] = [];

/** Reports of one site that fit into one call each. */
function batches(all: readonly Waiting[]): Waiting[][] {
  const found: { siteId: string; characters: number; items: Waiting[] }[] = [];
  for (const item of all) {
    const characters = encodeURIComponent(queryString(item.request.params ?? {})).length;
    const batch = found.find(
      ({ siteId, items, characters: taken }) => siteId === item.siteId && items.length < mostReports && taken + characters <= maxCharacters,
    );
    if (batch) {
      batch.items.push(item);
      batch.characters += characters;
    } else found.push({ siteId: item.siteId, characters, items: [item] });
  }
  return found.map(({ items }) => items);
}

const sendAlone = async (item: Waiting): Promise<void> => item.resolve((await item.send(item.request)) as Result<Report>);

async function send(items: readonly Waiting[]): Promise<void> {
  const [first] = items;
  if (first === undefined) return;
  if (items.length === 1) return sendAlone(first);
  const request = requestOf(calls.reports, { siteId: first.siteId, q: items.map((item) => queryString(item.request.params ?? {})) });
  const result = await first.send(request);
  const meta = result.meta === undefined ? {} : { meta: result.meta };
  if (result.error !== undefined) {
    // One query that is invalid, or that a public link does not open, refuses the whole call.
    const isRefused = result.error.status === 400 || result.error.status === 403;
    return items.forEach((item) => (isRefused ? void sendAlone(item) : item.resolve(result)));
  }
  const reports = result.data as Reports;
  items.forEach((item, at) => {
    const response = reports[at];
    if (response !== undefined && 'data' in response) return item.resolve({ data: response.data, ...meta });
    const { status = 500, error: message = '', ...rest } = response ?? {};
    const error: ApiFailure = { kind: 'api', method: 'GET', url: item.request.url, status, message, ...(rest as Partial<ApiFailure>) };
    // Alone, it is retried after a pause like any other call.
    return isPassing(error) ? void sendAlone(item) : item.resolve({ error, ...meta });
  });
}

/** A report. Those that the blocks of a screen need at the same moment are one call, so that a screen does not wait for a connection per block. */
export const reportTogether = (args: ReportArguments, sendOne: Send): Promise<Result<Report>> =>
  new Promise((resolve) => {
    if (waiting.length === 0)
      setTimeout(() => {
        const all = waiting;
        waiting = [];
        for (const items of batches(all)) void send(items);
      });
    waiting.push({ siteId: args.siteId, request: requestOf(calls.report, args), send: sendOne, resolve });
  });
