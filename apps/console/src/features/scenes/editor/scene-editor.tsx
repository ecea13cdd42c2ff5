/** screens.md 11: the rule on the left (sentence, 当, 且, 则), trying it out on the right. */

import type { Scene } from '@ithings/contract/features/scenes/info.ts'
import { t } from '@ithings/contract/text.ts'
import { Alert, App, Button, ConfigProvider, Input } from 'antd'
import { useDeferredValue, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { RunsDrawer } from '#blocks/scene-runs/runs.tsx'
import { RunsPane } from '#blocks/scene-runs/runs-pane.tsx'
import { LeaveGuard } from '#kit/leave-guard.tsx'
import { RichText } from '#kit/rich-text.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { useMemo } from '#language/use-memo.ts'
import { useScenesLive } from '../queries.ts'
import { ActionCard } from './actions/action-card.tsx'
import { ConditionCard } from './conditions/condition-card.tsx'
import './editor.css'
import { EditorContext, useEditor } from './editor-context.ts'
import { type ConditionItem, partsOf, type SceneDraft } from './logic/draft.ts'
import { FaultBar } from './parts/fault-bar.tsx'
import { SceneHeader } from './parts/scene-header.tsx'
import { SaidSoFar, SentenceSheet } from './parts/sentence-sheet.tsx'
import { BacktestPane } from './trial/backtest-pane.tsx'
import { DryRunPane } from './trial/dry-run-pane.tsx'
import { TrialCard } from './trial/trial-card.tsx'
import './trial/trial.css'
import { dryRunScene, startBacktest } from '@ithings/contract/features/scenes/trial.ts'
import { describeScene } from '@ithings/contract/rules/describe.ts'
import type { SentencePart } from '@ithings/contract/rules/sentence.ts'
import { scenePath } from '#kit/paths.ts'
import { May } from '#kit/rights.tsx'
import { isBracketed, Sentence } from '../parts/scene-rule.tsx'
import { removeItem } from './logic/condition-tree.ts'
import { readable } from './logic/step-kinds.ts'
import { TriggerCard } from './triggers/trigger-card.tsx'
import { useSceneDraft } from './use-scene-draft.ts'

/** What is still being filled in says nothing sensible yet. */
const finishedOf = (draft: SceneDraft, open: ReadonlySet<string>): SceneDraft => ({
  ...draft,
  triggers: draft.triggers.filter(({ key }) => !open.has(key)),
  conditions: [...open].reduce<ConditionItem[]>((list, key) => removeItem(list, key), draft.conditions),
  actions: draft.actions.filter(({ key }) => !open.has(key)),
})

function wholeRule(when: readonly SentencePart[], triggerType: SceneDraft['triggerType']): string {
  // English says "When" of what happens, not of a time.
  const context = { context: triggerType }
  if (when.length === 0) return t('当 <0/>，则 <2/>。', context)
  return isBracketed(when) ? t('当 <0/>，且<1/>，则 <2/>。', context) : t('当 <0/>，且 <1/>，则 <2/>。', context)
}

function SentenceCard() {
  const { draft, names, named, change, faults } = useEditor()
  // Names are longer than ids: what is below would move when they come.
  const wasNamed = useRef(false)
  wasNamed.current ||= named
  const settled = useDeferredValue(draft)
  const unfinished = useDeferredValue(faults)
  const { trigger, when, then } = useMemo(() => {
    const parts = partsOf(finishedOf(settled, new Set(unfinished.map(({ key }) => key))))
    return describeScene({ ...parts, actions: parts.actions.map(readable) }, names)
  }, [settled, unfinished, names])
  const note = (
    <Input.TextArea
      rows={1}
      variant="borderless"
      className="sentence-desc"
      aria-label={t('说明')}
      placeholder={t('添加说明（选填）')}
      maxLength={200}
      value={draft.desc}
      // One paragraph, however many lines it takes on the screen.
      onChange={(event) => change((old) => ({ ...old, desc: event.target.value.replace(/\n/g, ' ') }))}
    />
  )
  return (
    <SentenceSheet below={note} hidden={!wasNamed.current}>
      <RichText
        text={wholeRule(when, draft.triggerType)}
        parts={[
          <SaidSoFar key="trigger" parts={trigger} />,
          <Sentence key="when" parts={when} />,
          <SaidSoFar key="then" parts={then} />,
        ]}
      />
    </SentenceSheet>
  )
}

interface SceneEditorProps {
  start: SceneDraft
  /** Undefined: a new one. */
  scene: Scene | undefined
  /** Where a new one was asked for, and is gone back to. */
  back?: string
}

/** Ctrl+S means save, not "save this page as a file". */
function useSaveKey(save: () => void) {
  const latest = useRef(save)
  latest.current = save
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return
      event.preventDefault()
      latest.current()
    }
    window.addEventListener('keydown', pressed)
    return () => window.removeEventListener('keydown', pressed)
  }, [])
}

const StaleAlert = ({ onLoad, onOverwrite }: { onLoad: () => void; onOverwrite: () => void }) => (
  <Alert
    type="warning"
    showIcon
    title={t('没有保存：这个场景已被其他人修改')}
    description={t('可以载入最新版本（放弃你的修改），或用你的版本覆盖它。')}
    action={
      <span className="row gap-8">
        <Button size="small" onClick={onLoad}>
          {t('载入最新版本')}
        </Button>
        <Button size="small" danger onClick={onOverwrite}>
          {t('覆盖保存')}
        </Button>
      </span>
    }
  />
)

/** Beside the rule: what it would do, would have done, and did. */
function Trials({ onAllRuns }: { onAllRuns: () => void }) {
  const { draft, scene } = useEditor()
  return (
    <aside className="column shrink gap-12" aria-label={t('验证')}>
      <May needs={dryRunScene}>
        <DryRunPane />
      </May>
      {draft.triggerType !== 'manual' && (
        <May needs={startBacktest}>
          <BacktestPane />
        </May>
      )}
      {scene && (
        <TrialCard title={t('最近执行')}>
          <RunsPane sceneID={scene.id} onAll={onAllRuns} />
        </TrialCard>
      )}
    </aside>
  )
}

export function SceneEditor({ start, scene, back }: SceneEditorProps) {
  useScenesLive()
  const phone = usePhone()
  const navigate = useNavigate()
  const { message } = App.useApp()
  const { editor, changes, save, saveState, saving, discard, beStrict } = useSceneDraft(start, scene)
  const [runs, setRuns] = useState(false)
  const saved = editor.scene

  const submit = async (overwrite = false) => {
    if (saving || (saved && changes === 0)) return
    const id = await save({ overwrite })
    if (id === undefined) return
    void message.success(saved ? t('更新成功') : t('创建成功'))
    if (!saved) void navigate(back ?? scenePath(id), { replace: true })
  }
  useSaveKey(() => void submit())

  return (
    <EditorContext value={editor}>
      {/* look.md "Phone": fingers need more room than a pointer. */}
      <ConfigProvider {...(phone && { componentSize: 'large' as const })}>
        <div className="column gap-12">
          <SceneHeader
            changes={changes}
            saving={saving}
            onSave={() => void submit()}
            onDiscard={() => void discard()}
            onRuns={() => setRuns(true)}
          />
          {saveState.kind === 'failed' && (
            <Alert type="error" showIcon title={t('没有保存：{text}', { text: saveState.text })} />
          )}
          {saveState.kind === 'stale' && (
            <StaleAlert onLoad={() => void discard()} onOverwrite={() => void submit(true)} />
          )}
          <FaultBar onStrict={beStrict} />
          <div className="scene-columns top grid gap-16" inert={saving && editor.frozen}>
            <ConfigProvider componentDisabled={editor.frozen}>
              <div className="scene-rule-column column shrink gap-12">
                <SentenceCard />
                <fieldset disabled={editor.frozen && editor.draft.triggerType !== 'manual'}>
                  <TriggerCard />
                </fieldset>
                <fieldset disabled={editor.frozen}>
                  <ConditionCard />
                  <ActionCard />
                </fieldset>
              </div>
            </ConfigProvider>
            <Trials onAllRuns={() => setRuns(true)} />
          </div>
        </div>
      </ConfigProvider>
      <LeaveGuard
        ofParam="id"
        dirty={changes > 0 && !saving}
        text={t('有 {count} 处修改还没有保存，离开后会丢失。', { count: changes })}
      />
      {saved && <RunsDrawer scene={saved} open={runs} onClose={() => setRuns(false)} />}
    </EditorContext>
  )
}
