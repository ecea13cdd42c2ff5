/** Tables as files: whoever shows a list or a chart says what is in it, the app has the server write it. */
import type { ExportColumn, TableFormat } from '@ithings/contract/features/jobs.ts'
import { createContext, useContext } from 'react'

export interface TableExport {
  /** Of the file and of what follows its making. */
  title: string
  format: TableFormat
  columns: ExportColumn[]
  /** Where the rows are in the answer, unless they are its list. */
  rows?: string
  /** What the server is asked; or the reading of the list itself, which is watched for what it asks. */
  source: { path: string; bodies: Record<string, unknown>[] } | (() => unknown)
}

interface Reading {
  queryKey: readonly unknown[]
  queryFn?: ((context: never) => unknown) | symbol | undefined
}

/** A query as the source of an export. */
export const readingOf =
  ({ queryKey, queryFn }: Reading) =>
  (): unknown =>
    typeof queryFn === 'function' && queryFn({ queryKey, signal: new AbortController().signal } as never)

export const ExportContext = createContext<(table: TableExport) => void>(() => {})

export const useTableExport = () => useContext(ExportContext)
