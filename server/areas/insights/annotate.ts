import type { AnnotationKind } from '../../../contract/insights/schemas';
import type { Context } from '../../context';
import { labelAt } from '../../zone';
import * as queries from './queries';

export type Noted = {
  readonly kind: Exclude<AnnotationKind, 'note'>;
  /** Values for its text: `name`, `before`, `after`. */
  readonly values?: Readonly<Record<string, string>>;
  /** Epoch ms; absent: now. */
  readonly at?: number;
  /** The site's time zone, which determines the day. */
  readonly timeZone: string;
  readonly author?: string | null;
};

/** Adds an automatic annotation that explains a change in the figures, in the caller's transaction if `db` is one. */
export async function annotate(ctx: Pick<Context, 'now'>, db: Pick<queries.Db, 'insert'>, siteId: string, annotation: Noted): Promise<void> {
  const [day = '', time = ''] = labelAt(annotation.at ?? ctx.now(), annotation.timeZone).split('T');
  await queries.insertAnnotation(db, {
    siteId,
    kind: annotation.kind,
    day,
    time,
    values: { ...annotation.values },
    author: annotation.author ?? null,
    createdAt: new Date(ctx.now()),
  });
}
