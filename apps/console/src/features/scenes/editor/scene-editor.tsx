/** screens.md 11: the rule on the left (sentence, 当, 且, 则), trying it out on the right. */
import type { Scene } from '@ithings/contract/features/scenes/info.ts'
import { Alert, App, Button, ConfigProvider } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { scenePath } from '#blocks/scene-paths.ts'
import { RunsDrawer } from '#blocks/scene-runs/runs-drawer.tsx'
import { RunsPane } from '#blocks/scene-runs/runs-pane.tsx'
import { LeaveGuard } from '#kit/leave-guard.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { useScenesLive } from '../use-scenes-live.ts'
import { ActionCard } from './actions/action-card.tsx'
import { ConditionCard } from './conditions/condition-card.tsx'
import './editor.css'
import { EditorContext } from './editor-context.ts'
import type { SceneDraft } from './logic/draft.ts'
import { FaultBar } from './parts/fault-bar.tsx'
import { SceneHeader } from './parts/scene-header.tsx'
import { SentenceCard } from './parts/sentence-card.tsx'
import { BacktestPane } from './trial/backtest-pane.tsx'
import { DryRunPane } from './trial/dry-run-pane.tsx'
import './trial/trial.css'
import { dryRunScene, startBacktest } from '@ithings/contract/features/scenes/trial.ts'
import { May } from '#kit/rights.tsx'
import { TriggerCard } from './triggers/trigger-card.tsx'
import { useSceneDraft } from './use-scene-draft.ts'

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
    void message.success(saved ? '更新成功' : '创建成功')
    if (!saved) void navigate(back ?? scenePath(id), { replace: true })
  }
  useSaveKey(() => void submit())

  return (
    <EditorContext value={editor}>
      {/* look.md "Phone": fingers need more room than a pointer. */}
      <ConfigProvider {...(phone && { componentSize: 'large' as const })}>
        <div className="scene-editor">
          <SceneHeader
            changes={changes}
            saving={saving}
            onSave={() => void submit()}
            onDiscard={() => void discard()}
            onRuns={() => setRuns(true)}
          />
          {saveState.kind === 'failed' && <Alert type="error" showIcon title={`没有保存：${saveState.text}`} />}
          {saveState.kind === 'stale' && (
            <Alert
              type="warning"
              showIcon
              title="没有保存：这个场景已被其他人修改"
              description="可以载入最新版本（放弃你的修改），或用你的版本覆盖它。"
              action={
                <span className="row gap-8">
                  <Button size="small" onClick={() => void discard()}>
                    载入最新版本
                  </Button>
                  <Button size="small" danger onClick={() => void submit(true)}>
                    覆盖保存
                  </Button>
                </span>
              }
            />
          )}
          <FaultBar onStrict={beStrict} />
          <div className="scene-columns" inert={saving && editor.frozen}>
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
            <aside className="column shrink gap-12" aria-label="验证">
              <May needs={dryRunScene}>
                <DryRunPane />
              </May>
              {editor.draft.triggerType !== 'manual' && (
                <May needs={startBacktest}>
                  <BacktestPane />
                </May>
              )}
              {saved && (
                <section className="sheet trial-card" aria-label="最近执行">
                  <div className="trial-head">
                    <h2>最近执行</h2>
                  </div>
                  <RunsPane sceneID={saved.id} onAll={() => setRuns(true)} />
                </section>
              )}
            </aside>
          </div>
        </div>
      </ConfigProvider>
      <LeaveGuard ofParam="id" dirty={changes > 0 && !saving} text={`有 ${changes} 处修改还没有保存，离开后会丢失。`} />
      {saved && <RunsDrawer scene={saved} open={runs} onClose={() => setRuns(false)} />}
    </EditorContext>
  )
}
