/** The edited scene beside the saved one: changes, checks, saving, and what somebody else saved meanwhile. */

import type { BodyInput } from '@ithings/contract/endpoint.ts'
import { errors } from '@ithings/contract/errors.ts'
import type { createAlarm } from '@ithings/contract/features/alarms/config.ts'
import { createScene, type Scene, updateScene } from '@ithings/contract/features/scenes/info.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useServerZone } from '#blocks/server-zone.ts'
import { useMay } from '#kit/rights.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { sceneQuery, useSceneWork } from '../queries.ts'
import type { Editor } from './editor-context.ts'
import { checkDraft, faultAt } from './logic/check-draft.ts'
import { countChanges } from './logic/count-changes.ts'
import { draftOf, type SceneDraft, textsOf } from './logic/draft.ts'
import { judgeDraft } from './logic/judge-draft.ts'
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
  const { names, models, alarms } = useSceneNames(draft, shown, timeZone)

  const faults = useMemo(() => checkDraft(draft), [draft])
  const saved = base.scene && base.draft
  const judged = useMemo(() => judgeDraft(draft, models, saved), [draft, models, saved])
  // One word about a field is enough.
  const refusals = useMemo(
    () => judged.refusals.filter(({ key, field }) => faultAt(faults, key, field) === undefined),
    [judged, faults],
  )
  const changes = useMemo(() => countChanges(base.draft, draft), [base, draft])

  const current = useRef(draft)
  current.current = draft
  const saving = saveState.kind === 'saving' || saveState.kind === 'created'
  const writable = may(shown ? updateScene : createScene)
  const frozen = !writable || (saving && !shown)

  // Somebody else saved, and there is nothing here that could get lost.
  const newer = scene && base.scene && scene.rev !== base.scene.rev && changes === 0 ? scene : undefined
  useEffect(() => {
    if (newer) {
      const next = draftOf(newer)
      setBase({ draft: next, scene: newer })
      setDraft(next)
    }
  }, [newer])

  const save: SceneDraftState['save'] = async ({ overwrite = false, alarm } = {}) => {
    if (faults.length + refusals.length > 0) {
      setStrict(true)
      return undefined
    }
    setSaveState({ kind: 'saving' })
    const body = {
      name: draft.name.trim(),
      desc: draft.desc.trim(),
      status: draft.status,
      ...textsOf(draft),
      // Somebody may have linked it from the alarm meanwhile: that stays unless it was changed here.
      ...(draft.alarmIDs.join() !== (base.scene ? base.draft.alarmIDs.join() : '') && { alarmIDs: draft.alarmIDs }),
    }
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
      const latest = await client.fetchQuery({ ...sceneQuery(id), staleTime: 0 })
      setBase({ draft, scene: latest })
      setSaveState({ kind: 'idle' })
      return id
    } catch (error) {
      setSaveState(isStale(error) ? { kind: 'stale' } : { kind: 'failed', text: describeError(error).reason })
      return undefined
    }
  }

  const editor: Editor = {
    draft,
    scene: shown,
    change: frozen ? () => undefined : setDraft,
    frozen,
    faults,
    refusals,
    warnings: judged.warnings,
    strict,
    models,
    alarms,
    names,
    timeZone,
  }
  return {
    editor,
    changes,
    save,
    saveState,
    saving,
    discard: async () => {
      setDraft(base.draft)
      setSaveState({ kind: 'idle' })
      if (!base.scene) return
      // Somebody else may have saved meanwhile; when that cannot be read, the version from before is still shown.
      const latest = await client.fetchQuery({ ...sceneQuery(base.scene.id), staleTime: 0 }).catch(() => undefined)
      // What was typed while it was read stays, upon the version from before.
      if (!latest || current.current !== base.draft) return
      const next = draftOf(latest)
      setBase({ draft: next, scene: latest })
      setDraft(next)
    },
    beStrict: () => setStrict(true),
  }
}
