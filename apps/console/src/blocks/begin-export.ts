import { exportList } from '@ithings/contract/features/jobs.ts'
import { call, recordCall } from '#api/call.ts'
import type { TableExport } from '#kit/exporting.ts'

const zone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** What a reading of a list asks the server for, which is all of its filter but the page. */
function watched(read: () => unknown) {
  const asked = recordCall(read)
  if (!asked) throw new Error('the list has not asked the server')
  return { path: asked.path, bodies: [(asked.body ?? {}) as Record<string, unknown>] }
}

/** @returns the job that writes the file */
export async function beginExport({ source, ...table }: TableExport): Promise<string> {
  const asked = typeof source === 'function' ? watched(source) : source
  return (await call(exportList, { ...table, ...asked, timeZone: zone() }, { quiet: true })).jobID
}
