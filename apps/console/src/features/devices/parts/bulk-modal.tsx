import type { DataOf } from '@ithings/contract/endpoint.ts'
import type { multiUpdateDevices } from '@ithings/contract/features/devices/bulk.ts'
import { type Device, LogLevel } from '@ithings/contract/features/devices/info.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Alert, App, Button, Checkbox, Radio, Tag } from 'antd'
import { useId, useState } from 'react'
import { deviceKeyOf, deviceTitle, logLevelOptions } from '#blocks/device/labels.ts'
import {
  devicesQuery,
  keyOf,
  type Targets,
  useAddToGroup,
  useMultiDeleteDevices,
  useMultiUpdateDevices,
  useSimulateDevices,
} from '#blocks/device/queries.ts'
import { GroupPicker } from '#blocks/group-picker.tsx'
import { PhoneModal } from '#kit/phone-modal.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { type KeyValue, TagInput } from '#kit/tag-input.tsx'
import { BulkResult } from './bulk-result.tsx'
import type { WireFilter } from './device-filters.tsx'
import './devices.css'

export type BulkKind = 'group' | 'tags' | 'logLevel' | 'simulate' | 'real' | 'enable' | 'disable' | 'delete'

/** Chinese has one word for the verb and the state: the context tells that the verb is meant. */
const asVerb = { context: 'verb' }

const words: Record<BulkKind, { verb: string; text: string; danger?: true }> = {
  group: { verb: '加入分组', text: '设备可以同时在几个分组里，原有的分组不变。' },
  tags: { verb: '设置标签', text: '与原有标签合并，同名的键换成新值；每台设备最多 10 个标签。' },
  logLevel: { verb: '设置日志级别', text: '达到这一级别的本地日志才保存。' },
  simulate: {
    verb: '模拟设备',
    text: '平台代替设备连接、按物模型上报数据并执行指令；真实设备连上时会与模拟的互相顶替。子设备不能单独模拟。',
  },
  real: { verb: '停止模拟', text: '模拟的连接断开，已上报的数据保留。' },
  enable: { verb: '启用', text: '启用后可以立即连接平台。' },
  disable: { verb: '禁用', text: '在线的设备会立即断开，启用前不能再连接。数据都保留。', danger: true },
  delete: {
    verb: '删除',
    text: '密钥、历史数据、日志、分组和网关绑定关系一起删除，无法恢复。',
    danger: true,
  },
}

type Outcome = DataOf<typeof multiUpdateDevices>

interface BulkModalProps {
  kind: BulkKind
  devices: readonly Device[]
  /** All that it matches are meant; `devices` are some of them. */
  filter: WireFilter | undefined
  open: boolean
  /** A job does it. */
  onStarted: (jobID: string, title: string) => void
  /** @param done something was changed: the selection is used up */
  onClose: (done: boolean) => void
}

interface Draft {
  groupID: string | undefined
  tags: KeyValue[]
  removeTags: string[]
  logLevel: LogLevel
}

function useBulk(kind: BulkKind, targets: Targets, draft: Draft) {
  const addToGroup = useAddToGroup()
  const update = useMultiUpdateDevices()
  const remove = useMultiDeleteDevices()
  const simulate = useSimulateDevices()
  const named = 'list' in targets ? targets.list.length : 0
  return async (): Promise<Outcome> => {
    switch (kind) {
      case 'group': {
        const job = await addToGroup.mutateAsync({ groupID: draft.groupID ?? '', ...targets })
        return { total: named, success: named, failed: [], ...job }
      }
      case 'tags':
        return update.mutateAsync({ ...targets, tags: draft.tags, removeTags: draft.removeTags })
      case 'logLevel':
        return update.mutateAsync({ ...targets, logLevel: draft.logLevel })
      case 'simulate':
        return simulate.mutateAsync({ ...targets, on: true })
      case 'real':
        return simulate.mutateAsync({ ...targets, on: false })
      case 'enable':
        return update.mutateAsync({ ...targets, isEnable: 1 })
      case 'disable':
        return update.mutateAsync({ ...targets, isEnable: 2 })
      case 'delete':
        return remove.mutateAsync(targets)
    }
  }
}

const isReady = (kind: BulkKind, { groupID, tags, removeTags }: Draft): boolean => {
  if (kind === 'group') return groupID !== undefined
  return kind !== 'tags' || tags.length > 0 || removeTags.length > 0
}

const namesShown = 30

/** How many the server finds now, whatever the list showed before; undefined: not known yet. */
function useCount(devices: readonly Device[], filter: WireFilter | undefined) {
  const counted = useQuery({
    ...devicesQuery({ ...filter, page: { page: 1, size: 1 } }),
    enabled: filter !== undefined,
    staleTime: 0,
    gcTime: 0,
  })
  if (!filter) return { count: devices.length, recount: () => {}, error: null }
  const count = counted.isFetching ? undefined : counted.data?.total
  return { count, recount: () => void counted.refetch(), error: counted.error }
}

interface BulkFieldsProps {
  kind: BulkKind
  devices: readonly Device[]
  draft: Draft
  disabled: boolean
  onChange: (change: Partial<Draft>) => void
}

/** What is to be set, for the acts that set something. */
function BulkFields({ kind, devices, draft, disabled, onChange }: BulkFieldsProps) {
  const id = useId()
  if (kind === 'group')
    return (
      <GroupPicker id={id} value={draft.groupID} onChange={(groupID) => onChange({ groupID })} disabled={disabled} />
    )
  if (kind === 'logLevel') {
    return (
      <Radio.Group
        options={logLevelOptions()}
        value={draft.logLevel}
        disabled={disabled}
        onChange={({ target }) => onChange({ logLevel: target.value })}
      />
    )
  }
  if (kind !== 'tags') return null
  const carried = [...new Set(devices.flatMap((device) => device.tags.map((tag) => tag.key)))]
  return (
    <>
      <TagInput id={id} value={draft.tags} onChange={(tags) => onChange({ tags })} disabled={disabled} />
      {carried.length > 0 && (
        <div>
          <p className="softer bare">{t('同时移除原有的键：')}</p>
          <Checkbox.Group
            options={carried}
            value={draft.removeTags}
            disabled={disabled}
            onChange={(removeTags) => onChange({ removeTags })}
          />
        </div>
      )}
    </>
  )
}

/** Whom it is about. */
function BulkNames({ devices, filter }: Pick<BulkModalProps, 'devices' | 'filter'>) {
  return (
    <div className="bulk-names scroll flex wrap gap-4">
      {filter
        ? t('符合当前筛选条件的全部设备，包括其他页的；确认之后才符合条件的不包括在内。')
        : devices.slice(0, namesShown).map((device) => <Tag key={deviceKeyOf(device)}>{deviceTitle(device)}</Tag>)}
      {!filter && devices.length > namesShown && <Tag>{t('等 {count, number} 台', { count: devices.length })}</Tag>}
    </div>
  )
}

/** Says who is affected, asks for what is to be set, and shows the failures row by row. */
export function BulkModal({ kind, devices, filter, open, onClose, onStarted }: BulkModalProps) {
  const { message } = App.useApp()
  const [draft, setDraft] = useState<Draft>({ groupID: undefined, tags: [], removeTags: [], logLevel: LogLevel.off })
  const [state, setState] = useState<{ busy: boolean; failure?: string; outcome?: Outcome }>({ busy: false })
  const { danger = false } = words[kind]
  const verb = t(words[kind].verb, asVerb)
  const { count, recount, error } = useCount(devices, filter)
  const confirmed = danger && count !== undefined ? { most: count } : {}
  const run = useBulk(kind, filter ? { filter: { ...filter, ...confirmed } } : { list: devices.map(keyOf) }, draft)
  const { busy, outcome } = state
  const failure = state.failure ?? (error ? describeError(error).reason : undefined)
  const countText = count === undefined ? t('正在计算') : t('{count, number} 台设备', { count })

  const start = async () => {
    setState({ busy: true })
    try {
      const answer = await run()
      if (answer.jobID) return onStarted(answer.jobID, verb)
      if (answer.failed.length > 0) return setState({ busy: false, outcome: answer })
      void message.success(t('{verb}：{count, number} 台设备成功', { verb, count: answer.success }))
      onClose(true)
    } catch (error) {
      setState({ busy: false, failure: describeError(error).reason })
      recount()
    }
  }

  return (
    <PhoneModal
      title={
        outcome
          ? t('{verb}：{succeeded} 台成功，{failed} 台失败', {
              verb,
              succeeded: outcome.success,
              failed: outcome.failed.length,
            })
          : `${verb} · ${countText}`
      }
      open={open}
      width={560}
      className="form-modal"
      mask={{ closable: false }}
      onCancel={() => !busy && onClose(outcome !== undefined)}
      footer={
        outcome ? (
          <Button type="primary" onClick={() => onClose(true)}>
            {t('关闭')}
          </Button>
        ) : (
          <>
            <Button disabled={busy} onClick={() => onClose(false)}>
              {t('取消')}
            </Button>
            <Button
              type="primary"
              danger={danger}
              loading={busy}
              disabled={!isReady(kind, draft) || !count}
              onClick={() => void start()}
            >
              {danger ? `${verb} ${countText}` : verb}
            </Button>
          </>
        )
      }
    >
      {outcome ? (
        <BulkResult failed={outcome.failed} name={verb} />
      ) : (
        <div className="column gap-12">
          <p className="softer bare">{t(words[kind].text)}</p>
          <BulkFields
            kind={kind}
            devices={devices}
            draft={draft}
            disabled={busy}
            onChange={(change) => setDraft({ ...draft, ...change })}
          />
          <BulkNames devices={devices} filter={filter} />
          {failure && <Alert type="error" showIcon title={failure} />}
        </div>
      )}
    </PhoneModal>
  )
}
