/** The edited scene beside the saved one: changes, checks, saving, and what somebody else saved meanwhile. */

import type { BodyInput } from '@ithings/contract/endpoint.ts'
import { errors } from '@ithings/contract/errors.ts'
import type { createAlarm } from '@ithings/contract/features/alarms/config.ts'
import { createScene, type Scene, updateScene } from '@ithings/contract/features/scenes/info.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useServerZone } from '#blocks/server-zone.ts'
import { useMay } from '#kit/rights.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { useMemo } from '#language/use-memo.ts'
import { sceneQuery, useSceneWork } from '../queries.ts'
import type { Editor } from './editor-context.ts'
import { checkDraft, faultAt } from './logic/check-draft.ts'
import { countChanges } from './logic/count-changes.ts'
import { draftOf, type SceneDraft, textsOf } from './logic/draft.ts'
import { judgeDraft, type Models } from './logic/judge-draft.ts'
import { useSceneNames } from './use-scene-names.ts'

interface Base {
  draft: SceneDraft
  scene: Scene | undefined
}

const isStale = (error: unknown) => describeError(error).code === errors.staleEdit.code

export type SaveState =
  | { kind: 'idle' }
  | { kind: 'saving' }
  /** A new one is saved; its own page is on the way. */
  | { kind: 'created' }
  | { kind: 'failed'; text: string }
  /** Somebody else saved. */
  | { kind: 'stale' }

export interface SceneDraftState {
  editor: Editor
  changes: number
  /** @param options.alarm made together with a new scene */
  save: (options?: { overwrite?: boolean; alarm?: BodyInput<typeof createAlarm> }) => Promise<number | undefined>
  saveState: SaveState
  saving: boolean
  /** Back to what is saved, as it is now. */
  discard: () => Promise<void>
  beStrict: () => void
}

/** What keeps the draft from being saved, and what only warns; one word about a field is enough. */
function useJudgement(draft: SceneDraft, saved: SceneDraft | undefined, models: Models) {
  const faults = useMemo(() => checkDraft(draft), [draft])
  const judged = useMemo(() => judgeDraft(draft, models, saved), [draft, models, saved])
  const refusals = useMemo(
    () => judged.refusals.filter(({ key, field }) => faultAt(faults, key, field) === undefined),
    [judged, faults],
  )
  return { faults, refusals, warnings: judged.warnings }
}

const savedBody = (draft: SceneDraft, base: Base) => ({
  name: draft.name.trim(),
  desc: draft.desc.trim(),
  status: draft.status,
  ...textsOf(draft),
  // Somebody may have linked it from the alarm meanwhile: that stays unless it was changed here.
  ...(draft.alarmIDs.join() !== (base.scene ? base.draft.alarmIDs.join() : '') && { alarmIDs: draft.alarmIDs }),
})

export function useSceneDraft(start: SceneDraft, scene: Scene | undefined): SceneDraftState {
  const client = useQueryClient()
  const work = useSceneWork()
  const may = useMay()
  const [base, setBase] = useState<Base>({ draft: start, scene })
  const [draft, setDraft] = useState(start)
  const [strict, setStrict] = useState(scene !== undefined)
  const [saveState, setSaveState] = useState<SaveState>({ kind: 'idle' })
  const timeZone = useServerZone()
  const shown = scene ?? base.scene
  const { names, named, models, alarms } = useSceneNames(draft, shown, timeZone)
  const judgement = useJudgement(draft, base.scene && base.draft, models)
  const changes = useMemo(() => countChanges(base.draft, draft), [base, draft])

  const current = useRef(draft)
  current.current = draft
  const saving = saveState.kind === 'saving' || saveState.kind === 'created'
  const writable = may(shown ? updateScene : createScene)
  const frozen = !writable || (saving && !shown)

  const readLatest = (id: number) => client.fetchQuery({ ...sceneQuery(id), staleTime: 0 })
  const takeOver = useCallback((saved: Scene) => {
    const next = draftOf(saved)
    setBase({ draft: next, scene: saved })
    setDraft(next)
  }, [])

  // Somebody else saved, and there is nothing here that could get lost.
  const newer = scene && base.scene && scene.rev !== base.scene.rev && changes === 0 ? scene : undefined
  useEffect(() => {
    if (newer) takeOver(newer)
  }, [newer, takeOver])

  const save: SceneDraftState['save'] = async ({ overwrite = false, alarm } = {}) => {
    if (judgement.faults.length + judgement.refusals.length > 0) {
      setStrict(true)
      return undefined
    }
    setSaveState({ kind: 'saving' })
    const body = savedBody(draft, base)
    try {
      if (!base.scene) {
        const { id } = await work.create({ ...body, ...(alarm && { alarm }) })
        setBase({ draft, scene: undefined })
        setSaveState({ kind: 'created' })
        return id
      }
      const { id, rev } = base.scene
      // Without a revision the platform takes the newest word (decisions.md 2 "Stale edits").
      await work.update({ ...body, id, ...(!overwrite && { rev }) })
      setBase({ draft, scene: await readLatest(id) })
      setSaveState({ kind: 'idle' })
      return id
    } catch (error) {
      setSaveState(isStale(error) ? { kind: 'stale' } : { kind: 'failed', text: describeError(error).reason })
      return undefined
    }
  }

  const discard = async () => {
    setDraft(base.draft)
    setSaveState({ kind: 'idle' })
    if (!base.scene) return
    // Somebody else may have saved meanwhile; when that cannot be read, the version from before is still shown.
    const latest = await readLatest(base.scene.id).catch(() => undefined)
    // What was typed while it was read stays, upon the version from before.
    if (latest && current.current === base.draft) takeOver(latest)
  }

  const change = frozen ? () => undefined : setDraft
  const editor = { draft, scene: shown, change, frozen, ...judgement, strict, models, alarms, names, named, timeZone }
  return { editor, changes, save, saveState, saving, discard, beStrict: () => setStrict(true) }
}
