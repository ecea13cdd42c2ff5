import type { CompiledQuery, QueryResult } from 'kysely'
import { prepared } from '#ports/prepared-statements.ts'
import type { Db } from './schema.ts'

interface Statement<Row> {
  compile(db: Db): CompiledQuery<Row>
}

/** Carries out a statement whose plan its connection keeps. */
export function runPrepared<Row>(db: Db, statement: Statement<Row>): Promise<QueryResult<Row>> {
  const query = statement.compile(db)
  prepared(query.sql)
  return db.executeQuery(query)
}
