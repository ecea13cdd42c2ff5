/** An alarm in one sentence: when, how bad, who is told. Scene and alarm are made together, or neither. */

import { ArrowLeftOutlined } from '@ant-design/icons'
import { AlarmLevel } from '@ithings/contract/features/alarms/config.ts'
import { startBacktest } from '@ithings/contract/features/scenes/trial.ts'
import { describeScene } from '@ithings/contract/rules/describe.ts'
import { triggerName } from '@ithings/contract/rules/describe-trigger.ts'
import { t } from '@ithings/contract/text.ts'
import { Alert, App, Button, Input } from 'antd'
import { useEffect, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { AlarmLevelMark, LevelChoice } from '#blocks/alarm-level.tsx'
import { ChannelNames, ChannelPicker } from '#blocks/channel-picker.tsx'
import { LeaveGuard } from '#kit/leave-guard.tsx'
import { usePageName } from '#kit/page-name.ts'
import { newScenePath, paths } from '#kit/paths.ts'
import { RichText } from '#kit/rich-text.tsx'
import { May } from '#kit/rights.tsx'
import { useMemo } from '#language/use-memo.ts'
import './actions/steps.css'
import './editor.css'
import { type Editor, EditorContext, useEditor } from './editor-context.ts'
import { partsOf, type SceneDraft } from './logic/draft.ts'
import { BlockCard } from './parts/block-card.tsx'
import { SaidSoFar, SentenceSheet } from './parts/sentence-sheet.tsx'
import { BacktestPane } from './trial/backtest-pane.tsx'
import './trial/trial.css'
import { TriggerCard } from './triggers/trigger-card.tsx'
import { useSceneDraft } from './use-scene-draft.ts'

const longestName = 64

/** A new alarm is called by what it waits for, until somebody has a better name. */
function useAlarmName({ draft, change, names }: Editor, ready: boolean) {
  const [named, setNamed] = useState(false)
  const said = useMemo(() => (ready ? triggerName(partsOf(draft), names) : ''), [ready, draft, names])
  const name = named ? draft.name : said.slice(0, longestName)
  useEffect(() => {
    if (name !== draft.name) change((old) => ({ ...old, name }))
  }, [name, draft.name, change])
  const rename = (next: string) => {
    setNamed(true)
    change((old) => ({ ...old, name: next }))
  }
  return { named, rename }
}

interface Told {
  level: AlarmLevel
  channelIDs: number[]
}

interface AlarmFieldsProps {
  told: Told
  onChange: (told: Told) => void
  onName: (name: string) => void
}

/** How bad it is, who is told, and its name. */
function AlarmFields({ told, onChange, onName }: AlarmFieldsProps) {
  const { draft } = useEditor()
  return (
    <div className="step-fields column gap-8">
      <div className="step-label softer small">{t('级别')}</div>
      <LevelChoice value={told.level} onChange={(level) => onChange({ ...told, level: level as AlarmLevel })} />
      <label className="step-label softer small" htmlFor="alarm-channels">
        {t('通知渠道')}
      </label>
      <ChannelPicker
        id="alarm-channels"
        placeholder={t('不选则只产生记录')}
        value={told.channelIDs}
        onChange={(channelIDs) => onChange({ ...told, channelIDs })}
      />
      <label className="step-label softer small" htmlFor="alarm-name">
        {t('名称')}
      </label>
      <Input
        id="alarm-name"
        maxLength={longestName}
        placeholder={t('按触发条件自动命名')}
        value={draft.name}
        onChange={(event) => onName(event.target.value)}
      />
    </div>
  )
}

export function AlarmEditor({ start }: { start: SceneDraft }) {
  usePageName(t('新增告警'))
  const navigate = useNavigate()
  const { message } = App.useApp()
  const { editor, changes, save, saveState, saving } = useSceneDraft(start, undefined)
  const { draft, names, faults, refusals } = editor
  const [told, setTold] = useState<Told>({ level: AlarmLevel.normal, channelIDs: [] })
  const { level, channelIDs } = told
  const open = [...faults, ...refusals]
  const ready = open.every(({ key }) => key === 'name')
  const trigger = useMemo(() => (ready ? describeScene(partsOf(draft), names).trigger : []), [ready, draft, names])
  const { named, rename } = useAlarmName(editor, ready)
  const typed = channelIDs.length > 0 || changes > (named || draft.name === '' ? 0 : 1)
  const back = () => navigate(paths.alarms)

  const submit = async () => {
    if (saving) return
    const alarm = { name: draft.name.trim(), level, notify: { channelIDs } }
    if ((await save({ alarm })) === undefined) return
    void message.success(t('创建成功'))
    await back()
  }
  return (
    <EditorContext value={editor}>
      <div className="column gap-12">
        <header className="gap-8-12 high-36 row wrap">
          <Button type="text" icon={<ArrowLeftOutlined />} aria-label={t('返回告警配置')} onClick={() => void back()} />
          <h1 className="scene-title size-20 line-28 row shrink bare bold gap-4">{t('新增告警')}</h1>
          <div className="scene-actions to-end row gap-8">
            <Button type="primary" loading={saving} disabled={open.length > 0} onClick={() => void submit()}>
              {t('创建')}
            </Button>
          </div>
        </header>
        {saveState.kind === 'failed' && (
          <Alert type="error" showIcon title={t('没有创建：{text}', { text: saveState.text })} />
        )}
        <div className="scene-columns top grid gap-16" inert={saving}>
          <div className="scene-rule-column column shrink gap-12">
            <SentenceSheet>
              <RichText
                text={
                  channelIDs.length > 0 ? t('当 <0/> → 告警 <1/> → 通知 <2/>') : t('当 <0/> → 告警 <1/> → 只产生记录')
                }
                parts={[
                  <SaidSoFar key="trigger" parts={trigger} />,
                  <AlarmLevelMark key="level" level={level} />,
                  <ChannelNames key="channels" channelIDs={channelIDs} />,
                ]}
              />
            </SentenceSheet>
            <TriggerCard />
            <BlockCard part="action" badge={t('则')} word="THEN" title={t('告警')}>
              <AlarmFields told={told} onChange={setTold} onName={rename} />
            </BlockCard>
            <p className="meta">
              <RichText
                text={t('需要更多条件或动作：<0>新增场景</0>；场景已经有了：<1>只新增告警</1>')}
                parts={[<Link key="scene" to={newScenePath('device')} />, <Link key="alarm" to={paths.alarmSave} />]}
              />
            </p>
          </div>
          <aside className="column shrink gap-12" aria-label={t('验证')}>
            <May needs={startBacktest}>
              <BacktestPane live />
            </May>
          </aside>
        </div>
      </div>
      <LeaveGuard dirty={typed && !saving} text={t('告警还没有创建，离开后会丢失。')} />
    </EditorContext>
  )
}
