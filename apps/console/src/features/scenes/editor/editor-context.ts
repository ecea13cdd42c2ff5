import type { Scene } from '@ithings/contract/features/scenes/info.ts'
import type { SceneNames } from '@ithings/contract/rules/scene-names.ts'
import { createContext, useContext } from 'react'
import { type Fault, findFault } from './logic/check-draft.ts'
import type { ConditionItem, SceneDraft } from './logic/draft.ts'
import type { Models } from './logic/judge-draft.ts'

export interface Editor {
  draft: SceneDraft
  /** The saved version; undefined: it was never saved. */
  scene: Scene | undefined
  change: (change: (draft: SceneDraft) => SceneDraft) => void
  /** A new one is being saved and goes on to its own page: a change made until then would get lost, so none is taken. */
  frozen: boolean
  /** What is not complete: it can be neither saved nor tried. */
  faults: readonly Fault[]
  /** Complete, but the platform does not save it like that. */
  refusals: readonly Fault[]
  /** What saves but will not work as meant. */
  warnings: readonly Fault[]
  /** Fields left empty are marked, too: a new part is not red before anybody touched it. */
  strict: boolean
  models: Models
  /** Of the draft, as far as they are known. */
  alarms: Scene['alarms']
  names: SceneNames
  /** The names are there, as far as they are known. */
  named: boolean
  /** IANA name of the server's zone; undefined: not known yet. */
  timeZone: string | undefined
}

export const EditorContext = createContext<Editor | undefined>(undefined)

export function useEditor(): Editor {
  const editor = useContext(EditorContext)
  if (!editor) throw new Error('outside of the scene editor')
  return editor
}

/** What the fields of an item edit, and the item that they are about. */
export interface PartProps<T> {
  item: string
  value: T
  onChange: (value: T) => void
}

export interface FieldNote {
  text: string
  tone: 'error' | 'warning'
}

/** What is to be said about a field of an item. */
export function useNote(): (key: string, field: string) => FieldNote | undefined {
  const { faults, refusals, warnings, strict } = useEditor()
  return (key, field) => {
    const fault = findFault(faults, key, field) ?? findFault(refusals, key, field)
    if (fault && (strict || !fault.asks)) return { text: fault.text, tone: 'error' }
    const warning = findFault(warnings, key, field)
    return warning && (strict || !warning.asks) ? { text: warning.text, tone: 'warning' } : undefined
  }
}

export const useConditionEdit = () => {
  const { change } = useEditor()
  return (edit: (list: readonly ConditionItem[]) => ConditionItem[]) =>
    change((draft) => ({ ...draft, conditions: edit(draft.conditions) }))
}

/** Products of the device triggers, each once. */
export const triggerProducts = ({ triggerType, triggers }: SceneDraft): string[] =>
  triggerType === 'device' ? [...new Set(triggers.flatMap(({ part }) => (part.productID ? [part.productID] : [])))] : []

/** Where the list of faults leads to. */
export const itemAnchor = (key: string): string => `scene-item-${key}`
