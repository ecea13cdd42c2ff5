import type { ColumnType } from 'kysely'

/** A jsonb column: read as a value, written as JSON text (the driver would send an array as a PostgreSQL array). */
export type Json<T> = ColumnType<T, string, string>
/** The same with a default of the database. */
export type JsonDefault<T> = ColumnType<T, string | undefined, string>
