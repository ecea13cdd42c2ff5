/** An alarm in one sentence: when, how bad, who is told. Scene and alarm are made together, or neither. */
import { ArrowLeftOutlined } from '@ant-design/icons'
import { AlarmLevel } from '@ithings/contract/features/alarms/config.ts'
import { startBacktest } from '@ithings/contract/features/scenes/trial.ts'
import { describeScene } from '@ithings/contract/rules/describe.ts'
import { Alert, App, Button, Input } from 'antd'
import { useEffect, useMemo, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { AlarmLevelMark, LevelChoice } from '#blocks/alarm-level.tsx'
import { alarmListPath, alarmSavePath } from '#blocks/alarm-records/alarm-paths.ts'
import { ChannelNames, ChannelPicker } from '#blocks/channel-picker.tsx'
import { newScenePath } from '#blocks/scene-paths.ts'
import { LeaveGuard } from '#kit/leave-guard.tsx'
import { usePageName } from '#kit/page-name.ts'
import { May } from '#kit/rights.tsx'
import { Sentence } from '../parts/scene-rule.tsx'
import './actions/steps.css'
import './editor.css'
import { EditorContext } from './editor-context.ts'
import { partsOf, type SceneDraft } from './logic/draft.ts'
import { BlockCard } from './parts/block-card.tsx'
import { BacktestPane } from './trial/backtest-pane.tsx'
import './trial/trial.css'
import { TriggerCard } from './triggers/trigger-card.tsx'
import { useSceneDraft } from './use-scene-draft.ts'

const longestName = 64
const isName = ({ key }: { key: string }) => key === 'name'

export function AlarmEditor({ start }: { start: SceneDraft }) {
  usePageName('新增告警')
  const navigate = useNavigate()
  const { message } = App.useApp()
  const { editor, changes, save, saveState, saving } = useSceneDraft(start, undefined)
  const [level, setLevel] = useState<AlarmLevel>(AlarmLevel.normal)
  const [channelIDs, setChannelIDs] = useState<number[]>([])
  const { draft, names, change, faults, refusals } = editor
  const [named, setNamed] = useState(false)
  const missing = [...faults, ...refusals].filter((fault) => !isName(fault))
  const ready = missing.length === 0
  const trigger = useMemo(() => (ready ? describeScene(partsOf(draft), names).trigger : []), [ready, draft, names])

  // Called by what it waits for, until somebody has a better name.
  const suggested = named
    ? draft.name
    : trigger
        .map(({ text }) => text)
        .join('')
        .replace(/^任一/, '')
        .slice(0, longestName)
  useEffect(() => {
    if (suggested !== draft.name) change((old) => ({ ...old, name: suggested }))
  }, [suggested, draft.name, change])

  const typed = channelIDs.length > 0 || changes > (named || draft.name === '' ? 0 : 1)

  const submit = async () => {
    if (saving) return
    const alarm = { name: draft.name.trim(), level, notify: { channelIDs } }
    if ((await save({ alarm })) === undefined) return
    void message.success('创建成功')
    await navigate(alarmListPath)
  }
  return (
    <EditorContext value={editor}>
      <div className="scene-editor">
        <header className="scene-header">
          <Button
            type="text"
            icon={<ArrowLeftOutlined />}
            aria-label="返回告警配置"
            onClick={() => void navigate(alarmListPath)}
          />
          <h1 className="scene-title">新增告警</h1>
          <div className="scene-actions to-end row gap-8">
            <Button
              type="primary"
              loading={saving}
              disabled={faults.length + refusals.length > 0}
              onClick={() => void submit()}
            >
              创建
            </Button>
          </div>
        </header>
        {saveState.kind === 'failed' && <Alert type="error" showIcon title={`没有创建：${saveState.text}`} />}
        <div className="scene-columns" inert={saving}>
          <div className="scene-rule-column column shrink gap-12">
            <section className="sheet sentence-card" aria-label="规则预览">
              <p className="sentence bare anywhere softer" aria-live="polite">
                当 {ready ? <Sentence parts={trigger} /> : <span className="sentence-gap">……</span>} → 告警{' '}
                <AlarmLevelMark level={level} /> →{' '}
                {channelIDs.length > 0 ? (
                  <>
                    通知 <ChannelNames channelIDs={channelIDs} />
                  </>
                ) : (
                  '只产生记录'
                )}
              </p>
            </section>
            <TriggerCard />
            <BlockCard part="action" badge="则" word="THEN" title="告警">
              <div className="step-fields column gap-8">
                <div className="step-label">级别</div>
                <LevelChoice value={level} onChange={(next) => setLevel(next as AlarmLevel)} />
                <label className="step-label" htmlFor="alarm-channels">
                  通知渠道
                </label>
                <ChannelPicker
                  id="alarm-channels"
                  placeholder="不选则只产生记录"
                  value={channelIDs}
                  onChange={setChannelIDs}
                />
                <label className="step-label" htmlFor="alarm-name">
                  名称
                </label>
                <Input
                  id="alarm-name"
                  maxLength={longestName}
                  placeholder="按触发条件自动命名"
                  value={draft.name}
                  onChange={(event) => {
                    setNamed(true)
                    change((old) => ({ ...old, name: event.target.value }))
                  }}
                />
              </div>
            </BlockCard>
            <p className="meta">
              需要更多条件或动作：<Link to={newScenePath('device')}>新增场景</Link>；场景已经有了：
              <Link to={alarmSavePath}>只新增告警</Link>
            </p>
          </div>
          <aside className="column shrink gap-12" aria-label="验证">
            <May needs={startBacktest}>
              <BacktestPane live />
            </May>
          </aside>
        </div>
      </div>
      <LeaveGuard dirty={typed && !saving} text="告警还没有创建，离开后会丢失。" />
    </EditorContext>
  )
}
