import type { FastifyRequest } from 'fastify';
import type { IndexedSite } from '../areas/sites';
import type { Context } from '../context';
import type { DeliveryResponse } from './response';

/** A request to a delivered site, as the steps see it. */
export type Delivery = {
  readonly ctx: Context;
  readonly site: IndexedSite;
  readonly method: string;
  /** Path of the URL as sent, without its query. */
  readonly path: string;
  /** Query of the URL as sent, without its question mark. */
  readonly query: string;
  /** For headers, protocol and address: Fastify reads those of proxies only where they are trusted. */
  readonly request: FastifyRequest;
};

export function deliveryOf(ctx: Context, site: IndexedSite, request: FastifyRequest): Delivery {
  const [, path = '/', query = ''] = /^([^?]*)(?:\?(.*))?$/s.exec(request.url) ?? [];
  return { ctx, site, method: request.method, path, query, request };
}

/** One step of the handling of a request: a response, or `null` to continue with the next step. */
export type Step = (delivery: Delivery) => DeliveryResponse | null | Promise<DeliveryResponse | null>;
