import type { FastifyRequest } from 'fastify';
import type { IndexedSite } from '../areas/sites';
import type { Context } from '../context';
import type { Edition } from './edition';
import { noFooter } from './filingFooters';
import type { FilingFooter } from './filingFooters';
import { readRequest } from './host';
import type { Requested } from './host';
import type { DeliveryResponse } from './response';
import type { Services } from './services';

/** A request to a delivered site. */
export type Arrival = Requested & {
  readonly ctx: Context;
  readonly site: IndexedSite;
  readonly method: string;
  /** For headers, protocol and address: Fastify reads those of proxies only where they are trusted. */
  readonly request: FastifyRequest;
  /** Numbers of filings that pages show under the visited host. */
  readonly filings: FilingFooter;
};
/** The same, as the steps see it. */
export type Delivery = Arrival & { readonly services: Services };

export function arrivalOf(ctx: Context, site: IndexedSite, request: FastifyRequest, filings = noFooter): Arrival {
  const { host, path, query } = request.requested ?? readRequest(request);
  return { ctx, site, method: request.method, host, path, query, request, filings };
}

type Result = DeliveryResponse | null | Promise<DeliveryResponse | null>;
/** One step of the handling of a request: a response, or `null` to continue with the next step. */
export type Step = (delivery: Delivery) => Result;
/** A step of a site that has something to show: a release, or the working copy of a preview. */
export type EditionStep = (delivery: Delivery, edition: Edition) => Result;
