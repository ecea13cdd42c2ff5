import { describeScene } from '@ithings/contract/rules/describe.ts'
import { Input } from 'antd'
import { useDeferredValue, useMemo } from 'react'
import { Sentence } from '../../parts/scene-rule.tsx'
import { useEditor } from '../editor-context.ts'
import { removeItem } from '../logic/condition-tree.ts'
import { type ConditionItem, partsOf, type SceneDraft } from '../logic/draft.ts'
import { readable } from '../logic/step-words.ts'

/** What is still being filled in says nothing sensible yet. */
const finishedOf = (draft: SceneDraft, open: ReadonlySet<string>): SceneDraft => ({
  ...draft,
  triggers: draft.triggers.filter(({ key }) => !open.has(key)),
  conditions: [...open].reduce<ConditionItem[]>((list, key) => removeItem(list, key), draft.conditions),
  actions: draft.actions.filter(({ key }) => !open.has(key)),
})

/** The whole rule as one sentence, while it is being built; the note about it below. */
export function SentenceCard() {
  const { draft, names, change, faults } = useEditor()
  const settled = useDeferredValue(draft)
  const unfinished = useDeferredValue(faults)
  const { trigger, when, then } = useMemo(() => {
    const parts = partsOf(finishedOf(settled, new Set(unfinished.map(({ key }) => key))))
    return describeScene({ ...parts, actions: parts.actions.map(readable) }, names)
  }, [settled, unfinished, names])
  return (
    <section className="sheet sentence-card" aria-label="规则预览">
      <p className="sentence bare anywhere softer" aria-live="polite">
        当 {trigger.length > 0 ? <Sentence parts={trigger} /> : <span className="sentence-gap">……</span>}
        {when.length > 0 && (
          <>
            {/* A full-width bracket brings its own space. */}
            {when[0]?.text.startsWith('（') ? '，且' : '，且 '}
            <Sentence parts={when} />
          </>
        )}
        ，则 {then.length > 0 ? <Sentence parts={then} /> : <span className="sentence-gap">……</span>}。
      </p>
      <Input.TextArea
        rows={1}
        variant="borderless"
        className="sentence-desc"
        aria-label="说明"
        placeholder="添加说明（选填）"
        maxLength={200}
        value={draft.desc}
        // One paragraph, however many lines it takes on the screen.
        onChange={(event) => change((old) => ({ ...old, desc: event.target.value.replace(/\n/g, ' ') }))}
      />
    </section>
  )
}
