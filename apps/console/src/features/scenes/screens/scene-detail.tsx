import { ArrowLeftOutlined } from '@ant-design/icons'
import { errors } from '@ithings/contract/errors.ts'
import { createScene } from '@ithings/contract/features/scenes/info.ts'
import { type TriggerType, triggerTypes } from '@ithings/contract/rules/scene-limits.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Skeleton } from 'antd'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { alarmEditPath, paths } from '#kit/paths.ts'
import { describeError } from '#kit/states/describe-error.ts'
import { ErrorState } from '#kit/states/error-state.tsx'
import { MayOpen } from '#kit/states/may-open.tsx'
import { StateBlock } from '#kit/states/state-block.tsx'
import { useMemo } from '#language/use-memo.ts'
import { AlarmEditor } from '../editor/alarm-editor.tsx'
import { draftOf, emptyDraft } from '../editor/logic/draft.ts'
import { alarmDraft, newStep } from '../editor/logic/step-kinds.ts'
import { SceneEditor } from '../editor/scene-editor.tsx'
import { TriggerTiles } from '../parts/create-scene.tsx'
import { sceneQuery } from '../queries.ts'

const isType = (text: string | null): text is TriggerType => triggerTypes.some((type) => type === text)

/** screens.md 11: `id` opens a scene, `type` starts a new one or an alarm; without both the type is asked. */
export function SceneDetail() {
  const [params] = useSearchParams()
  const id = Number(params.get('id') ?? '')
  const type = params.get('type')
  if (params.has('id')) return <SavedScene key={id} id={id} />
  return (
    <MayOpen needs={createScene} subject={t('新增场景')}>
      <Begun params={params} type={type} />
    </MayOpen>
  )
}

function Begun({ params, type }: { params: URLSearchParams; type: string | null }) {
  if (type === 'alarm') return <NewAlarm params={params} />
  const alarmID = Number(params.get('alarmID'))
  if (type === 'device' && alarmID > 0) return <SceneOfAlarm alarmID={alarmID} name={params.get('name') ?? ''} />
  return isType(type) ? <NewScene key={type} type={type} /> : <TypeChooser />
}

function NewScene({ type }: { type: TriggerType }) {
  const [draft] = useState(() => emptyDraft(type))
  return <SceneEditor start={draft} scene={undefined} />
}

/** Begun at a product or a chart, it has a part of its trigger already. */
function NewAlarm({ params }: { params: URLSearchParams }) {
  const [draft] = useState(() => {
    const [productID = '', dataID = '', value = ''] = ['productID', 'dataID', 'value'].map(
      (name) => params.get(name) ?? '',
    )
    return alarmDraft({ productID, dataID, value })
  })
  return <AlarmEditor start={draft} />
}

/** Linked when it is saved, and back to the alarm then. */
function SceneOfAlarm({ alarmID, name }: { alarmID: number; name: string }) {
  const [draft] = useState(() => ({
    ...emptyDraft('device', name),
    actions: [newStep('trigger', { productID: '', byDevice: true })],
    alarmIDs: [alarmID],
  }))
  return <SceneEditor start={draft} scene={undefined} back={alarmEditPath(alarmID, 'scenes')} />
}

function SavedScene({ id }: { id: number }) {
  const navigate = useNavigate()
  const possible = Number.isSafeInteger(id) && id > 0
  const { data: scene, error, isFetching, refetch } = useQuery({ ...sceneQuery(id), enabled: possible })
  const opened = useMemo(() => {
    if (!scene) return undefined
    try {
      return { draft: draftOf(scene) }
    } catch (problem) {
      return { problem: describeError(problem).reason }
    }
  }, [scene])
  const back = <Button onClick={() => void navigate(paths.scenes)}>{t('返回场景列表')}</Button>
  if (!possible || (error && describeError(error).code === errors.notFound.code)) {
    return (
      <StateBlock
        variant="no-match"
        title={t('这个场景不存在')}
        text={t('它可能已经被删除，或者地址不完整。')}
        action={back}
      />
    )
  }
  if (!scene || !opened) {
    if (!error) return <EditorWait />
    return <ErrorState subject={t('场景')} error={error} retrying={isFetching} onRetry={() => void refetch()} />
  }
  if (!opened.draft)
    return <StateBlock variant="error" title={t('场景内容无法读取')} text={opened.problem} action={back} />
  return <SceneEditor start={opened.draft} scene={scene} />
}

/** screens.md 10: what starts the scene is asked first; the rest of the editor depends on it. */
function TypeChooser() {
  const navigate = useNavigate()
  return (
    <div className="type-chooser column gap-12">
      <header className="gap-8-12 high-36 row wrap">
        <Button
          type="text"
          icon={<ArrowLeftOutlined />}
          aria-label={t('返回场景列表')}
          onClick={() => void navigate(paths.scenes)}
        />
        <h1 className="scene-title size-20 line-28 row shrink bare bold gap-4">{t('新增场景')}</h1>
        <span className="meta">{t('什么时候运行？')}</span>
      </header>
      <TriggerTiles replace />
    </div>
  )
}

/** The outline of the editor until the scene is read. */
function EditorWait() {
  const sheet = (rows: number) => (
    <div className="sheet">
      <Skeleton active title={false} paragraph={{ rows }} />
    </div>
  )
  return (
    <div className="scene-wait column gap-12" aria-busy="true">
      <div className="gap-8-12 high-36 row wrap">
        <Skeleton.Input active />
      </div>
      <div className="scene-columns top grid gap-16">
        <div className="scene-rule-column column shrink gap-12">
          {sheet(2)}
          {sheet(3)}
          {sheet(2)}
          {sheet(5)}
        </div>
        <div className="column shrink gap-12">
          <div className="sheet" style={{ minHeight: 112 }} />
          <div className="sheet" style={{ minHeight: 112 }} />
          {sheet(8)}
        </div>
      </div>
    </div>
  )
}
