import { createBuilder } from '../../server/collect/builder';
import { insertHits } from '../../server/collect/queries';
import { noDevice, noPlace, noSource } from '../../server/collect/row';
import type { HitRow } from '../../server/collect/row';
import type { TestApp } from '../support/app';

const hex = (n: number): string => n.toString(16).padStart(16, '0');

/** One action of a visitor: `path` opens a page (a search if `search` is set), `event` happens on the latest page. */
export type Did = {
  readonly at: number;
  readonly path?: string;
  readonly event?: string;
  readonly props?: Readonly<Record<string, unknown>>;
  readonly search?: string;
  readonly scroll?: number;
};

let views = 0;
/** The stored hits of one visitor; the source is a search engine for even numbers, direct for odd ones. */
export function hitsOf(siteId: string, visitor: number, deeds: readonly Did[]): HitRow[] {
  let view = hex(0);
  let path = '/';
  let seq = 0;
  return deeds.map(({ at, event, props, search = '', scroll = 0, ...did }): HitRow => {
    if (did.path !== undefined) {
      path = did.path;
      seq = 0;
      view = hex((views += 1));
    } else seq += 1;
    return {
      site_id: siteId,
      visitor_id: hex(visitor + 1_000_000),
      visitor_alt: hex(0),
      view_id: view,
      seq,
      kind: event === undefined ? 'view' : 'event',
      at,
      received_at: at + 100,
      host: 'tea.example',
      path,
      query: '',
      title: '',
      engaged_ms: 0,
      scroll,
      name: event ?? '',
      props: props === undefined ? '' : JSON.stringify(props),
      screen_w: 0,
      screen_h: 0,
      lang: 'zh',
      ip_key: hex(visitor),
      ip_masked: '203.0.113.x',
      bot_score: 0,
      bot_reasons: [],
      origin: 'script',
      search_term: search,
      ...noSource,
      ...noDevice,
      ...noPlace,
      source_type: visitor % 2 === 0 ? 'search' : 'direct',
      source_name: visitor % 2 === 0 ? 'baidu' : '',
      device_type: 'desktop',
    };
  });
}

/** Stores hits and builds their visits, through the tables and the builder that real hits use. */
export async function store({ ctx }: TestApp, hits: readonly HitRow[]): Promise<void> {
  await insertHits(ctx.clickhouse, hits, `insights ${views} ${hits.length} ${hits[0]?.view_id ?? ''}`);
  await createBuilder(ctx.clickhouse).apply([...hits]);
}
