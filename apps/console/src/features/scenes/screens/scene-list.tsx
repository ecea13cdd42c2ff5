import { ExportOutlined, ImportOutlined } from '@ant-design/icons'
import {
  createScene,
  RunResult,
  runResultLabels,
  type Scene,
  SceneStatus,
} from '@ithings/contract/features/scenes/info.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Tooltip } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useLivePolling } from '#api/live.ts'
import { useView, ViewSwitch } from '#blocks/view-switch.tsx'
import { readFilters } from '#kit/list-page/filter-values.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { useListState } from '#kit/list-page/use-list-state.ts'
import { ActButton } from '#kit/rights.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { WhenOpened } from '#kit/when-opened.tsx'
import { useMemo } from '#language/use-memo.ts'
import { sceneColumns } from '../parts/scene-columns.tsx'
import { sceneCounters } from '../parts/scene-counters.ts'
import { useSceneActions } from '../parts/use-scene-actions.tsx'
import { sceneCountQuery, scenesQuery, useScenesLive } from '../queries.ts'
import '../parts/scene-cards.css'
import '../parts/scenes.css'
import { type TriggerType, triggerTypes } from '@ithings/contract/rules/scene-limits.ts'
import { triggerTypeLabels } from '@ithings/contract/rules/scene-text.ts'
import { AlarmPicker } from '#blocks/alarm-picker.tsx'
import type { FilterField, FilterOption } from '#kit/list-page/list-contract.ts'

const triggerTypeOptions: FilterOption[] = triggerTypes.map((value) => ({
  value,
  label: triggerTypeLabels[value],
}))

const sceneStatusOptions: FilterOption[] = [
  { value: SceneStatus.enabled, label: '已启用' },
  { value: SceneStatus.disabled, label: '已禁用' },
]

/** A list knows the last run that has ended; what still runs or did not fire is in the log. */
const lastResultOptions: FilterOption[] = [RunResult.success, RunResult.partly, RunResult.failed].map((value) => ({
  value,
  label: runResultLabels[value],
}))

interface SceneFilters {
  name?: string
  triggerType?: TriggerType
  status?: SceneStatus
  alarmID?: string
  lastResult?: RunResult
}

const sceneFields: FilterField[] = [
  { name: 'name', label: '场景名称', control: 'text', placeholder: '输入名称', width: 160 },
  { name: 'triggerType', label: '触发类型', control: 'select', options: triggerTypeOptions, width: 112 },
  { name: 'status', label: '状态', control: 'select', options: sceneStatusOptions, width: 96 },
  { name: 'lastResult', label: '最近结果', control: 'select', options: lastResultOptions, width: 112 },
  {
    name: 'alarmID',
    label: '关联告警',
    control: 'custom',
    width: 180,
    advanced: true,
    render: (props) => <AlarmPicker {...props} aria-label={t('关联告警')} />,
    describe: (alarmID) => t('编号 {id}', { id: alarmID }),
  },
]

/** Digits of the URL become the number of the wire. */
const sceneFilterBody = ({ alarmID, ...rest }: SceneFilters) => ({
  ...rest,
  ...(alarmID && { alarmID: Number(alarmID) }),
})

// Behind their buttons: the list does not wait for them.
const CreateScene = lazy(async () => ({ default: (await import('../parts/create-scene.tsx')).CreateScene }))
const RunsDrawer = lazy(async () => ({ default: (await import('#blocks/scene-runs/runs.tsx')).RunsDrawer }))
const ImportDrawer = lazy(async () => ({ default: (await import('../parts/import-drawer.tsx')).ImportDrawer }))

/** screens.md 10. */
export function SceneList() {
  const phone = usePhone()
  useScenesLive()
  const refetchInterval = useLivePolling()
  const [view, setView] = useView('scene')
  const [creating, setCreating] = useState<boolean>()
  const [importing, setImporting] = useState<boolean>()
  const [log, setLog] = useState<{ scene: Scene; open: boolean }>()
  const count = useQuery({ ...sceneCountQuery(), refetchInterval })
  const { actionsOf, exportScenes, exportAll } = useSceneActions((scene) => setLog({ scene, open: true }))
  const [{ filters: texts }] = useListState(sceneFields, '', undefined)
  const columns = useMemo(sceneColumns, [])
  const filters = useMemo(() => readFilters(sceneFields, texts) as SceneFilters, [texts])

  return (
    <div className={view === 'card' && !phone ? 'scene-list list-cards scene-cards' : 'scene-list'}>
      <ListPage<Scene, SceneFilters>
        title={t('场景联动')}
        exportName={t('场景联动')}
        subtitle={t('设备、时间或人触发，条件成立时依次执行动作')}
        create={{ text: t('新增场景'), needs: createScene, onClick: () => setCreating(true) }}
        extra={
          <ActButton needs={createScene} icon={<ImportOutlined />} onClick={() => setImporting(true)}>
            {t('导入')}
          </ActButton>
        }
        counters={sceneCounters(count.data)}
        filters={sceneFields}
        columns={columns}
        rowKey={({ id }) => String(id)}
        storageKey="scenes"
        query={({ page, filters: wanted }) => ({
          ...scenesQuery({ page, ...sceneFilterBody(wanted) }),
          refetchInterval,
        })}
        rowActions={actionsOf}
        toolbarExtra={
          <>
            {!phone && <ViewSwitch value={view} onChange={setView} />}
            <Tooltip title={t('导出场景')}>
              <Button
                type="text"
                icon={<ExportOutlined />}
                aria-label={t('导出')}
                onClick={() => exportAll(sceneFilterBody(filters))}
              />
            </Tooltip>
          </>
        }
        selection={{
          unit: t('个场景'),
          actions: (scenes) => (
            <Button type="text" icon={<ExportOutlined />} onClick={() => exportScenes(scenes)}>
              {t('导出场景')}
            </Button>
          ),
        }}
        empty={{
          title: t('还没有场景'),
          text: t('场景让设备互相配合：当触发发生、条件成立时，依次执行设备操作、告警、通知等动作。'),
        }}
      />
      <WhenOpened open={log?.open ?? false}>
        <RunsDrawer
          scene={log?.scene}
          open={log?.open ?? false}
          onClose={() => setLog(log && { ...log, open: false })}
        />
      </WhenOpened>
      <Suspense fallback={null}>
        {creating !== undefined && <CreateScene open={creating} onClose={() => setCreating(false)} />}
        {importing !== undefined && <ImportDrawer open={importing} onClose={() => setImporting(false)} />}
      </Suspense>
    </div>
  )
}
