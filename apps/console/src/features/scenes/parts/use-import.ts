import { SceneStatus } from '@ithings/contract/features/scenes/info.ts'
import { useState } from 'react'
import { describeError } from '#kit/states/describe-error.ts'
import { useSceneWork } from '../queries.ts'
import { freeName, newSceneOf, readScenes } from '../scene-file.ts'
import type { ImportRow } from './import-rows.tsx'

const largestFile = 20 * 1024 * 1024

/** A name that is taken here, or by a scene further up in the file, gets a number. */
function named(text: string, taken: Set<string>): ImportRow[] {
  return readScenes(text).map((read, key) => {
    if (!read.parts) return { ...read, key }
    const name = freeName(read.name, taken)
    taken.add(name)
    return { ...read, key, name, ...(name !== read.name && { renamedFrom: read.name }) }
  })
}

/** A file is looked at first; each good scene becomes a new one, and a refusal stops none of the others. */
export function useImport() {
  const work = useSceneWork()
  const [rows, setRows] = useState<ImportRow[]>()
  const [refusal, setRefusal] = useState<string>()
  const [running, setRunning] = useState(false)
  const todo = (rows ?? []).filter((row) => row.parts && row.outcome?.state !== 'done' && row.name.trim() !== '')

  const take = async (file: File) => {
    if (file.size > largestFile) return setRefusal(`文件不能超过 20 MB，「${file.name}」太大`)
    try {
      setRows(named(await file.text(), await work.takenNames()))
      setRefusal(undefined)
    } catch (error) {
      setRefusal(`「${file.name}」${describeError(error).reason}`)
    }
  }
  const change = (key: number, patch: Partial<ImportRow>) =>
    setRows((before) => before?.map((row) => (row.key === key ? { ...row, ...patch } : row)))
  const rename = (row: ImportRow, name: string) => {
    const { outcome: _, renamedFrom: __, ...rest } = row
    setRows((before) => before?.map((one) => (one.key === row.key ? { ...rest, name } : one)))
  }
  const restart = () => {
    setRows(undefined)
    setRefusal(undefined)
  }
  /** @returns how many could not be created */
  const submit = async (asInFile: boolean): Promise<number> => {
    setRunning(true)
    let failed = 0
    for (const { key, parts, name, desc, enabled } of todo) {
      if (!parts) continue
      const status = asInFile && enabled ? SceneStatus.enabled : SceneStatus.disabled
      try {
        await work.add(newSceneOf(parts, name.trim(), desc, status))
        change(key, { outcome: { state: 'done' } })
      } catch (error) {
        failed += 1
        change(key, { outcome: { state: 'failed', error } })
      }
    }
    await work.refresh()
    setRunning(false)
    return failed
  }
  return { rows, refusal, running, todo, take, rename, restart, submit }
}
