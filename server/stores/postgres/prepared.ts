import type { NodePgDatabase } from 'drizzle-orm/node-postgres';

type Db = Pick<NodePgDatabase, 'select'>;

/**
 * A question that every request asks: put together once, and read and planned by PostgreSQL once a connection. `make` ends in `.prepare(name)`, with
 * `sql.placeholder`s for what differs. Only for our own tables, whose columns do not change while the program runs.
 */
export function prepared<Question>(make: (db: Db) => Question): (db: Db) => Question {
  const questions = new WeakMap<Db, Question>();
  return (db) => {
    let question = questions.get(db);
    if (question === undefined) questions.set(db, (question = make(db)));
    return question;
  };
}
