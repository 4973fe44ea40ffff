import type { NodePgDatabase } from 'drizzle-orm/node-postgres';

type Db = Pick<NodePgDatabase, 'select'>;

/**
 * A query used by every request: built once, and parsed and planned by PostgreSQL once per connection. `make` ends in `.prepare(name)`, with `sql.placeholder`s
 * for the parameters. Only for the program's own tables, whose columns do not change while it runs.
 */
export function prepared<Question>(make: (db: Db) => Question): (db: Db) => Question {
  const questions = new WeakMap<Db, Question>();
  return (db) => {
    let question = questions.get(db);
    if (question === undefined) questions.set(db, (question = make(db)));
    return question;
  };
}
