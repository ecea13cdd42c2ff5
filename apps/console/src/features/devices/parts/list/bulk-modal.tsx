import type { DataOf } from '@ithings/contract/endpoint.ts'
import type { multiUpdateDevices } from '@ithings/contract/features/devices/bulk.ts'
import { type Device, LogLevel } from '@ithings/contract/features/devices/info.ts'
import { Alert, App, Button, Checkbox, Modal, Radio, Tag } from 'antd'
import { useId, useState } from 'react'
import { GroupPicker } from '#blocks/group-picker.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { type KeyValue, TagInput } from '#kit/tag-input.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { deviceKeyOf, deviceTitle, logLevelOptions } from '../../labels.ts'
import {
  keyOf,
  useAddToGroup,
  useMultiDeleteDevices,
  useMultiUpdateDevices,
  useSimulateDevices,
} from '../../queries.ts'
import { BulkResult } from './bulk-result.tsx'
import './devices.css'

export type BulkKind = 'group' | 'tags' | 'logLevel' | 'simulate' | 'real' | 'enable' | 'disable' | 'delete'

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
  open: boolean
  /** @param done something was changed: the selection is used up */
  onClose: (done: boolean) => void
}

interface Draft {
  groupID: string | undefined
  tags: KeyValue[]
  removeTags: string[]
  logLevel: LogLevel
}

function useBulk(kind: BulkKind, devices: readonly Device[], draft: Draft) {
  const addToGroup = useAddToGroup()
  const update = useMultiUpdateDevices()
  const remove = useMultiDeleteDevices()
  const simulate = useSimulateDevices()
  const list = devices.map(keyOf)
  return async (): Promise<Outcome> => {
    switch (kind) {
      case 'group':
        await addToGroup.mutateAsync({ groupID: draft.groupID ?? '', list })
        return { total: list.length, success: list.length, failed: [] }
      case 'tags':
        return update.mutateAsync({ list, tags: draft.tags, removeTags: draft.removeTags })
      case 'logLevel':
        return update.mutateAsync({ list, logLevel: draft.logLevel })
      case 'simulate':
        return simulate.mutateAsync({ list, on: true })
      case 'real':
        return simulate.mutateAsync({ list, on: false })
      case 'enable':
        return update.mutateAsync({ list, isEnable: 1 })
      case 'disable':
        return update.mutateAsync({ list, isEnable: 2 })
      case 'delete':
        return remove.mutateAsync(list)
    }
  }
}

const isReady = (kind: BulkKind, { groupID, tags, removeTags }: Draft): boolean => {
  if (kind === 'group') return groupID !== undefined
  return kind !== 'tags' || tags.length > 0 || removeTags.length > 0
}

const namesShown = 30

/** Says who is affected, asks for what is to be set, and shows the failures row by row. */
export function BulkModal({ kind, devices, open, onClose }: BulkModalProps) {
  const phone = usePhone()
  const { message } = App.useApp()
  const id = useId()
  const [draft, setDraft] = useState<Draft>({ groupID: undefined, tags: [], removeTags: [], logLevel: LogLevel.off })
  const [state, setState] = useState<{ busy: boolean; failure?: string; outcome?: Outcome }>({ busy: false })
  const run = useBulk(kind, devices, draft)
  const { verb, text, danger = false } = words[kind]
  const { busy, failure, outcome } = state
  const set = (change: Partial<Draft>) => setDraft({ ...draft, ...change })
  const carried = [...new Set(devices.flatMap((device) => device.tags.map((tag) => tag.key)))]

  const start = async () => {
    setState({ busy: true })
    try {
      const answer = await run()
      if (answer.failed.length > 0) return setState({ busy: false, outcome: answer })
      void message.success(`${verb}：${answer.success.toLocaleString()} 台设备成功`)
      onClose(true)
    } catch (error) {
      setState({ busy: false, failure: describeError(error).reason })
    }
  }

  return (
    <Modal
      title={
        outcome
          ? `${verb}：${outcome.success} 台成功，${outcome.failed.length} 台失败`
          : `${verb} · ${devices.length} 台设备`
      }
      open={open}
      width={phone ? '100%' : 560}
      className={phone ? 'form-modal form-modal-phone' : 'form-modal'}
      mask={{ closable: false }}
      onCancel={() => !busy && onClose(outcome !== undefined)}
      footer={
        outcome ? (
          <Button type="primary" onClick={() => onClose(true)}>
            关闭
          </Button>
        ) : (
          <>
            <Button disabled={busy} onClick={() => onClose(false)}>
              取消
            </Button>
            <Button
              type="primary"
              danger={danger}
              loading={busy}
              disabled={!isReady(kind, draft)}
              onClick={() => void start()}
            >
              {danger ? `${verb} ${devices.length} 台设备` : verb}
            </Button>
          </>
        )
      }
    >
      {outcome ? (
        <BulkResult failed={outcome.failed} name={verb} />
      ) : (
        <div className="bulk-body">
          <p className="bulk-label">{text}</p>
          {kind === 'group' && (
            <GroupPicker id={id} value={draft.groupID} onChange={(groupID) => set({ groupID })} disabled={busy} />
          )}
          {kind === 'tags' && (
            <>
              <TagInput id={id} value={draft.tags} onChange={(tags) => set({ tags })} disabled={busy} />
              {carried.length > 0 && (
                <div>
                  <p className="bulk-label">同时移除原有的键：</p>
                  <Checkbox.Group
                    options={carried}
                    value={draft.removeTags}
                    disabled={busy}
                    onChange={(removeTags) => set({ removeTags })}
                  />
                </div>
              )}
            </>
          )}
          {kind === 'logLevel' && (
            <Radio.Group
              options={logLevelOptions}
              value={draft.logLevel}
              disabled={busy}
              onChange={({ target }) => set({ logLevel: target.value })}
            />
          )}
          <div className="bulk-names">
            {devices.slice(0, namesShown).map((device) => (
              <Tag key={deviceKeyOf(device)}>{deviceTitle(device)}</Tag>
            ))}
            {devices.length > namesShown && <Tag>等 {devices.length.toLocaleString()} 台</Tag>}
          </div>
          {failure && <Alert type="error" showIcon title={failure} />}
        </div>
      )}
    </Modal>
  )
}
