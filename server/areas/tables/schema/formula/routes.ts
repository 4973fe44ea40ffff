import type { FastifyInstance } from 'fastify';
import { formulaEndpoints as endpoints } from '../../../../../contract/tables/formulaEndpoints';
import type { Context } from '../../../../context';
import { route } from '../../../../http/route';
import { requireGrant } from '../../core/access';
import { onTable } from '../../core/read';
import { tryFormula } from './trial';

/** Formula previews while typing. Types of computed fields are in `shapes.ts`, their SQL in `sql.ts`. */
export function registerFormula(app: FastifyInstance, ctx: Context): void {
  route(app, ctx, endpoints.tryFormula, (call) =>
    onTable(
      ctx,
      { id: call.site.id, timeZone: call.site.row.timeZone },
      call.params.table,
      { role: call.site.role, userId: call.session.userId },
      (context) => {
        requireGrant(context.table, context.reader, 'read');
        return tryFormula(ctx, context, call.body);
      },
    ),
  );
}
