import type { HitRow } from '../../server/collect/row';
import { createBuilder } from '../../server/collect/builder';
import { insertHits } from '../../server/collect/queries';
import { makeHit } from '../oracle/traffic';
import type { Person, TestApp } from '../support/app';

/** One visit. Times are ms after `at` (epoch ms); `on` is the index of an event's page. */
export type Story = {
  readonly visitor: number;
  readonly at: number;
  readonly pages: readonly {
    readonly path: string;
    readonly after?: number;
    readonly engaged?: number;
    readonly scroll?: number;
    readonly host?: string;
    readonly title?: string;
    readonly search?: string;
  }[];
  readonly events?: readonly { readonly name: string; readonly after: number; readonly on: number; readonly props?: object }[];
  readonly about?: Partial<HitRow>;
};

const id = (n: number): string => n.toString(16).padStart(16, '0');
let views = 1000;

export function hitsOf(siteId: string, stories: readonly Story[]): HitRow[] {
  return stories.flatMap(({ visitor, at, pages, events = [], about = {} }) => {
    const base = { site_id: siteId, visitor_id: id(visitor), ip_key: id(visitor), ...about };
    const opened = pages.map((page) => ({ page, view_id: id((views += 1)) }));
    return [
      ...opened.map(({ page, view_id }) =>
        makeHit({
          ...base,
          view_id,
          at: at + (page.after ?? 0),
          path: page.path,
          engaged_ms: page.engaged ?? 0,
          scroll: page.scroll ?? 0,
          ...(page.host === undefined ? {} : { host: page.host }),
          title: page.title ?? '',
          search_term: page.search ?? '',
        }),
      ),
      ...events.map(({ name, after, on, props }, index) =>
        makeHit({
          ...base,
          view_id: opened[on]?.view_id ?? id(1),
          seq: index + 1,
          kind: 'event',
          at: at + after,
          path: pages[on]?.path ?? '',
          name,
          props: props ? JSON.stringify(props) : '',
        }),
      ),
    ];
  });
}

/** Stores visits through the tables and the builder that real hits use. */
export async function happened(program: TestApp, siteId: string, stories: readonly Story[]): Promise<void> {
  const hits = hitsOf(siteId, stories);
  if (hits.length === 0) return;
  await insertHits(program.ctx.clickhouse, hits, `${siteId} ${(views += 1)}`);
  await createBuilder(program.ctx.clickhouse).apply(hits);
}

/** The data of a call that must succeed. */
export async function read<T>(by: Person, path: string): Promise<T> {
  const answer = await by.get(path);
  if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${answer.body}`);
  return answer.json<{ data: T }>().data;
}

export const filterBy = (text: string): string => `&filter=${encodeURIComponent(text)}`;
